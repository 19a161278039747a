// A plan as the page needs it: cards that look alike once, partitions that hold the same described once, and for every
// subject of a finding the place of the page that shows it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "check/check.h"
#include "show/drawn.h"
#include "show/parts.h"

namespace carve {

// Partitions that differ only in where they are and in the numbers of their replicas, on cards of one model.
struct Kind {
  const Drawn* card = nullptr;  // the first that has one
  const Partition* partition = nullptr;
  std::int64_t count = 0;
  std::vector<std::string> places;  // the first few: "node-0/0/2g.20gb@4"
  std::vector<const Finding*> findings;
};

// Where on the page something is: a drawn card, one of its partitions or none of them.
struct Mark {
  std::size_t card = 0;
  int partition = -1;
  auto operator<=>(const Mark&) const = default;
};

struct Atlas {
  std::vector<Drawn> drawn;
  std::vector<Kind> kinds;
  std::vector<std::vector<std::size_t>> kind_of;              // by drawn card and partition
  std::map<Mark, std::vector<const Finding*>> findings;       // those about a card or a partition
  std::map<std::string, std::string, std::less<>> anchors;    // subject of a finding: id of an element
  std::map<std::string, std::size_t, std::less<>> workloads;  // name: index into Plan::workloads
};

// The plan must outlive its atlas, which may be moved and not copied.
Atlas atlas_of(const Plan&);

// Among very many drawings each says less, or the page would be too large to mail: a box has its profile, what is first
// in it and its bar, and its text the reason that weighs most; the rest is one link further.
Detail detail_of(const Atlas&);

// "c3", "c3-0": ids of elements. A card that is not cut is its partition.
std::string id_of(const Mark&, const Drawn&);

// The decision about a workload on a card model, if the plan has one.
const Chosen* chosen_for(const Plan&, const std::string& workload, const std::string& card);

}  // namespace carve
