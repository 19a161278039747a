// What `carve`, `carve --help` and `carve COMMAND --help` print, from the commands' own data.
#pragma once

#include <string>

#include "cli/command.h"

namespace carve {

std::string overview(const Style&);
std::string help_of(const Command&, const Style&);

}  // namespace carve
