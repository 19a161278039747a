// Layouts as bit masks. Everything hangs on one primitive: addable(layout), the places that still fit, is the chosen
// places without those that conflict with a place taken, need more compute slices than are free, or belong to a profile
// whose limit is reached. All layouts are found by deciding each place from the highest to the lowest, "without" before
// "with", which yields them in ascending order. Multisets of profiles are compared as single numbers: a digit per
// profile, its base one more than the largest count of that profile.
#include <algorithm>
#include <bit>
#include <cassert>
#include <functional>
#include <numeric>
#include <tuple>

#include "card/card.h"

namespace carve {

namespace {

// The places of a layout, lowest first: for (Layout rest = layout; rest; rest = without_lowest(rest)) ... lowest(rest).
int lowest(Layout layout) { return std::countr_zero(layout); }
Layout without_lowest(Layout layout) { return layout & (layout - 1); }
Layout bit(int place) { return Layout{1} << place; }

bool overlap(Placement a, Placement b) { return a.start < b.start + b.size && b.start < a.start + a.size; }

// Whether the attributes of two instances exclude each other: one "+me" on a card, and beside "+me.all" only "-me".
bool exclusive(std::string_view a, std::string_view b) {
  if (a == "+me" && b == "+me") return true;
  return (a == "+me.all" && b != "-me") || (b == "+me.all" && a != "-me");
}

std::vector<std::uint64_t> sorted_without_repeats(std::vector<std::uint64_t> keys) {
  std::sort(keys.begin(), keys.end(), std::greater<>());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

bool contains(const ProfileCounts& larger, const ProfileCounts& smaller) {
  return std::equal(larger.begin(), larger.end(), smaller.begin(), [](int a, int b) { return a >= b; });
}

}  // namespace

Geometry::Geometry(const CardModel& model, std::vector<int> profiles) : model_(&model) {
  assert(model.can_be_cut());
  std::sort(profiles.begin(), profiles.end());
  for (const int profile : profiles) chosen_.push_back({.profile = profile});
  find_places();
  find_conflicts();
  find_layouts();
}

void Geometry::find_places() {
  std::uint64_t weight = 1;
  for (Chosen& chosen : chosen_) {
    const Profile& profile = model_->profiles[static_cast<std::size_t>(chosen.profile)];
    chosen.max_count = std::min(profile.max_instances, static_cast<int>(profile.placements.size()));
    chosen.weight = weight;
    weight *= static_cast<std::uint64_t>(chosen.max_count) + 1;
    for (const Placement placement : profile.placements) {
      assert(places_.size() < 64);
      chosen.places |= bit(static_cast<int>(places_.size()));
      places_.push_back({chosen.profile, placement});
      weights_.push_back(chosen.weight);
    }
  }
}

void Geometry::find_conflicts() {
  const auto profile_of = [&](const PlacedProfile& place) -> const Profile& {
    return model_->profiles[static_cast<std::size_t>(place.profile)];
  };
  conflicts_.assign(places_.size(), 0);
  fitting_.assign(static_cast<std::size_t>(model_->compute_slices) + 1, 0);
  for (std::size_t a = 0; a < places_.size(); ++a) {
    const Profile& profile = profile_of(places_[a]);
    for (std::size_t b = 0; b < places_.size(); ++b) {
      const bool excluded = exclusive(profile.attribute(), profile_of(places_[b]).attribute());
      if (overlap(places_[a].placement, places_[b].placement) || excluded) conflicts_[a] |= bit(static_cast<int>(b));
    }
    for (int free = profile.compute_slices; free <= model_->compute_slices; ++free) {
      fitting_[static_cast<std::size_t>(free)] |= bit(static_cast<int>(a));
    }
  }
}

void Geometry::find_layouts() {
  const auto decide = [&](const auto& self, int place, Layout layout) -> void {
    if (place < 0) {
      layouts_.push_back(layout);
      keys_.push_back(key(layout));
      return;
    }
    self(self, place - 1, layout);
    if (can_add(layout, place)) self(self, place - 1, layout | bit(place));
  };
  decide(decide, static_cast<int>(places_.size()) - 1, 0);
}

Layout Geometry::addable(Layout layout) const {
  Layout blocked = 0;
  int used = 0;
  for (Layout rest = layout; rest != 0; rest = without_lowest(rest)) {
    const auto place = static_cast<std::size_t>(lowest(rest));
    blocked |= conflicts_[place];
    used += model_->profiles[static_cast<std::size_t>(places_[place].profile)].compute_slices;
  }
  if (used > model_->compute_slices) return 0;
  for (const Chosen& chosen : chosen_) {
    if (std::popcount(layout & chosen.places) >= chosen.max_count) blocked |= chosen.places;
  }
  return fitting_[static_cast<std::size_t>(model_->compute_slices - used)] & ~blocked;
}

bool Geometry::valid(Layout layout) const {
  if (places_.size() < 64 && layout >> places_.size() != 0) return false;
  Layout built = 0;
  for (Layout rest = layout; rest != 0; rest = without_lowest(rest)) {
    if (!can_add(built, lowest(rest))) return false;
    built |= bit(lowest(rest));
  }
  return true;
}

bool Geometry::can_add(Layout layout, int place) const { return (addable(layout) & bit(place)) != 0; }

bool Geometry::complete(Layout layout) const { return addable(layout) == 0; }

std::uint64_t Geometry::key(Layout layout) const {
  std::uint64_t sum = 0;
  for (Layout rest = layout; rest != 0; rest = without_lowest(rest)) {
    sum += weights_[static_cast<std::size_t>(lowest(rest))];
  }
  return sum;
}

ProfileCounts Geometry::counts_of_key(std::uint64_t key) const {
  ProfileCounts counts(model_->profiles.size(), 0);
  for (const Chosen& chosen : chosen_) {
    const std::uint64_t base = static_cast<std::uint64_t>(chosen.max_count) + 1;
    counts[static_cast<std::size_t>(chosen.profile)] = static_cast<int>(key / chosen.weight % base);
  }
  return counts;
}

ProfileCounts Geometry::counts(Layout layout) const { return counts_of_key(key(layout)); }

std::vector<ProfileCounts> Geometry::multisets() const {
  std::vector<ProfileCounts> all;
  for (const std::uint64_t key : sorted_without_repeats(keys_)) all.push_back(counts_of_key(key));
  return all;
}

std::vector<ProfileCounts> Geometry::complete_multisets() const {
  std::vector<std::uint64_t> keys;
  for (std::size_t i = 0; i < layouts_.size(); ++i) {
    if (complete(layouts_[i])) keys.push_back(keys_[i]);
  }
  std::vector<ProfileCounts> all;
  for (const std::uint64_t key : sorted_without_repeats(std::move(keys))) all.push_back(counts_of_key(key));
  return all;
}

// What is contained in no other is complete wherever it lies, so only the complete ones need a look.
std::vector<ProfileCounts> Geometry::largest_multisets() const {
  const std::vector<ProfileCounts> complete_ones = complete_multisets();
  std::vector<ProfileCounts> largest;
  for (const ProfileCounts& counts : complete_ones) {
    const bool contained = std::any_of(complete_ones.begin(), complete_ones.end(), [&](const ProfileCounts& other) {
      return &other != &counts && contains(other, counts);
    });
    if (!contained) largest.push_back(counts);
  }
  return largest;
}

std::optional<int> Geometry::largest_addable(Layout layout) const {
  const auto size_of = [&](int index) {
    const Profile& profile = model_->profiles[static_cast<std::size_t>(index)];
    return std::pair(profile.memory_slices.value_or(0), profile.compute_slices);
  };
  std::optional<int> best;
  for (Layout rest = addable(layout); rest != 0; rest = without_lowest(rest)) {
    const int profile = places_[static_cast<std::size_t>(lowest(rest))].profile;
    if (!best || size_of(profile) > size_of(*best)) best = profile;
  }
  return best;
}

FurtherRoom Geometry::room(Layout layout) const {
  const std::optional<int> further = largest_addable(layout);
  if (!further) return {};
  const Profile& profile = model_->profiles[static_cast<std::size_t>(*further)];
  return {profile.memory_slices.value_or(0), profile.compute_slices, std::popcount(addable(layout))};
}

std::optional<Layout> Geometry::best_layout(const ProfileCounts& counts) const {
  assert(counts.size() == model_->profiles.size());
  std::uint64_t wanted = 0;
  int in_all = 0;
  for (const Chosen& chosen : chosen_) {
    const int count = counts[static_cast<std::size_t>(chosen.profile)];
    if (count < 0 || count > chosen.max_count) return std::nullopt;
    wanted += static_cast<std::uint64_t>(count) * chosen.weight;
    in_all += count;
  }
  if (in_all != std::accumulate(counts.begin(), counts.end(), 0)) return std::nullopt;  // a profile that is not chosen

  std::optional<Layout> best;
  for (std::size_t i = 0; i < layouts_.size(); ++i) {
    if (keys_[i] == wanted && (!best || room(layouts_[i]) > room(*best))) best = layouts_[i];
  }
  return best;
}

std::vector<int> plain_profiles(const CardModel& model) {
  std::vector<int> plain;
  for (std::size_t i = 0; i < model.profiles.size(); ++i) {
    if (model.profiles[i].attribute().empty()) plain.push_back(static_cast<int>(i));
  }
  return plain;
}

}  // namespace carve
