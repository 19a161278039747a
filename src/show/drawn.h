// Cards as they are drawn: those that look alike once, with what is said of each in its header.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"
#include "show/box.h"
#include "show/show.h"

namespace carve {

// Cards that differ only in the numbers of their replicas.
struct Drawn {
  std::vector<const CardClass*> classes;  // at least one; all look like the first
  const CardModel* model = nullptr;       // nothing if the catalog does not have it
  std::vector<Position> positions;

  const CardClass& card() const { return *classes.front(); }
};

// Every card of the plan in its order. The plan must outlive what is drawn.
std::vector<Drawn> alike(const Plan&);

// Numbers say nothing where one drawing stands for several cards.
Numbering numbering_of(const Drawn&);

// "node-0/1", "×3  node-0/1 … node-1/0".
std::string where(const Drawn&, const Style&);
// "18.4 of 79.6 GiB stranded on each", "memory in use not measured".
std::string stranded_text(const Drawn&, const Plan&);
// "MIG, compute 7/7", "not cut"; empty for a card without MIG.
std::string wall_text(const Drawn&);

// Columns of the memory grid that it is drawn on: a card that is not cut is as wide as one that is.
int grid_slices(const Drawn&);

// Runs of slices that no partition holds; of a card that is not cut none.
std::vector<Placement> free_runs(const Drawn&);
// The largest profile that a run of free slices still takes: "2g.20gb fits", "nothing fits" (as when the compute slices
// are used up), or nothing to say if the layout is none that carve knows.
std::string room_in(Placement run, const Drawn&);

}  // namespace carve
