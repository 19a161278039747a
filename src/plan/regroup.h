// The cards of a file as classes again. Inside this room only.
#pragma once

#include <map>
#include <vector>

#include "plan/plan.h"

namespace carve::plan_file {

// Takes cards one by one, in the order of the file. A card joins the first class that looks like it and whose next card
// holds just its replicas; else it begins a class. Replicas that do not run on from card to card thus become more
// classes, never wrong ones.
class Regroup {
 public:
  // A share of `partitions` holds replicas first .. first + count - 1.
  void add(std::string model, bool mig, Position position, std::vector<Partition> partitions);
  std::vector<CardClass> take();

 private:
  std::vector<CardClass> classes_;
  std::multimap<std::size_t, std::size_t> next_;  // hash of the card that a class would take next, to the class
};

// The replicas of one workload in one partition, one share each, as few shares as say the same.
std::vector<Share> joined(std::vector<Share> single);

}  // namespace carve::plan_file
