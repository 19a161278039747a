// The packing problem solved by trying everything: a plain model with no code of the packer, the geometry or the
// policy's sizing. Only for instances of a few cards and replicas.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/plan.h"

namespace carve::exhaustive {

struct Best {
  std::int64_t placed = 0;  // replicas, at most
  std::int64_t cost = 0;    // at least, for that many
};

// Workloads are exclusive in a partition, or share one by MPS or time slicing, as their decision says. No measured
// workloads, no `cards:`.
Best best(const WorkloadFile&);

}  // namespace carve::exhaustive
