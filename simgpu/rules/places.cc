#include "simgpu/rules/places.h"

#include <algorithm>

namespace carve::sim {

namespace {

template <class Wanted>
int profile_where(const Board& board, const Wanted& wanted) {
  for (int i = 0; i < board.profile_count; ++i) {
    if (wanted(board.profiles[i])) return i;
  }
  return -1;
}

bool possible(const Profile& profile, Span span) {
  const std::uint8_t* end = profile.starts + profile.start_count;
  return span.size == profile.size && std::find(profile.starts, end, span.start) != end;
}

bool overlap(Span a, Span b) { return a.start < b.start + b.size && b.start < a.start + a.size; }

// "+me" stands once on a card. "+me.all" has every media engine, so beside it stand only those that have none.
bool media_clash(Media a, Media b) {
  if (a == Media::all || b == Media::all) return a != Media::none && b != Media::none;
  return a == Media::one && b == Media::one;
}

// The profile fits the card as far as it does not hang on the place.
bool countable(const Board& board, const Card& card, int profile) {
  const Profile& wanted = board.profiles[profile];
  int slices = wanted.compute_slices;
  int instances = 1;
  int same = 1;
  for (const GpuInstance& instance : card.instances) {
    if (instance.used == 0) continue;
    const Profile& other = board.profiles[instance.profile];
    if (media_clash(wanted.media, other.media)) return false;
    slices += other.compute_slices;
    ++instances;
    same += instance.profile == profile ? 1 : 0;
  }
  return slices <= board.compute_slices && instances <= std::min(board.max_instances, max_gpu_instances) &&
         same <= wanted.max_instances;
}

bool vacant(const Card& card, Span span) {
  return std::none_of(std::begin(card.instances), std::end(card.instances), [&](const GpuInstance& instance) {
    return instance.used != 0 && overlap({instance.start, instance.size}, span);
  });
}

void occupy(Card& card, int profile, Span span) {
  for (GpuInstance& instance : card.instances) {
    if (instance.used != 0) continue;
    instance = {};
    instance.used = 1;
    instance.profile = static_cast<std::uint8_t>(profile);
    instance.start = static_cast<std::uint8_t>(span.start);
    instance.size = static_cast<std::uint8_t>(span.size);
    return;
  }
}

// How many single instances could still be added, over all profiles: what the hostile chooser takes away.
int room_left(const Board& board, const Card& card) {
  int room = 0;
  for (int profile = 0; profile < board.profile_count; ++profile) {
    if (!countable(board, card, profile)) continue;
    const Profile& row = board.profiles[profile];
    for (int i = 0; i < row.start_count; ++i) room += vacant(card, {row.starts[i], row.size}) ? row.size : 0;
  }
  return room;
}

// The lower the better; ties go to the lower start. Recorded on A100 and H100 boards whose gap is unit 7: seven 1g go
// to 6, 4, 5, 0, 1, 2, 3, a 2g to 4, then 0, then 2, a 3g to 4, then 0; on a board whose gap is unit 3, seven 1g go to
// 2, 0, 1, 4, 5, 6, 7. So the half with the gap comes first. In it a single slice goes beside the gap, where nothing
// wider that counts its compute slices could stand, and a pair goes where the gap is not.
int distance_from_gap(const Board& board, Span span) {
  const int gap = board.gap < 0 ? board.memory_slices - 1 : board.gap;
  const int half = board.memory_slices / 2;
  const bool same_half = span.start / half == gap / half;
  if (board.chooser == Chooser::near_gap_low_3g && span.size == half) return span.start;
  if (!same_half) return 2;
  if (span.size == 1) return span.start == (gap ^ 1) ? 0 : 1;
  if (span.size == 2) return span.start == (gap & ~1) ? 1 : 0;
  return 0;
}

int rank(const Board& board, const Card& card, int profile, Span span) {
  switch (board.chooser) {
    case Chooser::near_gap:
    case Chooser::near_gap_low_3g:
      return distance_from_gap(board, span);
    case Chooser::ascending:
      return 0;
    case Chooser::hostile: {
      Card after = card;
      occupy(after, profile, span);
      return room_left(board, after);
    }
  }
  return 0;
}

}  // namespace

int profile_with_id(const Board& board, std::uint32_t id) {
  return profile_where(board, [&](const Profile& profile) { return static_cast<std::uint32_t>(profile.id) == id; });
}

int profile_with_enumerator(const Board& board, std::uint32_t enumerator) {
  return profile_where(
      board, [&](const Profile& profile) { return static_cast<std::uint32_t>(profile.enumerator) == enumerator; });
}

Return can_place(const Board& board, const Card& card, int profile, Span span) {
  if (!possible(board.profiles[profile], span)) return invalid_argument;
  return countable(board, card, profile) && vacant(card, span) ? success : insufficient_resources;
}

// Spans of one size: taking the lowest free one never costs a later one.
int remaining_capacity(const Board& board, const Card& card, int profile) {
  const Profile& row = board.profiles[profile];
  Card trial = card;
  int count = 0;
  for (int i = 0; i < row.start_count; ++i) {
    const Span span{row.starts[i], row.size};
    if (can_place(board, trial, profile, span) != success) continue;
    occupy(trial, profile, span);
    ++count;
  }
  return count;
}

std::optional<Span> choose_place(const Board& board, const Card& card, int profile) {
  const Profile& row = board.profiles[profile];
  std::optional<Span> best;
  int best_rank = 0;
  for (int i = 0; i < row.start_count; ++i) {
    const Span span{row.starts[i], row.size};
    if (can_place(board, card, profile, span) != success) continue;
    const int rank_here = rank(board, card, profile, span);
    if (best && rank_here >= best_rank) continue;
    best = span;
    best_rank = rank_here;
  }
  return best;
}

int instance_id(const Board& board, Span span) {
  const int parts = board.memory_slices / span.size;  // 1, 2, 4 or 8
  return parts - 1 + span.start / span.size;
}

}  // namespace carve::sim
