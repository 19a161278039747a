// What a card can be cut into that comes nearest to what it cannot. Inside this room only.
#pragma once

#include <string>
#include <vector>

#include "change/target.h"

namespace carve {

// At most three layouts as a person writes them ("3g.40gb and 2 of 2g.20gb"), the nearest first. Profile for profile,
// by size, near is what differs by the fewest memory and compute slices; no profile counts as one of none. Profiles
// with attributes (media engines) come into it only where they are wanted. Requires that all wanted profiles are the
// card's. None where the driver does not tell the places.
std::vector<std::string> nearest_layouts(const LiveCard&, const std::vector<WantedInstance>&);

// "2 of 1g.10gb and 3g.40gb".
std::string list_of(const std::vector<std::string>& profiles);

}  // namespace carve
