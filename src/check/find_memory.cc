// memory.*: what does not fit comfortably, and what is left over.
#include <algorithm>

#include <fmt/format.h>

#include "check/finding_list.h"
#include "check/subject.h"

namespace carve {

namespace {

constexpr std::int64_t full_percent = 97;
constexpr Mib much{10 * 1024};          // stranded, wherever it is
constexpr Mib worth_halving{8 * 1024};  // in a partition larger than this, more than half of it

Mib used_in(const Partition& partition) {
  Mib used;
  for (const Share& share : partition.shares) used += share.memory * share.count;
  return used;
}

// Replicas that asked for whole cards have them as they are, and a measured row without memory says nothing.
bool memory_is_known(const Plan& plan, const Partition& partition) {
  return std::all_of(partition.shares.begin(), partition.shares.end(), [&](const Share& share) {
    const Workload* workload = find_workload(plan, share.workload);
    return workload != nullptr && workload->cards == 0 &&
           !(workload->is_measured() && share.memory == partition.memory);
  });
}

// "reranker", "tower-train and 2 more".
std::string who_is_in(const Partition& partition) {
  const std::string& first = partition.shares.front().workload;
  if (partition.shares.size() == 1) return first;
  return fmt::format("{} and {} more", first, partition.shares.size() - 1);
}

void find_no_margin(const Seen& seen, FindingList& found) {
  const Mib used = used_in(seen.partition);
  if (used.value * 100 <= seen.partition.memory.value * full_percent) return;
  found.add("memory.no-margin", subject_of(seen.cards, seen.partition),
            {fmt::format("{} of {} are used by {}: {} are left for what grows", to_string(used),
                         to_string(seen.partition.memory), who_is_in(seen.partition),
                         to_string(seen.partition.memory - used)),
             "check that `memory` is the peak, or ask for a little more to get the next larger partition"},
            seen.cards.count());
}

// What would strand less: a smaller profile that holds the replica, or why those that have the memory do not.
std::string smaller_profile(const Plan& plan, const Seen& seen) {
  const Workload& workload = *find_workload(plan, seen.partition.shares.front().workload);
  if (const Decision decision = decide(workload, seen.model); decision.choice == Choice::card)
    return fmt::format("none is smaller: {}", decision.because.back());
  std::string near_miss;  // the last, as profiles come by size: the least that is missing
  for (const PartitionKind& kind : partition_kinds(seen.model)) {
    if (kind.memory >= seen.partition.memory || kind.wall == Wall::card) continue;
    const Fit verdict = fit(workload, seen.model, kind, plan.limits);
    if (verdict.fits())
      return fmt::format("{} holds it too: this partition was there and nobody else needed it", kind.name);
    if (verdict.misfit == Misfit::full_profile) continue;
    if (verdict.misfit != Misfit::memory) near_miss = kind.name + ": " + verdict.sentence;
  }
  if (!near_miss.empty()) return near_miss;
  if (!seen.model.can_be_cut()) return fmt::format("{} cannot be cut; a smaller card would strand less", seen.model.id);
  return fmt::format("{} has no smaller partition that holds {}; one that is shared by several would strand less",
                     seen.model.id, to_string(used_in(seen.partition)));
}

std::string remedy_for_stranded(const Plan& plan, const Seen& seen) {
  if (seen.partition.mechanism == Mechanism::exclusive) return smaller_profile(plan, seen);
  return fmt::format("a further workload of tenant {} that shares by {} may use it",
                     seen.partition.shares.front().tenant, to_string(seen.partition.mechanism));
}

void find_stranded(const Plan& plan, const Seen& seen, FindingList& found) {
  const Mib left = stranded(seen.partition);
  const Mib all = seen.partition.memory;
  const bool half = all > worth_halving && left.value * 2 > all.value;
  if (left < much && !half) return;
  found.add("memory.stranded", subject_of(seen.cards, seen.partition),
            {fmt::format("{} of {} are used by {} and {} by nobody", to_string(all - left), to_string(all),
                         who_is_in(seen.partition), to_string(left)),
             remedy_for_stranded(plan, seen)},
            seen.cards.count());
}

// Time slicing holds nobody below what he asked for; MPS does, and a partition alone needs no limit.
void find_unlimited(const Seen& seen, FindingList& found) {
  if (seen.partition.mechanism != Mechanism::time_slicing) return;
  found.add("memory.unlimited", subject_of(seen.cards, seen.partition),
            {fmt::format("the replicas of {} take turns in {}, and nothing limits the memory of each: when it is full, "
                         "whoever asks for more fails, even below his `memory`",
                         who_is_in(seen.partition), to_string(seen.partition.memory)),
             "`isolation: hard` on a workload gives each of its replicas a partition of its own"},
            seen.cards.count());
}

void find_measured_unknown(const Plan& plan, FindingList& found) {
  for (const Workload& workload : plan.workloads) {
    const auto without = std::count_if(workload.measured.begin(), workload.measured.end(),
                                       [](const MeasuredRow& row) { return !row.memory; });
    if (without == 0) continue;
    found.add("memory.measured-unknown", workload.name,
              {fmt::format("{} of {} of its table name no memory: they fitted when they were measured, how tightly is "
                           "unknown",
                           without, counted(static_cast<std::int64_t>(workload.measured.size()), "row")),
               "add a column memory_mib to the table"});
  }
}

}  // namespace

void find_memory(const Plan& plan, FindingList& found) {
  for (const Seen& seen : partitions_seen(plan)) {
    if (seen.partition.shares.empty() || !memory_is_known(plan, seen.partition)) continue;
    find_no_margin(seen, found);
    find_stranded(plan, seen, found);
    find_unlimited(seen, found);
  }
  find_measured_unknown(plan, found);
}

}  // namespace carve
