// What the commands that change cards have in common: which machine, which state, who may be disturbed.
#pragma once

#include <string>

#include "cli/command.h"
#include "cli/live.h"

namespace carve {

inline constexpr Option root_option{"--root", "", "DIR", "state lives below this folder instead of /"};
inline constexpr Option bind_option{"--bind", "", "", "the plan's i-th card of a host is the i-th card here"};
inline constexpr Option node_option{"--node", "", "NODE", "with --bind: the host of the plan that is this machine"};
inline constexpr Option drain_option{"--drain", "", "HOW", "processes in the way: refuse (default), wait, or stop"};
inline constexpr Option drain_limit_option{"--drain-limit", "", "TIME", "how long to wait for them; 5min"};
inline constexpr Option stop_foreign_option{"--stop-foreign", "", "",
                                            "with --drain stop: also what carve did not start"};
inline constexpr Option replace_foreign_option{"--replace-foreign", "", "",
                                               "destroy partitions in the way that carve did not make"};

// The machine, as it is now, and where carve keeps its state of it. Simulated cards have theirs below the machine's own
// root folder.
struct Scene {
  ReadOptions driver;
  ResetTool reset;
  StateFolders folders;
  std::string device_root;  // as ApplyOptions has it
  Machine machine;
};
Result<Scene> read_scene(const Given&);
// The folders alone, for commands that only read the state.
Result<StateFolders> state_folders(const Given&);

Result<Permissions> permissions_of(const Given&);

// The plan of a file, bound to the cards that are there.
Result<Target> target_of_plan(const Given&, const Plan&, const Machine&);

// Says what stands in the way of a change that is not possible, and that nothing was done.
// Requires !change.possible().
Result<Exit> refuse_change(const Change&);

// Does it, with progress, and tells how it ended.
Result<Exit> carry_out(const Change&, const Scene&, const Given&, const std::string& command,
                       AfterReboot = AfterReboot::no);

}  // namespace carve
