// A card has at most some hundred layouts (723 on 8 memory and 7 compute slices), so all that have the wanted profiles
// are looked at, and the best is exact.
#include "change/choose.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "change/limits.h"
#include "change/nearest.h"

namespace carve {

namespace {

int index_of(const LiveCard& card, std::string_view profile) {
  for (std::size_t i = 0; i < card.profiles->size(); ++i)
    if ((*card.profiles)[i].name == profile) return static_cast<int>(i);
  return -1;
}

std::optional<int> place_of(const Geometry& geometry, int profile, Placement placement) {
  const auto& places = geometry.places();
  const auto at = std::find(places.begin(), places.end(), PlacedProfile{profile, placement});
  return at == places.end() ? std::nullopt : std::optional(static_cast<int>(at - places.begin()));
}

class Chooser {
 public:
  Chooser(const Geometry& geometry, const std::vector<Standing>& standing, Layout wishes)
      : geometry_(geometry), wishes_(wishes) {
    for (const Standing& one : standing)
      if (const std::optional<int> place = place_of(geometry, one.profile, one.placement)) there_.emplace(*place, &one);
  }

  // Smaller is better.
  struct Cost {
    int occupied = 0, foreign = 0, lost = 0, wishes_missed = 0;
    FurtherRoom room;
    bool operator<(const Cost& other) const {
      const auto told = [](const Cost& cost) {
        return std::tuple(cost.occupied, cost.foreign, cost.lost, cost.wishes_missed);
      };
      return told(*this) != told(other) ? told(*this) < told(other) : room > other.room;
    }
  };
  Cost cost(Layout layout) const {
    Cost sum;
    for (const auto& [place, standing] : there_) {
      if ((layout >> place & 1) != 0) continue;
      ++sum.lost;
      sum.occupied += standing->occupants;
      sum.foreign += standing->foreign ? 1 : 0;
    }
    sum.wishes_missed = std::popcount(wishes_ & ~layout);
    sum.room = geometry_.room(layout);
    return sum;
  }

 private:
  const Geometry& geometry_;
  Layout wishes_;
  std::map<int, const Standing*> there_;
};

Result<std::vector<WantedInstance>> choose(const LiveCard& card, const std::vector<WantedInstance>& wanted,
                                           const std::vector<Standing>& standing) {
  if (wanted.empty()) return std::vector<WantedInstance>();
  TRY_VOID(check_limits(card, wanted));
  const CardModel model = driver_model(card);
  if (!model.can_be_cut())
    return fail(Error{Fault::environment,
                      fmt::format("where profiles may stand on card {} is not told", card.index),
                      {},
                      "'carve status' shows what the driver says",
                      {}});
  ProfileCounts counts(model.profiles.size(), 0);
  for (const WantedInstance& one : wanted) ++counts[static_cast<std::size_t>(index_of(card, one.profile))];
  const Geometry geometry(model, profiles_to_look_at(model, wanted));
  Layout wishes = 0;
  for (const WantedInstance& one : wanted)
    if (one.placement)
      if (const auto place = place_of(geometry, index_of(card, one.profile), *one.placement))
        wishes |= Layout{1} << *place;
  const Chooser chooser(geometry, standing, wishes);
  std::optional<std::pair<Chooser::Cost, Layout>> best;
  for (const Layout layout : geometry.layouts()) {
    if (geometry.counts(layout) != counts) continue;
    const Chooser::Cost cost = chooser.cost(layout);
    if (!best || cost < best->first) best = {cost, layout};
  }
  if (!best) return fail(no_layout(card, wanted));
  std::vector<WantedInstance> chosen;
  for (std::size_t i = 0; i < geometry.places().size(); ++i)
    if ((best->second >> i & 1) != 0)
      chosen.push_back({model.profiles[static_cast<std::size_t>(geometry.places()[i].profile)].name,
                        geometry.places()[i].placement});
  std::sort(chosen.begin(), chosen.end(),
            [](const auto& a, const auto& b) { return a.placement->start < b.placement->start; });
  return chosen;
}

}  // namespace

CardModel driver_model(const LiveCard& card) {
  CardModel model;
  int slices = 0;
  for (const LiveProfile& live : *card.profiles) {
    Profile& profile = model.profiles.emplace_back();
    profile.name = live.name;
    profile.compute_slices = live.compute_slices;
    profile.max_instances = live.max_instances;
    profile.memory = live.memory;
    profile.placements = live.placements.value_or(std::vector<Placement>());
    profile.placement_evidence = Evidence::observed;
    if (!profile.placements.empty()) profile.memory_slices = profile.placements.front().size;
    for (const Placement& place : profile.placements) slices = std::max(slices, place.start + place.size);
    model.compute_slices = std::max(model.compute_slices, live.compute_slices);
    model.max_instances = std::max(model.max_instances, live.max_instances);
  }
  model.memory_slices = slices;
  return model;
}

std::vector<int> profiles_to_look_at(const CardModel& model, const std::vector<WantedInstance>& wanted) {
  std::vector<int> chosen = plain_profiles(model);
  for (std::size_t i = 0; i < model.profiles.size(); ++i) {
    const Profile& profile = model.profiles[i];
    const bool is_wanted =
        std::any_of(wanted.begin(), wanted.end(), [&](const auto& one) { return one.profile == profile.name; });
    if (is_wanted && !profile.attribute().empty()) chosen.push_back(static_cast<int>(i));
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Result<std::vector<WantedInstance>> choose_places(const LiveCard& card, const std::vector<WantedInstance>& wanted,
                                                  const std::vector<Standing>& standing) {
  Result<std::vector<WantedInstance>> chosen = choose(card, wanted, standing);
  if (chosen ||
      std::any_of(wanted.begin(), wanted.end(), [&](const auto& one) { return index_of(card, one.profile) < 0; }))
    return chosen;
  const std::vector<std::string> near = nearest_layouts(card, wanted);
  if (near.empty()) return chosen;
  Error error = std::move(chosen).error();
  error.help += fmt::format("{}it can be cut into {}", error.help.empty() ? "" : "; ", fmt::join(near, ", or "));
  return fail(std::move(error));
}

}  // namespace carve
