// The figures on top of the plan, recounted from the cards.
#include <fmt/format.h>

#include "check/verifier.h"

namespace carve {

namespace {

std::int64_t cards_used(const Plan& plan) {
  std::int64_t sum = 0;
  for (const CardClass& cards : plan.cards) sum += cards.count();
  return sum;
}

std::int64_t stranded_memory(const Plan& plan) {
  std::int64_t sum = 0;
  for (const CardClass& cards : plan.cards) {
    for (const Partition& partition : cards.partitions) {
      std::int64_t used = 0;
      for (const Share& share : partition.shares) used += share.memory.value * share.count;
      if (!partition.shares.empty() && used < partition.memory.value) {
        sum += (partition.memory.value - used) * cards.count();
      }
    }
  }
  return sum;
}

// Workloads with a rate have partitions and no replicas.
std::int64_t replicas_placed(const Plan& plan) {
  std::int64_t sum = 0;
  for (const auto& [name, count] : placed_replicas(plan)) {
    const Workload* workload = find_workload(plan, name);
    if (workload != nullptr && workload->replicas > 0) sum += count;
  }
  return sum;
}

std::int64_t replicas_asked(const Plan& plan) {
  std::int64_t sum = 0;
  for (const Workload& workload : plan.workloads) sum += workload.replicas;
  return sum;
}

struct Figure {
  std::string_view name;
  std::int64_t stated;
  std::int64_t counted;
};

}  // namespace

void verify_summary(const Plan& plan, const Verification& recounted, Violations& found) {
  const Summary& summary = plan.summary;
  const Figure figures[] = {
      {"cards_used", summary.cards_used, cards_used(plan)},
      {"cost", summary.cost, recounted.cost},
      {"replicas", summary.replicas, replicas_asked(plan)},
      {"placed", summary.placed, replicas_placed(plan)},
      {"stranded_memory_mib", summary.stranded_memory.value, stranded_memory(plan)},
  };
  for (const auto& [name, stated, count] : figures) {
    if (stated != count) found.add("summary", fmt::format("{} is {} and {} by recount", name, stated, count));
  }
  // A complete search may know more than the prices prove, but nothing can be known above the plan itself.
  const bool searched = plan.proof.search_complete;
  if (summary.cost_lower_bound > (searched ? summary.cost : recounted.cost_lower_bound)) {
    found.add("summary", fmt::format("cost_lower_bound is {} and the prices prove {}", summary.cost_lower_bound,
                                     recounted.cost_lower_bound));
  }
  if (summary.lower_bound > (searched ? summary.cards_used : recounted.lower_bound)) {
    found.add("summary",
              fmt::format("lower_bound is {} and the prices prove {}", summary.lower_bound, recounted.lower_bound));
  }
  if (summary.optimal && !searched && recounted.cost_lower_bound != recounted.cost) {
    found.add("summary", "calls itself optimal, and neither the prices nor a complete search say so");
  }
}

}  // namespace carve
