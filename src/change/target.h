// What is wanted of the cards of one machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/machine.h"
#include "plan/plan.h"

namespace carve {

struct WantedInstance {
  std::string profile;
  std::optional<Placement> placement;  // where it would rather stand; only its profile is binding

  bool operator==(const WantedInstance&) const = default;
};

// A card that is not named is left as it is.
struct WantedCard {
  std::string uuid;
  bool mig = false;
  std::vector<WantedInstance> instances;  // none with MIG off

  bool operator==(const WantedCard&) const = default;
};

struct Target {
  std::vector<WantedCard> cards;  // by the cards' indices

  bool operator==(const Target&) const = default;
};

// How the cards of a plan are found: by their UUIDs, as a plan for live cards has them; or the i-th card of one host of
// the plan is the i-th of this machine.
struct Binding {
  bool by_index = false;
  std::string node = {};  // of the plan; may be empty if it has only one
};

// A card of this machine, and what the plan has for it.
struct BoundCard {
  const LiveCard* live = nullptr;
  const CardClass* planned = nullptr;
};

// The cards of the plan on this machine, by their indices; the plan and the machine have to outlive them.
// Error: bad_input: a card is not there, is of another model, or the plan has no UUIDs and `by_index` was not said.
Result<std::vector<BoundCard>> bind_cards(const Plan&, const Machine&, const Binding&);

// The same, as what is wanted of them.
Result<Target> bind_plan(const Plan&, const Machine&, const Binding&);

// The card as it is. Requires that its mode and its instances can be read.
WantedCard layout_now(const LiveCard&);

// Null if there is none.
const LiveCard* find_card(const Machine&, std::string_view uuid);

}  // namespace carve
