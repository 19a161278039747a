// The partitions of one card: contents placed on its grid, as shares. Internal to pack.
#pragma once

#include "pack/contents.h"

namespace carve::packing {

// Cards that hold the same contents. `slots` are their contents, none of them empty.
struct FilledCards {
  int board = 0, supply = 0;
  std::vector<Content> slots;
  std::int64_t count = 0;
};

// The partitions of such a card, ordered by placement; replica numbers are still 0. Contents of one profile take its
// places from the left in their own order. The layout leaves room for the largest further profile.
std::vector<Partition> partitions_of(const Problem&, const FilledCards&);

// A whole card of one replica of a `cards: N` workload.
Partition whole_card_of(const Problem&, int board, int demand);

}  // namespace carve::packing
