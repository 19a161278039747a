#include "simgpu/rules/modes.h"

#include "simgpu/rules/instances.h"
#include "simgpu/rules/occupants.h"

namespace carve::sim {

namespace {

bool kept_in_board(ModeChange change) { return change != ModeChange::at_once && change != ModeChange::none; }

bool can_be_reset(ModeChange change) { return change != ModeChange::needs_reboot && change != ModeChange::pretends; }

bool has_instances(const Card& card) {
  for (const GpuInstance& instance : card.instances) {
    if (instance.used != 0) return true;
  }
  return false;
}

void wipe(Situation& now, int card) {
  Card& state = now.cards[card];
  destroy_instances(state);
  state.mode = state.pending_mode;
  state.lost = 0;
  ++state.resets;
}

// The card may change now: nobody is in the way.
ModeResult change_idle(Machine& machine, int card) {
  Card& state = machine.now.cards[card];
  switch (machine.boards.rows[card].mode_change) {
    case ModeChange::at_once:
    case ModeChange::resets_itself:
      state.mode = state.pending_mode;
      return {};
    case ModeChange::needs_reset:
    case ModeChange::needs_reboot:
    case ModeChange::ignores_reset:
      return {success, reset_required};
    default:
      return {};
  }
}

}  // namespace

ModeResult set_mig_mode(Machine& machine, int card, std::uint32_t mode, std::int32_t self) {
  Card& state = machine.now.cards[card];
  const ModeChange change = machine.boards.rows[card].mode_change;
  if (change == ModeChange::none) return {not_supported, not_supported};
  if (mode > mig_enabled) return {invalid_argument, invalid_argument};
  if (change == ModeChange::pretends) return {};
  state.pending_mode = mode;
  if (state.mode == mode) return {};
  if (busy(machine.now, card, self) || has_instances(state)) return {success, in_use};
  return change_idle(machine, card);
}

std::uint32_t reset_group(const Boards& boards, int card) {
  const std::uint32_t group = boards.rows[card].nvswitch_group;
  std::uint32_t cards = 1u << card;
  for (int other = 0; other < boards.count; ++other) {
    if (group != 0 && boards.rows[other].nvswitch_group == group) cards |= 1u << other;
  }
  return cards;
}

Return reset_card(Machine& machine, int card, std::int32_t self) {
  const std::uint32_t group = reset_group(machine.boards, card);
  for (int other = 0; other < machine.boards.count; ++other) {
    if (((group >> other) & 1) == 0) continue;
    if (!can_be_reset(machine.boards.rows[other].mode_change)) return reset_type_not_supported;
    if (busy(machine.now, other, self)) return in_use;
  }
  for (int other = 0; other < machine.boards.count; ++other) {
    const bool in_vain = machine.boards.rows[other].mode_change == ModeChange::ignores_reset;
    if (((group >> other) & 1) != 0 && !in_vain) wipe(machine.now, other);
  }
  return success;
}

void load_driver(Machine& machine) {
  for (int card = 0; card < machine.boards.count; ++card) {
    Card& state = machine.now.cards[card];
    if (!kept_in_board(machine.boards.rows[card].mode_change)) state.pending_mode = mig_disabled;
    wipe(machine.now, card);
    state.compute_mode = shared_mode;
    state.persistence = 0;
    state.streaming = 0;
    state.timeslice = 0;
  }
  machine.now.loaded = 1;
}

void reboot(Machine& machine) {
  for (Process& process : machine.now.processes) process = {};
  for (Client& client : machine.now.clients) client = {};
  load_driver(machine);
  ++machine.now.boot;
}

Return unload_driver(Machine& machine, std::int32_t self) {
  for (int card = 0; card < machine.boards.count; ++card) {
    if (busy(machine.now, card, self)) return in_use;
  }
  load_driver(machine);  // what unloading wipes is seen wiped when it is loaded again
  machine.now.loaded = 0;
  return success;
}

}  // namespace carve::sim
