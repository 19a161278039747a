// The independent checker: every rule over every class of cards, then the bound, then the figures on top.
#include <fmt/format.h>

#include "check/bound.h"
#include "check/subject.h"
#include "check/verifier.h"

namespace carve {

namespace {

void verify_cards(const Plan& plan, Violations& found) {
  for (const CardClass& cards : plan.cards) {
    const CardModel* model = model_of(cards.model);
    if (model == nullptr) {
      found.add(subject_of(cards), fmt::format("`{}` is no card of the catalog", cards.model));
      continue;
    }
    verify_layout(cards, *model, found);
    for (const Partition& partition : cards.partitions) verify_partition(plan, cards, *model, partition, found);
  }
}

void verify_prices(const Plan& plan, Violations& found) {
  std::string_view last;
  for (const Price& price : plan.proof.prices) {
    if (find_workload(plan, price.workload) == nullptr)
      found.add("proof", fmt::format("prices `{}`, which is no workload", price.workload));
    if (price.price < 0) found.add("proof", fmt::format("the price of {} is negative", price.workload));
    if (price.workload == last) found.add("proof", fmt::format("prices {} twice", price.workload));
    last = price.workload;
  }
}

}  // namespace

Verification verify(const Plan& plan) {
  Violations found;
  Verification result;
  result.cost = verify_fleet(plan, found);
  verify_cards(plan, found);
  verify_replicas(plan, found);
  verify_prices(plan, found);
  result.cost_lower_bound = cost_bound(plan.fleet, placed_demands(plan), plan.limits);
  result.lower_bound = card_bound(plan.fleet, result.cost_lower_bound);
  verify_summary(plan, result, found);
  result.violations = found.take();
  return result;
}

}  // namespace carve
