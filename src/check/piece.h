// The checker's own reading of the catalog: what a partition of a card holds. Shares nothing with policy or Geometry,
// so that one wrong rule cannot agree with itself.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "card/card.h"

namespace carve {

// What one kind of partition holds: one profile of a model, or the whole card.
struct Piece {
  const Profile* profile = nullptr;  // null: the whole card
  std::optional<Mib> memory;         // usable; nothing if it cannot be known
  bool memory_derived = false;       // memory slices times the smallest plain profile's
  std::optional<int> sms;
  int compute_slices = 1;  // of it
  int of_slices = 1;       // of the model; a card without MIG is one of one

  bool whole_card() const { return profile == nullptr; }
};

// The model with exactly this id, or null.
const CardModel* model_of(std::string_view id);

Piece whole_card(const CardModel&);
Piece piece_of(const CardModel&, const Profile&);

// The plain profiles that have a place on the card.
std::vector<const Profile*> cuttable_profiles(const CardModel&);

// The plain profile that takes all of the card, or null.
const Profile* full_profile(const CardModel&);

}  // namespace carve
