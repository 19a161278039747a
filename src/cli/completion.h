// The completion scripts of the shells. They know nothing of the commands: they ask `carve __complete` (complete.h).
#pragma once

#include <span>
#include <string_view>

namespace carve {

struct ShellScript {
  std::string_view shell;  // "bash"
  std::string_view text;
};

std::span<const ShellScript> completion_scripts();

}  // namespace carve
