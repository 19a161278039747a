// Where GPU instances go on the memory grid of a card.
#pragma once

#include <optional>

#include "simgpu/abi/abi.h"
#include "simgpu/state/state.h"

namespace carve::sim {

// A stretch of the memory grid.
struct Span {
  int start = 0;
  int size = 0;
  bool operator==(const Span&) const = default;
};

// Index into Board::profiles, or -1.
int profile_with_id(const Board&, std::uint32_t id);
int profile_with_enumerator(const Board&, std::uint32_t enumerator);

// success; insufficient_resources: no compute slices left, too many, media engines taken, or the span is in use (the
// driver has one code for all of these); invalid_argument: the profile never stands there.
Return can_place(const Board&, const Card&, int profile, Span);

// Instances of this profile that can be made one after the other, if each is put where it leaves room for the next.
int remaining_capacity(const Board&, const Card&, int profile);

// Where the driver puts an instance when it is not told; nothing if there is no room.
std::optional<Span> choose_place(const Board&, const Card&, int profile);

// The id of the instance that has this span: 0 the whole card, 1 and 2 halves, 3 to 6 quarters, 7 to 14 eighths.
int instance_id(const Board&, Span);

}  // namespace carve::sim
