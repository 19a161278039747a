// What the rules rely on, checked once for whatever was read from a file.
#include "simgpu/state/state.h"

#include "simgpu/abi/abi.h"

namespace carve::sim {

namespace {

bool within(std::int64_t value, std::int64_t least, std::int64_t most) { return value >= least && value <= most; }

template <class Enum>
bool within(Enum value, Enum least, Enum most) {
  return value >= least && value <= most;
}

bool sound(const Profile& profile, int grid) {
  if (!profile.name.terminated() || !within(profile.enumerator, 0, gpu_profile_count - 1)) return false;
  if (!within(profile.start_count, 1, max_starts) || !within(profile.size, 1, grid)) return false;
  for (int i = 0; i < profile.start_count; ++i) {
    if (profile.starts[i] + profile.size > grid) return false;
  }
  return within(profile.media, Media::usual, Media::none) && within(profile.compute_slices, 1, 8) &&
         within(profile.memory_slices, 1, grid) && profile.memory_mib >= 0 && profile.multiprocessors >= 0 &&
         within(profile.max_instances, 1, max_gpu_instances);
}

bool sound(const Board& board) {
  if (!board.model.terminated() || !board.name.terminated() || !board.uuid.terminated() || !board.serial.terminated())
    return false;
  if (!within(board.compute_slices, 0, max_compute_instances) || board.total_mib <= 0) return false;
  if (!within(board.mode_change, ModeChange::none, ModeChange::ignores_reset)) return false;
  if (!within(board.chooser, Chooser::near_gap, Chooser::hostile)) return false;
  if (board.compute_slices == 0) return board.profile_count == 0;
  if (!within(board.memory_slices, 1, max_starts) || !within(board.profile_count, 1, max_profiles)) return false;
  if (!within(board.gap, -1, board.memory_slices - 1)) return false;
  for (int i = 0; i < board.profile_count; ++i) {
    if (!sound(board.profiles[i], board.memory_slices)) return false;
  }
  return true;
}

bool sound(const GpuInstance& instance, const Board& board) {
  if (instance.used == 0) return true;
  if (instance.profile >= board.profile_count || instance.start + instance.size > board.memory_slices) return false;
  const int slices = board.profiles[instance.profile].compute_slices;
  for (const ComputeInstance& compute : instance.compute) {
    if (compute.used == 0) continue;
    if (compute.profile >= compute_profile_count || compute.start + compute.size > slices) return false;
    if (compute.mig_index >= max_compute_instances || compute.id >= max_compute_instances) return false;
  }
  return true;
}

bool sound(const Card& card, const Board& board) {
  if (card.mode > mig_enabled || card.pending_mode > mig_enabled) return false;
  if (card.compute_mode > exclusive_process || card.persistence > 1 || card.timeslice > 3) return false;
  for (const GpuInstance& instance : card.instances) {
    if (!sound(instance, board)) return false;
  }
  return true;
}

bool sound(const ArmedFault& fault) {
  return within(fault.action, FaultAction::none, FaultAction::hang) && fault.function < function_count;
}

}  // namespace

bool sound(const Boards& boards) {
  if (!within(boards.count, 1, max_cards)) return false;
  for (int i = 0; i < boards.count; ++i) {
    if (!sound(boards.rows[i])) return false;
  }
  return true;
}

bool sound(const Boards& boards, const Situation& now) {
  for (int i = 0; i < boards.count; ++i) {
    if (!sound(now.cards[i], boards.rows[i])) return false;
  }
  for (const Process& process : now.processes) {
    if (process.card >= boards.count || !within(process.kind, ProcessKind::compute, ProcessKind::mps_client))
      return false;
  }
  for (const Blocker& blocker : now.blockers) {
    if (!blocker.name.terminated()) return false;
  }
  for (const Event& event : now.events) {
    if (event.card >= static_cast<std::uint32_t>(boards.count)) return false;
  }
  for (const ArmedFault& fault : now.faults) {
    if (!sound(fault)) return false;
  }
  return now.loaded <= 1;
}

}  // namespace carve::sim
