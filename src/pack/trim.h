// What full contents hold beyond the demand is taken out again, and a partition that then holds less than a smaller one
// could becomes that smaller one. Internal to pack.
#pragma once

#include "pack/search.h"

namespace carve::packing {

// Takes out of the solution what exceeds the demands: emptied partitions first, those with the most memory.
void trim(const Problem&, Solution&);

// The kind with the least memory on the content's board that holds the content and fits in its place: no more memory
// slices and no more compute slices. The content's own kind if there is none. A measured content keeps its kind, since
// its figures hold only there.
int smallest_kind(const Problem&, const Content&);

}  // namespace carve::packing
