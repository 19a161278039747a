// unknown.*: figures that the catalog or the file does not have, and what was taken in their place.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "check/asks.h"
#include "check/finding_list.h"
#include "check/subject.h"

namespace carve {

namespace {

// The models of the fleet, each once, in the order of the fleet.
std::vector<const CardModel*> models_of(const Plan& plan) {
  std::vector<const CardModel*> result;
  for (const FleetEntry& entry : plan.fleet) {
    const CardModel* model = model_of(entry.card);
    if (model != nullptr && std::find(result.begin(), result.end(), model) == result.end()) result.push_back(model);
  }
  return result;
}

void find_memory_derived(const Plan& plan, FindingList& found) {
  std::set<std::pair<std::string_view, std::string_view>> said;
  for (const Seen& seen : partitions_seen(plan)) {
    if (!seen.piece.memory_derived || !said.emplace(seen.model.id, seen.partition.profile).second) continue;
    const std::string what = seen.piece.whole_card() ? "the whole card" : seen.partition.profile;
    found.add("unknown.memory", seen.model.id,
              {fmt::format("nobody published what {} of {} holds: counted as {}, on the safe side", what, seen.model.id,
                           to_string(seen.partition.memory)),
               "a live card tells"});
  }
}

void find_sms(const Plan& plan, const CardModel& model, FindingList& found) {
  const auto needs_share = std::find_if(plan.workloads.begin(), plan.workloads.end(), [&](const Workload& workload) {
    return compute_share(workload, model).has_value();
  });
  if (needs_share == plan.workloads.end() || !model.can_be_cut()) return;
  const std::vector<const Profile*> profiles = cuttable_profiles(model);
  const auto unknown = std::count_if(profiles.begin(), profiles.end(), [](const Profile* p) { return !p->sms; });
  if (model.sms && unknown == 0) return;
  if (model.live) {
    found.add(
        "unknown.sms", model.id,
        {fmt::format("neither the driver nor the catalog tells how many SMs {} has: {} cannot be promised its share "
                     "of compute in a partition of it",
                     model.id, needs_share->name),
         "write `compute: {slices: N}`"});
    return;
  }
  const std::string what = model.sms ? fmt::format("the SMs of {} of its {} profiles", unknown, profiles.size())
                                     : std::string("how many SMs it has");
  found.add("unknown.sms", model.id,
            {fmt::format("nobody published {}: {} cannot be promised its share of compute in a partition of {}", what,
                         needs_share->name, model.id),
             "write `compute: {slices: N}`, or plan on the live card"});
}

void find_placements(const Plan& plan, const CardModel& model, FindingList& found) {
  if (!model.has_mig()) return;
  if (!model.can_be_cut()) {
    found.add("unknown.placements", model.id,
              {fmt::format("nobody published where {} can be cut: it is planned as a whole card only", model.id),
               "plan on the live card: its driver tells"});
    return;
  }
  for (const CardClass& cards : plan.cards) {
    if (cards.model != model.id) continue;
    for (const Partition& partition : cards.partitions) {
      const Profile* profile = partition.profile.empty() ? nullptr : model.find_profile(partition.profile);
      if (profile == nullptr || profile->placement_evidence != Evidence::inferred) continue;
      found.add("unknown.placements-inferred", model.id,
                {fmt::format("placements of {} are those of its relatives, which have the same grid; nobody published "
                             "them for this board",
                             model.id),
                 "compare with `nvidia-smi mig -lgipp` on the card"});
      return;
    }
  }
}

void find_compute(const Plan& plan, FindingList& found) {
  for (const Workload& workload : plan.workloads) {
    if (workload.is_measured() || workload.cards > 0) continue;
    if (!std::holds_alternative<NoComputeNeed>(workload.compute)) continue;
    found.add("unknown.compute", workload.name,
              {fmt::format("{} names no `compute`: it is taken to be content with what its memory brings along",
                           workload.name),
               "add `compute`, its share of a card's SMs"});
  }
}

void find_nodes(const Plan& plan, FindingList& found) {
  for (const Workload& workload : plan.workloads) {
    if (workload.cards < 2) continue;
    for (const FleetEntry& entry : plan.fleet) {
      if (entry.nodes != 1 || entry.count <= workload.cards) continue;
      found.add("unknown.nodes", workload.name,
                {fmt::format("needs {} cards of one host, and all {} {} are taken to share one", workload.cards,
                             entry.count, entry.card),
                 "write `nodes:` in the fleet if they do not"});
    }
  }
}

}  // namespace

void find_unknown(const Plan& plan, FindingList& found) {
  find_memory_derived(plan, found);
  for (const CardModel* model : models_of(plan)) {
    find_sms(plan, *model, found);
    find_placements(plan, *model, found);
  }
  find_compute(plan, found);
  find_nodes(plan, found);
}

}  // namespace carve
