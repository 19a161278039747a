// card.*: workloads that have a whole card without having asked for one, and boards that were assumed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/asks.h"
#include "check/finding_list.h"
#include "check/rights.h"
#include "check/subject.h"

namespace carve {

namespace {

constexpr std::int64_t saturating = 90;  // percent of a card

// Percent of the card that one replica needs, the larger of memory and compute.
std::int64_t percent_of_card(const Workload& workload, const Seen& seen) {
  std::int64_t percent = 0;
  if (const auto memory = memory_asked(workload); memory && seen.partition.memory.value > 0) {
    percent = 100 * memory->value / seen.partition.memory.value;
  }
  if (const auto share = compute_share(workload, seen.model)) percent = std::max(percent, share->value / 10);
  return percent;
}

// Why nothing smaller holds the workload, or nothing if something does.
std::string why_whole(const Plan& plan, const Workload& workload, const CardModel& model) {
  if (!model.has_mig()) {
    return sharing_mechanism(workload) ? std::string()
                                       : fmt::format("{} has no MIG, so the only wall is the card", model.id);
  }
  if (!model.can_be_cut()) {
    return sharing_mechanism(workload) ? std::string()
                                       : fmt::format("where {} can be cut is not publicly known", model.id);
  }
  std::string reason;
  for (const PartitionKind& kind : partition_kinds(model)) {
    if (kind.wall == Wall::card) continue;
    const Fit verdict = fit(workload, model, kind, plan.limits);
    if (verdict.fits()) return {};
    if (verdict.misfit != Misfit::full_profile) reason = fmt::format("{}: {}", kind.name, verdict.sentence);
  }
  return reason;
}

void find_whole(const Plan& plan, const Seen& seen, FindingList& found) {
  if (seen.partition.wall != Wall::card || seen.partition.mechanism != Mechanism::exclusive) return;
  for (const Share& share : seen.partition.shares) {
    const Workload* workload = find_workload(plan, share.workload);
    if (workload == nullptr || workload->cards > 0 || workload->is_measured()) continue;
    if (const std::int64_t percent = percent_of_card(*workload, seen); percent >= saturating) {
      found.add(
          "card.saturated", workload->name,
          {fmt::format("needs {} % of one {}: sharing has nothing for it, it has the card", percent, seen.model.id),
           ""});
      continue;
    }
    if (workload->isolation == Isolation::card) continue;
    const std::string why = why_whole(plan, *workload, seen.model);
    if (why.empty()) continue;
    found.add("card.whole", workload->name, {fmt::format("has a whole {}: {}", seen.model.id, why), ""});
  }
}

void find_assumed(const Plan& plan, FindingList& found) {
  for (const FleetEntry& entry : plan.fleet) {
    if (entry.also_fit.empty()) continue;
    found.add(
        "card.assumed", entry.card,
        {fmt::format("`{}` was taken as {}; it also fits {}", entry.asked, entry.card, fmt::join(entry.also_fit, ", ")),
         "write the full name if it is another board"});
  }
}

}  // namespace

void find_cards(const Plan& plan, FindingList& found) {
  for (const Seen& seen : partitions_seen(plan)) find_whole(plan, seen, found);
  find_assumed(plan, found);
}

}  // namespace carve
