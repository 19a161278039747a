// The cards of this machine as a fleet to plan for.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.h"
#include "plan/plan.h"

namespace carve {

struct LiveFleet {
  std::vector<FleetEntry> fleet;  // an entry for each model, by its first card; in it cards that nobody holds in front
  std::vector<LeftOut> left_out;
};

// Registers the models that are not the catalog's. Error: environment: no card can be planned with.
Result<LiveFleet> live_fleet(const Machine&, const std::string& host);

// The name of this host, as the system has it.
std::string host_name();

}  // namespace carve
