// All layouts of a card with 8 memory and 7 compute slices: every set of places without overlap, with at most 7 compute
// slices; places of 1g.20gb and 3g.40gb have fewer compute slices than memory slices.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "change/bench.h"

namespace carve::changing {

using Layout = std::vector<At>;             // by start
using Multiset = std::vector<std::string>;  // sorted

struct Enumeration {
  std::vector<Layout> full;
  std::map<Multiset, std::vector<Layout>> by_multiset;  // of all layouts
  std::set<Multiset> full_multisets;
};

const Enumeration& all_layouts();

Multiset multiset_of(const Layout&);
// How many of the one are not in the other.
int lost(const Layout& from, const Layout& to);
int fewest_lost(const Layout& from, const Multiset& to);

}  // namespace carve::changing
