// The least that has to happen to a machine, as steps that can be read before they are done.
//
// Instances that stand where they are wanted are kept. Where a profile may stand at several places, those are chosen
// that disturb the fewest running processes, then the fewest instances of others, then the fewest instances.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "change/target.h"

namespace carve {

enum class Act : std::uint8_t { destroy, mig_off, mig_on, reset, create };
std::string_view to_string(Act);  // "destroy", "turn MIG off" ...

// Where an instance stands: how it is named towards people, and told from another.
struct InstancePlace {
  std::string profile;
  Placement placement;
  auto operator<=>(const InstancePlace&) const = default;
};
std::string to_string(const InstancePlace&);  // "3g.40gb@4"

struct Step {
  Act act = Act::create;
  InstancePlace instance;          // of destroy and create
  GpuInstanceId id;                // of destroy
  std::uint32_t profile_id = 0;    // of create
  std::vector<Occupant> disturbs;  // who holds it now
  std::string note;                // "moves to 3g.40gb@0", "half-made", "not made by carve"; mostly empty
};

// Why a card may not be changed.
struct Obstacle {
  enum class Kind : std::uint8_t { occupied, foreign, impossible, unreadable } kind = Kind::impossible;
  std::string message;
  std::string help;
};

struct KeptInstance {
  InstancePlace instance;
  std::vector<Occupant> occupants;
};

struct CardChange {
  int index = 0;
  std::string uuid, name;
  std::string bus_id;
  bool mig_now = false;
  WantedCard before;  // as it is
  WantedCard wanted;  // with the places that were chosen
  std::vector<KeptInstance> kept;
  std::vector<Step> steps;  // in their order
  std::vector<Obstacle> obstacles;
  std::string remark;  // on the layout that is wanted; may be empty
  bool same() const { return steps.empty() && obstacles.empty(); }
  int count(Act) const;
};

struct Change {
  std::vector<CardChange> cards;  // by index

  bool same() const;
  bool possible() const;  // no card has an obstacle
};

// What becomes of running processes on an instance that has to go.
enum class Drain : std::uint8_t { refuse, wait, stop };
// What becomes of instances that carve did not make and that have to go.
enum class Foreign : std::uint8_t { refuse, replace };

// Instances that carve made, by card.
using Made = std::set<std::pair<std::string, InstancePlace>>;

struct Permissions {
  Drain drain = Drain::refuse;
  Foreign foreign = Foreign::refuse;
};

Change plan_change(const Machine&, const Target&, const Made&, const Permissions&);

// The same for one card.
CardChange plan_card(const LiveCard&, const WantedCard&, const Made&, const Permissions&);

}  // namespace carve
