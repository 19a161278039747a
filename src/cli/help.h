// What `carve`, `carve --help` and `carve COMMAND --help` print, from the commands' own data.
#pragma once

#include <array>
#include <string>

#include "cli/command.h"

namespace carve {

inline constexpr std::string_view tagline =
    "shares GPUs: by MIG, MPS and time slicing, on the fewest cards, with reasons";

struct ExitMeaning {
  Exit exit;
  std::string_view meaning;
};

inline constexpr std::array exit_meanings{
    ExitMeaning{Exit::done, "done"},
    ExitMeaning{Exit::no, "the answer is no: a replica is unplaced, a finding is an error"},
    ExitMeaning{Exit::bad_input, "bad input or usage; the message says where and what to do"},
    ExitMeaning{Exit::environment, "the machine refused: no driver, no permission, a full disk"},
    ExitMeaning{Exit::defect, "carve found a mistake of its own: please report it"},
};

std::string overview(const Style&);
std::string help_of(const Command&, const Style&);

}  // namespace carve
