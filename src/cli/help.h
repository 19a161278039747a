// What `carve`, `carve --help` and `carve COMMAND --help` print, from the commands' own data.
#pragma once

#include <string>

#include "cli/command.h"

namespace carve {

inline constexpr std::string_view program_version = CARVE_VERSION;

std::string overview(const Style&);
std::string help_of(const Command&, const Style&);

}  // namespace carve
