// Weak duality. Give each replica, or unit of rate, any price of zero or more. No card of a model holds contents that
// are worth more than V, the dearest contents; what V is above the card's cost is the excess. All that is placed is
// worth the sum of price times demand, and it lies on cards, so
//
//     cost of the cards  >=  sum(price * demand) - sum over the cards of the fleet of max(0, V - cost).
//
// The prices may also be scaled down together, for the bound holds for every price: an excess, however small, would
// count once for each card of the fleet. The bound is concave in the scale and bends where a model's excess begins, so
// these scales are tried. Whole numbers throughout; where a product would overflow, that scale is left out.
#include "check/bound.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace carve {

namespace {

// The cards of one entry against the dearest contents of one of them.
struct Priced {
  Worth cost;     // of one card, in cost / proof_scale
  Worth dearest;  // contents of one card
  std::int64_t count;
};

// Prices times `up` / `down`.
struct Scale {
  Worth up;
  Worth down;
};

bool multiply(Worth a, Worth b, Worth& product) { return !__builtin_mul_overflow(a, b, &product); }

// The bound with scaled prices, in units of the fleet's costs, rounded up; 0 if it cannot be computed.
Worth bound_at(const Scale& scale, Worth worth_of_all, const std::vector<Priced>& cards) {
  Worth bound = 0;
  if (!multiply(worth_of_all, scale.up, bound)) return 0;
  for (const Priced& card : cards) {
    Worth value = 0;
    Worth cost = 0;
    Worth excess = 0;
    if (!multiply(card.dearest, scale.up, value) || !multiply(card.cost, scale.down, cost)) return 0;
    if (value <= cost) continue;
    if (!multiply(value - cost, card.count, excess) || __builtin_sub_overflow(bound, excess, &bound)) return 0;
  }
  Worth unit = 0;
  if (bound <= 0 || !multiply(scale.down, proof_scale, unit)) return 0;
  return (bound + unit - 1) / unit;
}

std::vector<Priced> price_fleet(const std::vector<FleetEntry>& fleet, const std::vector<Demand>& demands,
                                const Limits& limits) {
  std::map<std::string_view, Worth> dearest;
  std::vector<Priced> cards;
  for (const FleetEntry& entry : fleet) {
    const CardModel* model = model_of(entry.card);
    if (model == nullptr) continue;  // holds nothing: verify() refuses a plan that uses it
    const auto [found, is_new] = dearest.try_emplace(entry.card, 0);
    if (is_new) found->second = dearest_contents(*model, demands, limits);
    cards.push_back({Worth{entry.cost} * proof_scale, found->second, entry.count});
  }
  return cards;
}

std::int64_t common_cost(const std::vector<FleetEntry>& fleet) {
  std::int64_t common = 0;
  for (const FleetEntry& entry : fleet) common = std::gcd(common, entry.cost);
  return std::max<std::int64_t>(common, 1);
}

std::int64_t price_of(const Proof& proof, std::string_view workload) {
  for (const Price& price : proof.prices) {
    if (price.workload == workload) return std::clamp<std::int64_t>(price.price, 0, highest_price);
  }
  return 0;
}

Demand demand_of(const Workload& workload, const Proof& proof) {
  Demand demand{&workload, 0, price_of(proof, workload.name)};
  demand.amount = demand.by_rate() ? workload.rate->value : workload.replicas;
  return demand;
}

}  // namespace

std::int64_t cost_bound(const std::vector<FleetEntry>& fleet, const std::vector<Demand>& demands,
                        const Limits& limits) {
  const std::vector<Priced> cards = price_fleet(fleet, demands, limits);
  Worth worth_of_all = 0;
  for (const Demand& demand : demands) worth_of_all += worth(demand);
  Worth best = bound_at({1, 1}, worth_of_all, cards);
  for (const Priced& card : cards) {
    if (card.dearest > card.cost) best = std::max(best, bound_at({card.cost, card.dearest}, worth_of_all, cards));
  }
  const Worth common = common_cost(fleet);
  return static_cast<std::int64_t>((best + common - 1) / common * common);
}

std::int64_t card_bound(const std::vector<FleetEntry>& fleet, std::int64_t cost) {
  std::map<std::int64_t, std::int64_t, std::greater<>> count_by_cost;
  for (const FleetEntry& entry : fleet) count_by_cost[entry.cost] += entry.count;
  std::int64_t cards = 0;
  for (const auto& [of_one, count] : count_by_cost) {
    if (cost <= 0) break;
    const std::int64_t needed = of_one > 0 ? std::min(count, ceil_div(cost, of_one)) : count;
    cards += needed;
    cost -= needed * of_one;
  }
  return cards;
}

std::vector<Demand> placed_demands(const Plan& plan) {
  std::vector<Demand> demands;
  for (const Workload& workload : plan.workloads) {
    Demand demand = demand_of(workload, plan.proof);
    for (const Unplaced& unplaced : plan.unplaced) {
      if (unplaced.workload != workload.name) continue;
      demand.amount -= demand.by_rate() ? unplaced.rate.value_or(MilliPerSecond{}).value : unplaced.count;
    }
    demand.amount = std::max<std::int64_t>(demand.amount, 0);
    demands.push_back(demand);
  }
  return demands;
}

std::int64_t cost_bound(const std::vector<FleetEntry>& fleet, const std::vector<Workload>& workloads,
                        const Limits& limits, const Proof& proof) {
  std::vector<Demand> demands;
  for (const Workload& workload : workloads) demands.push_back(demand_of(workload, proof));
  return cost_bound(fleet, demands, limits);
}

}  // namespace carve
