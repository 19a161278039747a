// The packing problem, free of words: what is demanded, what there is, and how each demand may sit in each kind of
// partition. Internal to pack.
//
// The model is two-stage cutting stock. Inner: replicas of one tenant into a partition (a Content). Outer: partitions
// into cards (a Cut). A replica may take any kind of partition that is large enough, so the choice of profile is part
// of the problem. Nothing here depends on how many copies of anything there are.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "plan/plan.h"

namespace carve::packing {

// What one workload asks for: replicas, or thousandths of its rate if it is measured.
struct Demand {
  const Workload* workload = nullptr;
  std::int64_t amount = 0;
};

// How one demand sits in partitions of one kind on one board.
struct Item {
  int demand = 0;
  Mechanism mechanism = Mechanism::exclusive;  // how it shares the partition, if it has neighbours there
  Mib memory;                                  // of one replica
  int load = 0;                                // thread percent under MPS, duty in permille under time slicing
  std::optional<MeasuredRow> row;              // what a measured workload runs there
  // What one replica, or one measured partition, contributes to the demand.
  std::int64_t yield() const { return row ? row->throughput.value : 1; }
};

// One way to cut a card: how many partitions of each kind, by index into Board::kinds.
struct Cut {
  std::vector<int> slots;
};

// Cards of one model at one price: an entry of the fleet.
struct Supply {
  std::size_t entry = 0;
  std::int64_t count = 0;
  std::int64_t cost = 0;
  std::int64_t per_node = 0;
};

// Everything about one card model of the fleet.
struct Board {
  const CardModel* card = nullptr;
  std::shared_ptr<const Geometry> geometry;  // nothing if it cannot be cut
  std::vector<PartitionKind> kinds;
  std::vector<Cut> cuts;
  std::vector<Supply> supplies;
  std::vector<Decision> decisions;                    // by demand
  std::vector<std::vector<Item>> items;               // by kind: the demands that fit there, ordered by demand
  std::optional<int> whole_kind() const;              // index of the whole card among the kinds
  const Item* find_item(int kind, int demand) const;  // null if the demand does not fit there
};

struct Problem {
  std::vector<Demand> demands;  // ordered by workload name
  std::vector<Board> boards;    // ordered by model id
  Limits limits;
};

Problem state_problem(const WorkloadFile&);

}  // namespace carve::packing
