// From counts to cards: which contents share a card, where each partition sits on the grid, which replicas are in it,
// which host it is on. Works on runs of equal things; only the positions are written out one by one. Internal to pack.
#pragma once

#include "pack/search.h"

namespace carve::packing {

// The cards of the plan, ordered by position in the fleet. The solution must be trimmed.
std::vector<CardClass> assemble(const std::vector<FleetEntry>&, const Problem&, const Solution&);

}  // namespace carve::packing
