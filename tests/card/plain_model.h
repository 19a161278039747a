// A second opinion on layouts, as plain as it can be: a layout is a set of instances, each a profile and the memory
// units that it takes, written into an array of units. Shares no code with Geometry; slow.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "card/card.h"

namespace carve::plain {

struct Instance {
  std::string profile;
  int start = 0;
  auto operator<=>(const Instance&) const = default;
};
using Instances = std::set<Instance>;
using Multiset = std::map<std::string, int>;

inline bool allowed(const CardModel& model, const Instances& instances) {
  std::vector<int> units(static_cast<std::size_t>(*model.memory_slices), 0);
  Multiset of_profile;
  int compute = 0, media = 0, all_media = 0, without_media = 0;
  for (const Instance& instance : instances) {
    const Profile& profile = *model.find_profile(instance.profile);
    for (int unit = 0; unit < *profile.memory_slices; ++unit) {
      if (++units[static_cast<std::size_t>(instance.start + unit)] > 1) return false;
    }
    compute += profile.compute_slices;
    if (++of_profile[profile.name] > profile.max_instances) return false;
    const auto ends = [&](const char* end) { return profile.name.ends_with(end); };
    if (ends("+me")) ++media;
    if (ends("+me.all")) ++all_media;
    if (ends("-me")) ++without_media;
  }
  const int others = static_cast<int>(instances.size()) - 1;
  return compute <= model.compute_slices && media <= 1 && all_media <= 1 && (all_media == 0 || without_media == others);
}

inline std::vector<Instance> all_instances(const CardModel& model, const std::vector<int>& profiles) {
  std::vector<Instance> all;
  for (const int index : profiles) {
    const Profile& profile = model.profiles[static_cast<std::size_t>(index)];
    for (const Placement& placement : profile.placements) all.push_back({profile.name, placement.start});
  }
  return all;
}

// Every allowed set of instances.
inline std::set<Instances> all_layouts(const CardModel& model, const std::vector<int>& profiles) {
  std::set<Instances> found{{}};
  std::vector<Instances> growing{{}};
  const std::vector<Instance> instances = all_instances(model, profiles);
  while (!growing.empty()) {
    const Instances layout = growing.back();
    growing.pop_back();
    for (const Instance& instance : instances) {
      Instances larger = layout;
      if (!larger.insert(instance).second || !allowed(model, larger)) continue;
      if (found.insert(larger).second) growing.push_back(larger);
    }
  }
  return found;
}

inline Multiset multiset_of(const Instances& layout) {
  Multiset counts;
  for (const Instance& instance : layout) ++counts[instance.profile];
  return counts;
}

inline bool contained(const Multiset& smaller, const Multiset& larger) {
  return std::all_of(smaller.begin(), smaller.end(), [&](const auto& entry) {
    const auto found = larger.find(entry.first);
    return found != larger.end() && found->second >= entry.second;
  });
}

// Layouts to which nothing can be added, as multisets.
inline std::set<Multiset> complete(const CardModel& model, const std::vector<int>& profiles,
                                   const std::set<Instances>& layouts) {
  std::set<Multiset> result;
  const std::vector<Instance> instances = all_instances(model, profiles);
  for (const Instances& layout : layouts) {
    const bool grows = std::any_of(instances.begin(), instances.end(), [&](const Instance& instance) {
      Instances larger = layout;
      return larger.insert(instance).second && layouts.contains(larger);
    });
    if (!grows) result.insert(multiset_of(layout));
  }
  return result;
}

// Those contained in no other.
inline std::set<Multiset> largest(const std::set<Multiset>& all) {
  std::set<Multiset> result;
  for (const Multiset& one : all) {
    const bool inside = std::any_of(all.begin(), all.end(),
                                    [&](const Multiset& other) { return other != one && contained(one, other); });
    if (!inside) result.insert(one);
  }
  return result;
}

}  // namespace carve::plain
