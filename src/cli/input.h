// What commands read: workload files and plans, from a path or from standard input ("-").
#pragma once

#include <string>

#include "cli/command.h"
#include "plan/plan.h"

namespace carve {

inline constexpr Option fleet_option{"--fleet", "", "FLEET", "cards to plan for (8xh100-80gb,2xa30), over the file"};

// How a path is named in what people read: "standard input" for "-".
std::string shown_path(const std::string& path);

// What is to be planned.
struct Asked {
  WorkloadFile file;              // with a fleet
  std::vector<LeftOut> left_out;  // of live cards
};

// The workload file at `path`, with the fleet of --fleet if it was given; with the cards of this machine where neither
// names one, or with --sim. Error: also when there are none.
Result<Asked> read_workloads(const std::string& path, const Given&);

Result<Plan> read_plan_or_input(const std::string& path);

}  // namespace carve
