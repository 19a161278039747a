// What the files of /proc/PID say, from their bytes. Processes choose some of them: nothing in them is believed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/base.h"

namespace carve {

// Arguments of a `cmdline`, which end with a zero byte each, with spaces between them.
std::string command_in(std::string_view cmdline);

// The longest path of the lines "number:controllers:path". The unified hierarchy has number 0 and no controllers; where
// only the old ones are used it is empty or "/", and the path that systemd and container runtimes set stands at the
// others.
std::string cgroup_in(std::string_view lines);

// The name in a line "name:password:uid:..." of a passwd file.
std::optional<std::string> user_in(std::string_view passwd, std::uint32_t uid);

// Of the line "pid (name) state parent group ...", where the name may hold anything.
struct ProcessStat {
  std::int32_t parent = 0;
  std::int32_t group = 0;
  std::uint64_t started = 0;  // clock ticks after the boot
};
std::optional<ProcessStat> stat_in(std::string_view line);

}  // namespace carve
