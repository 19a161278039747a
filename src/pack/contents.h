// Contents: what one partition holds. Internal to pack.
#pragma once

#include <vector>

#include "pack/problem.h"

namespace carve::packing {

struct Member {
  int demand = 0;
  std::int64_t count = 0;
  auto operator<=>(const Member&) const = default;
};

// Replicas of one tenant in a partition of one kind. Members are ordered by demand.
struct Content {
  int board = 0;
  int kind = 0;
  Mechanism mechanism = Mechanism::exclusive;  // of the group; a group of one is exclusive
  std::vector<Member> members;
  auto operator<=>(const Content&) const = default;
};

// The items of one tenant with one mechanism in partitions of one kind, and what such a partition can hold of them.
struct Group {
  int board = 0;
  int kind = 0;
  Mechanism mechanism = Mechanism::exclusive;
  Mib memory;                 // capacity
  int load = 0;               // capacity: thread percent or duty
  std::int64_t replicas = 0;  // capacity: MPS clients
  std::vector<const Item*> items;
  std::vector<std::int64_t> most;  // by item: how many are wanted at all
};

// Every group of the problem, ordered by board, kind, mechanism, tenant. Exclusive items are groups of their own, whose
// capacity is one replica.
std::vector<Group> groups_of(const Problem&);

// Every content of the groups to which nothing can be added, if there are at most `limit`; else what was found so far
// is dropped and nothing is returned.
std::optional<std::vector<Content>> all_full_contents(const std::vector<Group>&, std::size_t limit);

// For each group and item as many of that item alone as fit: where column generation starts.
std::vector<Content> uniform_contents(const std::vector<Group>&);

// The content of the group that is worth most at these prices per unit of each demand: a knapsack, as an integer
// program.
struct Priced {
  Content content;
  double value = 0;
  double at_most = 0;  // no content is worth more; the value itself if the search ended
};
Priced dearest_content(const Group&, const std::vector<double>& prices);

// Whether the members, all of one tenant and mechanism, fit a partition of this kind on their board.
bool fits_in(const Problem&, const Content&, int kind);

}  // namespace carve::packing
