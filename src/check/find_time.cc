// objective.* and stall.*: what sharing does to time.
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/asks.h"
#include "check/finding_list.h"
#include "check/rights.h"
#include "check/subject.h"

namespace carve {

namespace {

constexpr std::array<std::string_view, 3> percentiles{"p50", "p95", "p99"};  // in the order of ObjectiveKind

std::int64_t replicas_in(const Partition& partition) {
  std::int64_t sum = 0;
  for (const Share& share : partition.shares) sum += share.count;
  return sum;
}

void find_unprotected(const Plan& plan, const Seen& seen, FindingList& found) {
  if (seen.partition.mechanism == Mechanism::exclusive) return;
  for (const Share& share : seen.partition.shares) {
    const Workload* workload = find_workload(plan, share.workload);
    if (workload == nullptr || !workload->objective.is_latency()) continue;
    const std::string_view percentile = percentiles[static_cast<std::size_t>(workload->objective.kind)];
    found.add("objective.unprotected", subject_of(seen.cards, seen.partition),
              {fmt::format("{} {} of {} stands beside {} under {}: they share cache, bandwidth and SMs, and the {} is "
                           "not protected",
                           percentile, to_string(workload->objective.target), workload->name,
                           counted(replicas_in(seen.partition) - 1, "neighbour"), to_string(seen.partition.mechanism),
                           percentile),
               fmt::format("without `isolation: cooperative` every replica of {} gets a partition of its own",
                           workload->name)},
              seen.cards.count());
  }
}

void find_stalls(const Plan& plan, const Seen& seen, FindingList& found) {
  if (seen.partition.mechanism != Mechanism::time_slicing) return;
  Permille duty;
  std::vector<std::string> refused;
  std::vector<std::string> names;
  for (const Share& share : seen.partition.shares) {
    const Workload* workload = find_workload(plan, share.workload);
    if (workload == nullptr) continue;
    duty += duty_asked(*workload) * share.count;
    names.push_back(workload->name);
    if (!workload->interruptible) refused.push_back(workload->name);
  }
  const std::string subject = subject_of(seen.cards, seen.partition);
  if (!refused.empty()) {
    found.add("stall.refused", subject,
              {fmt::format("{} did not accept stalls and is time-sliced", fmt::join(refused, ", ")),
               "write `interruptible: true` if a stall is fine, or plan again"},
              seen.cards.count());
    return;
  }
  found.add("stall.accepted", subject,
            {fmt::format("{} of {} take turns; their duties sum to {} of at most {}",
                         counted(replicas_in(seen.partition), "replica"), fmt::join(names, ", "), to_string(duty),
                         to_string(plan.limits.duty)),
             ""},
            seen.cards.count());
}

void find_duty_unknown(const Plan& plan, FindingList& found) {
  for (const Workload& workload : plan.workloads) {
    if (workload.duty || sharing_mechanism(workload) != Mechanism::time_slicing) continue;
    found.add("stall.duty-unknown", workload.name,
              {fmt::format("{} accepts stalls and does not say how busy it is: it counts as always busy, and gets no "
                           "neighbours",
                           workload.name),
               "add `duty`, the share of the time in which it uses the card at all"});
  }
}

}  // namespace

void find_time(const Plan& plan, FindingList& found) {
  for (const Seen& seen : partitions_seen(plan)) {
    find_unprotected(plan, seen, found);
    find_stalls(plan, seen, found);
  }
  find_duty_unknown(plan, found);
}

}  // namespace carve
