// What a plan for live cards holds beside the rest, and how the file has it: models that the catalog does not have, the
// cards themselves with their UUIDs, and those that were left out. Inside this room only.
#pragma once

#include <vector>

#include <boost/json.hpp>

#include "plan/plan.h"

namespace carve::plan_file {

// The registered models of the fleet, by id; empty if it has none.
boost::json::array models_json(const std::vector<FleetEntry>&);
boost::json::array live_json(const FleetEntry&);
boost::json::array left_out_json(const std::vector<LeftOut>&);

// Registers the models of the file, each when all of it is right.
void read_models(const Record& root, Errors&);
void read_live(const Record& entry_record, FleetEntry& entry, Errors&);
// All of a fleet is live or nothing of it; no card and no UUID stands in it twice.
void check_live(const Record& root, const std::vector<FleetEntry>&, Errors&);
std::vector<LeftOut> read_left_out(const Record& root);

}  // namespace carve::plan_file
