// The dearest contents that one card can hold when every replica, or every unit of rate, has a price.
#pragma once

#include <vector>

#include "check/knapsack.h"
#include "check/piece.h"
#include "plan/plan.h"

namespace carve {

// A workload with what is asked of it: replicas, or thousandths per second of a rate.
struct Demand {
  const Workload* workload = nullptr;
  std::int64_t amount = 0;
  std::int64_t price = 0;  // per replica, or per 1/s; in cost / proof_scale; 0 .. highest_price

  bool by_rate() const { return workload->is_measured() && workload->rate.has_value(); }
};
inline constexpr std::int64_t highest_price = 1'000'000'000'000'000;

// In cost / proof_scale; rounded up wherever a fraction remains, so never too little.
Worth dearest_contents(const CardModel&, const std::vector<Demand>&, const Limits&);

// Price times amount, rounded down.
Worth worth(const Demand&);

}  // namespace carve
