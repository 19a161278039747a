// What `carve status --json` prints; docs/json.md describes it.
#pragma once

#include <string>

#include "machine/machine.h"

namespace carve {

std::string status_json(const Machine&);

}  // namespace carve
