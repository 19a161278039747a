// The bound and its proof. Internal to pack; the argument is in docs/packing.md.
#pragma once

#include "pack/search.h"

namespace carve::packing {

// The prices as whole numbers, rounded down so that they prove no more than they can.
std::vector<Price> integer_prices(const Problem&, const std::vector<double>& prices);

// The cost that these prices prove for what the solution places, rounded up to the fleet's cost step.
std::int64_t proven_cost(const Problem&, const Solution&, const std::vector<Price>&);

}  // namespace carve::packing
