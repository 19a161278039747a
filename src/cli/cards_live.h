// `carve cards --live`: the driver of each card against the catalog.
#pragma once

#include <string>

#include "cli/command.h"
#include "machine/machine.h"

namespace carve {

// docs/json.md describes it.
std::string differences_json(const Machine&);

// Exit::no if the catalog has none of the cards that answer.
Exit compared(const Machine&);

}  // namespace carve
