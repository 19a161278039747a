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

// Exit::no if something is unplaced or a finding is an error.
Exit answer_of(const Plan&);

}  // namespace carve
