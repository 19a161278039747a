// Memory of cards and MIG devices, and what the latter have of everything else.
#include "simgpu/nvml/call.h"

namespace carve::sim {

namespace {

struct Usage {
  std::uint64_t total = 0;
  std::uint64_t used = 0;
};

Return usage_of(const Machine& machine, Device device, Usage& usage) {
  DeviceTarget target;
  if (const Return found = find(machine, device, target); found != success) return found;
  Held where{target.card};
  if (target.is_mig()) where.gpu_instance = gpu_instance_at(machine, target.mig.gpu).id;
  usage.total = memory_of(machine, where);
  for (const Process& process : machine.now.processes) {
    if (holds(process, where) && alive(process.holder)) usage.used += process.memory_bytes;
  }
  return success;
}

}  // namespace

CARVE_SIM_API Return nvmlDeviceGetMemoryInfo(Device device, MemoryInfo* memory) {
  return look(Function::nvmlDeviceGetMemoryInfo, [&](const Machine& machine) -> Return {
    Usage usage;
    if (const Return found = usage_of(machine, device, usage); found != success) return found;
    if (memory == nullptr) return invalid_argument;
    *memory = {usage.total, usage.total - usage.used, usage.used};
    return success;
  });
}

// A simulated driver keeps no memory for itself, so nothing is reserved.
CARVE_SIM_API Return nvmlDeviceGetMemoryInfo_v2(Device device, MemoryInfoV2* memory) {
  return look(Function::nvmlDeviceGetMemoryInfo_v2, [&](const Machine& machine) -> Return {
    Usage usage;
    if (const Return found = usage_of(machine, device, usage); found != success) return found;
    if (memory == nullptr || memory->version != version_of<MemoryInfoV2>(2)) return invalid_argument;
    *memory = {memory->version, usage.total, 0, usage.total - usage.used, usage.used};
    return success;
  });
}

CARVE_SIM_API Return nvmlDeviceGetAttributes_v2(Device device, Attributes* attributes) {
  return look(Function::nvmlDeviceGetAttributes_v2, [&](const Machine& machine) -> Return {
    DeviceTarget target;
    if (const Return found = find(machine, device, target); found != success) return found;
    if (attributes == nullptr) return invalid_argument;
    if (!target.is_mig()) return not_supported;
    const Board& board = machine.boards.rows[target.card];
    const Profile& profile = board.profiles[gpu_instance_at(machine, target.mig.gpu).profile];
    const ComputeInstance& compute = compute_instance_at(machine, target.mig);
    const auto figure = [](int value) { return static_cast<std::uint32_t>(value); };
    *attributes = {figure(compute_multiprocessors(board, profile, compute.size)),
                   figure(profile.copy_engines),
                   figure(profile.decoders),
                   figure(profile.encoders),
                   figure(profile.jpeg_engines),
                   figure(profile.ofa_engines),
                   figure(profile.compute_slices),
                   compute.size,
                   static_cast<std::uint64_t>(profile.memory_mib)};
    return success;
  });
}

}  // namespace carve::sim
