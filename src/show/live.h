// Parts of the page of a live machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/machine.h"
#include "show/grid.h"

namespace carve {

// Who is in a GPU instance; in nothing, who holds the card as a whole.
std::vector<const Occupant*> occupants_in(const LiveCard&, std::optional<GpuInstanceId>);

// The GPU instances of a card on its grid with what is free; empty where places or the grid are not known, or a box
// would be too narrow to read.
std::string live_grid(const LiveCard&, const Style&);

// "3g.40gb@4"; without a known place "3g.40gb, GI 2".
std::string instance_text(const LiveGpuInstance&);
// "1.0 of 9.8 GiB", "?" where the driver does not tell.
std::string used_text(const Reading<MemoryUse>&);

}  // namespace carve
