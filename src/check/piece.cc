#include "check/piece.h"

#include <algorithm>

namespace carve {

namespace {

bool is_plain(const Profile& profile) { return profile.attribute().empty(); }

// Memory of one memory slice by the smallest plain profile whose memory is known and which takes one slice on its grid,
// or by the smallest at all.
struct Unit {
  Mib memory;
  int slices = 1;
};
std::optional<Unit> smallest_known(const CardModel& model) {
  std::optional<Unit> smallest;
  for (const Profile& profile : model.profiles) {
    if (!is_plain(profile) || !profile.memory || profile.memory_slices.value_or(0) <= 0) continue;
    if (!smallest || *profile.memory_slices < smallest->slices) smallest = {*profile.memory, *profile.memory_slices};
  }
  return smallest;
}

// A conservative figure for a profile whose memory nobody published: a larger instance holds at least as many times the
// memory of a smaller one as it has times its memory slices.
std::optional<Mib> derived_memory(const CardModel& model, const Profile& profile) {
  const std::optional<Unit> unit = smallest_known(model);
  if (!unit || !profile.memory_slices) return std::nullopt;
  return Mib{unit->memory.value * (*profile.memory_slices / unit->slices)};
}

}  // namespace

const CardModel* model_of(std::string_view id) { return model_with_id(id); }

const Profile* full_profile(const CardModel& model) {
  for (const Profile& profile : model.profiles) {
    if (is_plain(profile) && model.has_mig() && profile.compute_slices == model.compute_slices) return &profile;
  }
  return nullptr;
}

Piece piece_of(const CardModel& model, const Profile& profile) {
  Piece piece;
  piece.profile = &profile;
  piece.memory = profile.memory;
  if (!piece.memory) {
    piece.memory = derived_memory(model, profile);
    piece.memory_derived = piece.memory.has_value();
  }
  piece.sms = profile.sms;
  piece.compute_slices = profile.compute_slices;
  piece.of_slices = model.compute_slices;
  return piece;
}

Piece whole_card(const CardModel& model) {
  Piece piece;
  piece.memory = model.total_memory;
  if (const Profile* full = full_profile(model); !piece.memory && full != nullptr) {
    const Piece instance = piece_of(model, *full);
    piece.memory = instance.memory;
    piece.memory_derived = true;  // the card holds more than its largest instance, nobody says how much
  }
  piece.sms = model.sms;
  piece.compute_slices = model.has_mig() ? model.compute_slices : 1;
  piece.of_slices = piece.compute_slices;
  return piece;
}

std::vector<const Profile*> cuttable_profiles(const CardModel& model) {
  std::vector<const Profile*> result;
  if (!model.has_mig()) return result;
  for (const Profile& profile : model.profiles) {
    if (is_plain(profile) && !profile.placements.empty()) result.push_back(&profile);
  }
  return result;
}

}  // namespace carve
