// The bound that prices prove, for what a plan places.
#pragma once

#include <vector>

#include "check/dearest.h"

namespace carve {

// At least so much do cards cost that carry these demands.
std::int64_t cost_bound(const std::vector<FleetEntry>&, const std::vector<Demand>&, const Limits&);

// At least so many cards does a plan use that costs at least this much: the dearest first.
std::int64_t card_bound(const std::vector<FleetEntry>&, std::int64_t cost);

// What the plan places of each workload, with the prices of its proof.
std::vector<Demand> placed_demands(const Plan&);

}  // namespace carve
