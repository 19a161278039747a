// The search: contents, linear bound, whole numbers. Internal to pack.
#pragma once

#include <vector>

#include "pack/contents.h"
#include "pack/pack.h"

namespace carve::packing {

struct CardRun {
  int board = 0, supply = 0, cut = 0;
  std::int64_t count = 0;
};
struct ContentRun {
  Content content;
  std::int64_t count = 0;
};
struct WholeRun {  // replicas of `cards: N`
  int board = 0, supply = 0, demand = 0;
  std::int64_t count = 0;
};
struct HostRun {
  int board = 0, supply = 0;
  std::vector<int> sizes;
  std::int64_t count = 0;
};

struct Solution {
  std::vector<CardRun> cards;
  std::vector<ContentRun> contents;
  std::vector<WholeRun> whole;
  std::vector<HostRun> hosts;
  std::vector<std::int64_t> missing;  // by demand, in the unit of its amount
  std::vector<double> prices;         // by demand, cost per unit of its amount: what proves the bound
  bool complete = false;              // nothing cheaper exists
};

Solution search(const Problem&, PackStats&);

}  // namespace carve::packing
