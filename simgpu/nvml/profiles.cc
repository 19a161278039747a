// What a card can be cut into. Asked by enumerator (0, 1, 2 ...) for descriptions, by profile id for places.
#include <cstdio>

#include "simgpu/nvml/call.h"

namespace carve::sim {

namespace {

std::uint32_t figure(int value) { return static_cast<std::uint32_t>(value); }

template <class Info>
void fill_figures(Info& info, const Profile& profile) {
  info.id = figure(profile.id);
  info.slices = figure(profile.compute_slices);
  info.instances = figure(profile.max_instances);
  info.multiprocessors = figure(profile.multiprocessors);
  info.copy_engines = figure(profile.copy_engines);
  info.decoders = figure(profile.decoders);
  info.encoders = figure(profile.encoders);
  info.jpeg_engines = figure(profile.jpeg_engines);
  info.ofa_engines = figure(profile.ofa_engines);
  info.memory_mib = static_cast<std::uint64_t>(profile.memory_mib);
}

void name(char (&into)[96], const Profile& profile) { std::snprintf(into, sizeof into, "MIG %s", profile.name.bytes); }

// Past the enumeration that this driver knows, or a profile that this card does not have.
Return find_profile(const Board& board, std::uint32_t enumerator, int& profile) {
  if (enumerator >= gpu_profile_count) return invalid_argument;
  profile = profile_with_enumerator(board, enumerator);
  return profile < 0 ? not_supported : success;
}

// The caller's struct says by its version which of two layouts it has.
Return fill_versioned(const Profile& profile, GpuProfileInfoV2* info) {
  if (info->version == version_of<GpuProfileInfoV2>(2)) {
    GpuProfileInfoV2 filled{};
    filled.version = info->version;
    filled.p2p = profile.p2p;
    fill_figures(filled, profile);
    name(filled.name, profile);
    *info = filled;
    return success;
  }
  if (info->version == version_of<GpuProfileInfoV3>(3)) {
    GpuProfileInfoV3 filled{};
    filled.version = info->version;
    fill_figures(filled, profile);
    name(filled.name, profile);
    filled.capabilities = (profile.p2p != 0 ? gpu_profile_capability_p2p : 0) |
                          (profile.graphics != 0 ? gpu_profile_capability_graphics : 0);
    std::memcpy(info, &filled, sizeof filled);
    return success;
  }
  return invalid_argument;
}

Return give_placements(Function function, Needs needs, Device device, unsigned id, Placement* places, unsigned* count) {
  return look(function, needs, [&](const Machine& machine) -> Return {
    int card = -1;
    if (const Return found = find_mig_card(machine, device, card); found != success) return found;
    if (count == nullptr) return invalid_argument;
    const Board& board = machine.boards.rows[card];
    const int profile = profile_with_id(board, id);
    if (profile < 0) return invalid_argument;
    const Profile& row = board.profiles[profile];
    *count = row.start_count;
    for (int i = 0; places != nullptr && i < row.start_count; ++i) places[i] = {row.starts[i], row.size};
    return success;
  });
}

}  // namespace

CARVE_SIM_API Return nvmlDeviceGetGpuInstanceProfileInfo(Device device, unsigned enumerator, GpuProfileInfo* info) {
  return look(Function::nvmlDeviceGetGpuInstanceProfileInfo, [&](const Machine& machine) -> Return {
    int card = -1;
    if (const Return found = find_mig_card(machine, device, card); found != success) return found;
    if (info == nullptr) return invalid_argument;
    const Board& board = machine.boards.rows[card];
    int profile = -1;
    if (const Return found = find_profile(board, enumerator, profile); found != success) return found;
    *info = {};
    info->p2p = board.profiles[profile].p2p;
    fill_figures(*info, board.profiles[profile]);
    return success;
  });
}

CARVE_SIM_API Return nvmlDeviceGetGpuInstanceProfileInfoV(Device device, unsigned enumerator, GpuProfileInfoV2* info) {
  return look(Function::nvmlDeviceGetGpuInstanceProfileInfoV, [&](const Machine& machine) -> Return {
    int card = -1;
    if (const Return found = find_mig_card(machine, device, card); found != success) return found;
    if (info == nullptr) return invalid_argument;
    const Board& board = machine.boards.rows[card];
    int profile = -1;
    if (const Return found = find_profile(board, enumerator, profile); found != success) return found;
    return fill_versioned(board.profiles[profile], info);
  });
}

CARVE_SIM_API Return nvmlDeviceGetGpuInstanceProfileInfoByIdV(Device device, unsigned id, GpuProfileInfoV2* info) {
  return look(Function::nvmlDeviceGetGpuInstanceProfileInfoByIdV, [&](const Machine& machine) -> Return {
    int card = -1;
    if (const Return found = find_mig_card(machine, device, card); found != success) return found;
    if (info == nullptr) return invalid_argument;
    const Board& board = machine.boards.rows[card];
    const int profile = profile_with_id(board, id);
    return profile < 0 ? invalid_argument : fill_versioned(board.profiles[profile], info);
  });
}

CARVE_SIM_API Return nvmlDeviceGetGpuInstancePossiblePlacements_v2(Device device, unsigned id, Placement* places,
                                                                   unsigned* count) {
  return give_placements(Function::nvmlDeviceGetGpuInstancePossiblePlacements_v2, Needs::mig_config, device, id, places,
                         count);
}

CARVE_SIM_API Return nvmlDeviceGetGpuInstancePossiblePlacements(Device device, unsigned id, Placement* places,
                                                                unsigned* count) {
  return give_placements(Function::nvmlDeviceGetGpuInstancePossiblePlacements, Needs::mig_config, device, id, places,
                         count);
}

CARVE_SIM_API Return nvmlDeviceGetGpuInstanceRemainingCapacity(Device device, unsigned id, unsigned* count) {
  return look(Function::nvmlDeviceGetGpuInstanceRemainingCapacity, Needs::mig_config,
              [&](const Machine& machine) -> Return {
                int card = -1;
                if (const Return found = find_mig_card(machine, device, card); found != success) return found;
                if (count == nullptr) return invalid_argument;
                if (machine.now.cards[card].mode == mig_disabled) return not_supported;
                const Board& board = machine.boards.rows[card];
                const int profile = profile_with_id(board, id);
                if (profile < 0) return invalid_argument;
                *count = figure(remaining_capacity(board, machine.now.cards[card], profile));
                return success;
              });
}

}  // namespace carve::sim
