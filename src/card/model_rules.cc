// Rules from the outside in: the card, each profile, each placement, then how many layouts there may be. Figures of a
// file are anybody's, so each has a cap, far above what cards have.
#include "card/model_rules.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace carve {

namespace {

constexpr int most_slices = 32;
constexpr int most_instances = 64;
constexpr int most_sms = 4096;
constexpr std::size_t most_profiles = 64;
constexpr std::size_t most_places = 64;  // bits of a Layout
constexpr std::size_t longest_name = 96;
constexpr Mib most_memory{std::int64_t{1} << 24};
// The largest card of the catalog has 723 layouts of plain profiles.
constexpr std::int64_t most_layouts = 5'000;

struct Caps {
  int least, most;
};
bool within(int value, Caps caps) { return value >= caps.least && value <= caps.most; }

bool is_profile_name(std::string_view name) {
  constexpr std::string_view letters = "0123456789abcdefghijklmnopqrstuvwxyz.+-_";
  return !name.empty() && name.size() <= longest_name && name.find_first_not_of(letters) == std::string_view::npos;
}

std::string wrong_placements(const CardModel& model, const Profile& profile) {
  for (std::size_t i = 0; i < profile.placements.size(); ++i) {
    const Placement place = profile.placements[i];
    // Sizes first: the sum of two figures of a file must not overflow.
    const bool inside = within(place.size, {1, *profile.memory_slices}) && within(place.start, {0, most_slices}) &&
                        place.start + place.size <= *model.memory_slices;
    if (!inside)
      return fmt::format("{}: {} slices from slice {} on are not within {} of a grid of {}", profile.name, place.size,
                         place.start, *profile.memory_slices, *model.memory_slices);
    if (i > 0 && profile.placements[i - 1].start >= place.start)
      return fmt::format("{}: places must ascend, each start once", profile.name);
  }
  return {};
}

std::string wrong_profile(const CardModel& model, const Profile& profile) {
  if (!is_profile_name(profile.name)) return fmt::format("`{}` is no name of a profile", profile.name);
  const auto wrong = [&](std::string_view what, Caps caps) {
    return fmt::format("{}: {} must be from {} to {}", profile.name, what, caps.least, caps.most);
  };
  if (const Caps caps{1, model.compute_slices}; !within(profile.compute_slices, caps))
    return wrong("compute slices", caps);
  if (const Caps caps{1, *model.memory_slices}; !profile.memory_slices || !within(*profile.memory_slices, caps))
    return wrong("memory slices", caps);
  if (const Caps caps{1, most_instances}; !within(profile.max_instances, caps)) return wrong("most instances", caps);
  if (const Caps caps{1, model.sms.value_or(most_sms)}; !profile.sms || !within(*profile.sms, caps))
    return wrong("SMs", caps);
  if (!profile.memory || *profile.memory <= Mib{} || *profile.memory > *model.total_memory)
    return fmt::format("{}: memory must be from 1 MiB to the card's {} MiB", profile.name, model.total_memory->value);
  if (profile.attribute().empty() && profile.placements.empty())
    return fmt::format("{}: a profile without an attribute needs a place", profile.name);
  return wrong_placements(model, profile);
}

// An upper bound on the layouts of the plain profiles, slice by slice from the right: a slice stays free, or begins one
// of the places. Saturates.
std::int64_t layouts_at_most(const CardModel& model) {
  const auto slices = static_cast<std::size_t>(*model.memory_slices);
  std::vector<std::int64_t> ways(slices + 1, 1);
  for (std::size_t slice = slices; slice-- > 0;) {
    ways[slice] = ways[slice + 1];
    for (const int index : plain_profiles(model))
      for (const Placement place : model.profiles[static_cast<std::size_t>(index)].placements)
        if (place.start == static_cast<int>(slice))
          ways[slice] = std::min(most_layouts + 1, ways[slice] + ways[slice + static_cast<std::size_t>(place.size)]);
  }
  return ways[0];
}

std::string wrong_geometry(const CardModel& model) {
  std::set<std::string_view> names;
  std::size_t places = 0;
  for (const Profile& profile : model.profiles) {
    if (std::string wrong = wrong_profile(model, profile); !wrong.empty()) return wrong;
    if (!names.insert(profile.name).second) return fmt::format("two profiles are called {}", profile.name);
    if (profile.attribute().empty()) places += profile.placements.size();
  }
  if (places == 0) return "none of its profiles is without an attribute";
  if (places > most_places)
    return fmt::format("its profiles have {} places; at most {} are understood", places, most_places);
  if (layouts_at_most(model) > most_layouts)
    return fmt::format("there are more than {} ways to cut it, more than are looked at", most_layouts);
  return {};
}

}  // namespace

std::string wrong_figures(const CardModel& model) {
  if (!model.based_on.empty()) {
    const auto& known = catalog();
    if (std::none_of(known.begin(), known.end(), [&](const CardModel& row) { return row.id == model.based_on; }))
      return fmt::format("`{}`, which it is based on, is no card of the catalog", model.based_on);
  }
  if (model.products.size() != 1 || model.products.front().empty() || model.products.front().size() > longest_name)
    return fmt::format("it needs the name of its product, of at most {} bytes", longest_name);
  if (!model.total_memory || *model.total_memory <= Mib{} || *model.total_memory > most_memory)
    return fmt::format("its memory must be from 1 to {} MiB", most_memory.value);
  if (model.sms && !within(*model.sms, {1, most_sms})) return fmt::format("its SMs must be from 1 to {}", most_sms);
  if (!model.has_mig()) {
    const bool bare = model.profiles.empty() && !model.memory_slices && model.max_instances == 0;
    return bare && model.compute_slices == 0 ? "" : "a card without compute slices has no profiles and no grid";
  }
  if (!within(model.compute_slices, {1, most_slices}) || !within(model.memory_slices.value_or(0), {1, most_slices}))
    return fmt::format("its compute slices and memory slices must be from 1 to {}", most_slices);
  if (!within(model.max_instances, {1, most_instances}))
    return fmt::format("its most instances must be from 1 to {}", most_instances);
  if (model.profiles.size() > most_profiles)
    return fmt::format("it has {} profiles; at most {} are understood", model.profiles.size(), most_profiles);
  return wrong_geometry(model);
}

}  // namespace carve
