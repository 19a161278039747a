// The parts of verify(), one file each. All add what they find to one list; none trusts another to have passed.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "check/check.h"
#include "check/piece.h"

namespace carve {

class Violations {
 public:
  void add(std::string subject, std::string message) { list_.push_back({std::move(subject), std::move(message)}); }
  std::vector<Violation> take() { return std::move(list_); }

 private:
  std::vector<Violation> list_;
};

// verify_fleet.cc: every card stands where the fleet has one of its model, once; the cost of those in use.
std::int64_t verify_fleet(const Plan&, Violations&);

// verify_layout.cc: what is cut out of one card can be cut out of it.
void verify_layout(const CardClass&, const CardModel&, Violations&);

// verify_partition.cc: what is in one partition fits into it and is given what it needs.
void verify_partition(const Plan&, const CardClass&, const CardModel&, const Partition&, Violations&);

// verify_replicas.cc: every replica is placed once or unplaced once; rates are met; `cards: N` stay together.
void verify_replicas(const Plan&, Violations&);

// verify_summary.cc: the figures on top of the plan, recounted.
void verify_summary(const Plan&, const Verification&, Violations&);

// Replicas on cards, once each; of a workload with a rate the partitions that it has.
std::map<std::string_view, std::int64_t> placed_replicas(const Plan&);

// The piece that a partition claims to be, or nothing if the model has no such profile.
std::optional<Piece> piece_of(const CardModel&, const Partition&);

}  // namespace carve
