// The path from a workload file to a checked plan, which `plan` and `why` share.
#pragma once

#include <string>

#include "check/check.h"
#include "cli/command.h"

namespace carve {

struct Planned {
  Plan plan;  // with its findings
  std::vector<Violation> violations;
  std::string stats;  // for --stats
};

Result<Planned> plan_for(const std::string& path, const Given&);

// Our own checker refuses our own plan: says so on standard error. The plan is not shown as if it were good.
Exit refuse_own_plan(const Planned&);

inline constexpr Option html_option{"--html", "", "PAGE", "also write the plan as one page that stands alone"};
inline constexpr Option svg_option{"--svg", "", "DRAWING", "also write a drawing of the cards"};

// Writes what these options ask for, each file whole or not at all. `path` is what the plan was read or made from; of
// it only the file's own name goes into the page, which is made to be handed on.
Result<void> write_pictures(const Given&, const Plan&, const std::vector<Violation>&, const std::string& path);

// Exit::no if something is unplaced or a finding is an error.
Exit answer_of(const Plan&);

}  // namespace carve
