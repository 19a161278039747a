// Where on a card the wanted profiles shall stand. Inside this room only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "change/target.h"

namespace carve {

// An instance that is there, and what it costs to lose it.
struct Standing {
  int profile = 0;  // of LiveCard::profiles
  Placement placement;
  int occupants = 0;
  bool foreign = false;
};

// The card as its driver describes it, which may differ from the catalog. Profiles as LiveCard::profiles.
CardModel driver_model(const LiveCard&);

// Indices of the profiles whose layouts are looked at: the plain ones, and those with attributes that are wanted.
std::vector<int> profiles_to_look_at(const CardModel&, const std::vector<WantedInstance>&);

// The places that lose the fewest occupants, then the fewest foreign instances, then the fewest instances; among these
// the ones that agree most with the wishes, then those that leave the most room, then the lowest. Requires
// readable profiles with their placements. The error says which limit of the card is hit, and what comes
// nearest.
Result<std::vector<WantedInstance>> choose_places(const LiveCard&, const std::vector<WantedInstance>&,
                                                  const std::vector<Standing>&);

}  // namespace carve
