// Why something found no place, and the nearest things that can be had. Internal to pack.
#pragma once

#include "pack/search.h"

namespace carve::packing {

// One entry per workload that is not wholly placed, ordered by workload. `cards` are those in use.
std::vector<Unplaced> explain_unplaced(const Problem&, const Solution&, const std::vector<CardClass>& cards);

// The largest profile that still fits on one of these cards, by name; empty if none does.
std::string largest_free_profile(const Problem&, const std::vector<CardClass>& cards);

}  // namespace carve::packing
