// A plain recursion over places, which shares nothing with the room that is tested.
#include "change/enumeration.h"

#include <algorithm>

namespace carve::changing {

namespace {

struct PlainProfile {
  const char* name;
  int size, compute;
  std::vector<int> starts;
};
const std::vector<PlainProfile>& plain_card() {
  static const std::vector<PlainProfile> profiles{{"1g.10gb", 1, 1, {0, 1, 2, 3, 4, 5, 6}},
                                                  {"1g.20gb", 2, 1, {0, 2, 4, 6}},
                                                  {"2g.20gb", 2, 2, {0, 2, 4}},
                                                  {"3g.40gb", 4, 3, {0, 4}},
                                                  {"4g.40gb", 4, 4, {0}},
                                                  {"7g.80gb", 8, 7, {0}}};
  return profiles;
}

bool can_add(unsigned taken, int compute, const PlainProfile& profile, int start) {
  const unsigned span = ((1u << profile.size) - 1) << start;
  return (taken & span) == 0 && compute + profile.compute <= 7;
}

bool full(unsigned taken, int compute) {
  for (const PlainProfile& profile : plain_card())
    for (const int start : profile.starts)
      if (can_add(taken, compute, profile, start)) return false;
  return true;
}

void enumerate(Layout& layout, unsigned taken, int compute, int from, Enumeration& found) {
  found.by_multiset[multiset_of(layout)].push_back(layout);
  if (full(taken, compute)) {
    found.full.push_back(layout);
    found.full_multisets.insert(multiset_of(layout));
  }
  for (int start = from; start < 8; ++start) {
    for (const PlainProfile& profile : plain_card()) {
      if (std::find(profile.starts.begin(), profile.starts.end(), start) == profile.starts.end()) continue;
      if (!can_add(taken, compute, profile, start)) continue;
      layout.push_back({profile.name, start});
      enumerate(layout, taken | ((1u << profile.size) - 1) << start, compute + profile.compute, start + profile.size,
                found);
      layout.pop_back();
    }
  }
}

}  // namespace

Multiset multiset_of(const Layout& layout) {
  Multiset names;
  for (const At& at : layout) names.push_back(at.profile);
  std::sort(names.begin(), names.end());
  return names;
}

const Enumeration& all_layouts() {
  static const Enumeration enumeration = [] {
    Enumeration found;
    Layout layout;
    enumerate(layout, 0, 0, 0, found);
    return found;
  }();
  return enumeration;
}

int lost(const Layout& from, const Layout& to) {
  return static_cast<int>(std::count_if(from.begin(), from.end(),
                                        [&](const At& at) { return std::find(to.begin(), to.end(), at) == to.end(); }));
}

int fewest_lost(const Layout& from, const Multiset& to) {
  int fewest = 99;
  for (const Layout& layout : all_layouts().by_multiset.at(to)) fewest = std::min(fewest, lost(from, layout));
  return fewest;
}

}  // namespace carve::changing
