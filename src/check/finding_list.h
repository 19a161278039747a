// Findings while they are gathered, one file for each area. Cards that look alike are one class, and what is found
// about several classes in the same words is one finding with a count, so that a plan of a thousand cards has few.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/check.h"
#include "check/piece.h"

namespace carve {

class FindingList {
 public:
  struct Text {
    std::string message;
    std::string remedy;
  };
  // `subject` is the first of `count` that the finding holds for. The code must be one of finding_codes().
  void add(std::string_view code, std::string subject, Text text, std::int64_t count = 1);
  std::vector<Finding> take();

 private:
  struct Entry {
    Finding finding;
    std::int64_t count;
  };
  std::vector<Entry> entries_;
};

// One partition of a class, with what it is.
struct Seen {
  const CardClass& cards;
  const CardModel& model;
  const Partition& partition;
  Piece piece;
};
// Every partition of every class whose model and profile are known, in the order of the plan.
std::vector<Seen> partitions_seen(const Plan&);

void find_trust(const Plan&, FindingList&);
void find_memory(const Plan&, FindingList&);
void find_time(const Plan&, FindingList&);  // objective.* and stall.*
void find_scheduler(const Plan&, FindingList&);
void find_cards(const Plan&, FindingList&);
void find_unknown(const Plan&, FindingList&);

// The name under which a partition that several replicas of one tenant share is offered, without "nvidia.com/"; whether
// a scheduler takes it.
std::string shared_name(const Partition&, std::string_view tenant);
bool is_resource_name(std::string_view name);

}  // namespace carve
