// card.*: workloads that have a whole card without having asked for one, boards that were assumed, live cards that are
// held or left out.
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

// Live cards of the plan that somebody held when it was made.
void find_occupied(const Plan& plan, FindingList& found) {
  for (const CardClass& cards : plan.cards) {
    for (const Position& position : cards.positions) {
      const FleetCard* card = live_card(plan.fleet, position);
      if (card == nullptr) continue;
      if (!card->held_by) {
        found.add("unknown.occupants", subject_of(position),
                  {"the driver does not tell who holds this card", "look with `carve status` before it is cut"});
      } else if (!card->held_by->empty()) {
        found.add("card.occupied", subject_of(position),
                  {fmt::format("was held when this was planned: {}", fmt::join(*card->held_by, ", ")),
                   "the card can be cut when they have ended; `carve status` shows who holds it now"});
      }
    }
  }
}

void find_left_out(const Plan& plan, FindingList& found) {
  for (const LeftOut& card : plan.left_out)
    found.add("card.left-out", subject_of(card.position), {card.reason, "`carve status` shows the card"});
}

}  // namespace

void find_cards(const Plan& plan, FindingList& found) {
  for (const Seen& seen : partitions_seen(plan)) find_whole(plan, seen, found);
  find_assumed(plan, found);
  find_occupied(plan, found);
  find_left_out(plan, found);
}

}  // namespace carve
