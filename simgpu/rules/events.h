// What happened to cards: a ring of the last events, from which waiting programs read.
#pragma once

#include <optional>

#include "simgpu/abi/abi.h"
#include "simgpu/state/state.h"

namespace carve::sim {

void add_event(Situation&, Event);  // its number is given here

// The first event after number `seen` whose type is in `types` of its card. What has
// been pushed out of the ring is lost.
std::optional<Event> next_event(const Situation&, std::uint64_t seen, const std::uint64_t (&types)[max_cards]);

}  // namespace carve::sim
