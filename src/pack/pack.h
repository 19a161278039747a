// pack: workloads and a fleet to a plan on the fewest cards, with a proof. docs/packing.md has the method.
#pragma once

#include "plan/plan.h"

namespace carve {

// Figures about the search, for --stats.
struct PackStats {
  int rounds = 0;   // of column generation
  int columns = 0;  // contents of partitions considered
  int nodes = 0;    // of branch and bound
};

// A plan without findings: cards, unplaced, decisions, proof and summary are filled in. Deterministic: the same
// workloads give the same plan, whatever their order in the file.
// Errors: bad_input when the fleet is empty.
Result<Plan> pack(const WorkloadFile&, PackStats* stats = nullptr);

}  // namespace carve
