// What a card cannot be cut into, said so that a person sees why. Inside this room only.
#pragma once

#include <vector>

#include "change/target.h"

namespace carve {

// Profiles that the board has not, or more of one, or more slices, than it has.
Result<void> check_limits(const LiveCard&, const std::vector<WantedInstance>&);

// Why no layout has these profiles although their numbers fit.
Error no_layout(const LiveCard&, const std::vector<WantedInstance>&);

}  // namespace carve
