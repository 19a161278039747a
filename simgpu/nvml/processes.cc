// Lists of processes. Each list has three generations: the first has pid and memory only, the others say which
// instance. The caller says how many rows fit; too few is insufficient_size, with the number that is needed.
#include "simgpu/nvml/call.h"

namespace carve::sim {

namespace {

enum class List : std::uint8_t { compute, graphics, mps };

bool in_list(const Process& process, List list) {
  switch (list) {
    case List::compute:
      return process.kind == ProcessKind::compute || process.kind == ProcessKind::mps_server;
    case List::graphics:
      return process.kind == ProcessKind::graphics;
    case List::mps:
      return process.kind == ProcessKind::mps_client;
  }
  return false;
}

void fill(ProcessInfoV1& info, const Process& process) {
  info = {static_cast<std::uint32_t>(process.holder.pid), process.memory_bytes};
}

void fill(ProcessInfo& info, const Process& process) {
  info = {static_cast<std::uint32_t>(process.holder.pid), process.memory_bytes, process.gpu_instance,
          process.compute_instance};
}

// Over a whole card that is cut up, only who is privileged may see everybody.
Return where_of(const Machine& machine, Device device, Held& where) {
  DeviceTarget target;
  if (const Return found = find(machine, device, target); found != success) return found;
  where = {target.card};
  if (target.is_mig()) {
    where.gpu_instance = gpu_instance_at(machine, target.mig.gpu).id;
    where.compute_instance = compute_instance_at(machine, target.mig).id;
  } else if (machine.now.cards[target.card].mode == mig_enabled && !allowed(Needs::mig_config)) {
    return no_permission;
  }
  return success;
}

template <class Info>
Return give(Function function, List list, Device device, unsigned* count, Info* infos) {
  return look(function, [&](const Machine& machine) -> Return {
    Held where;
    if (const Return found = where_of(machine, device, where); found != success) return found;
    if (count == nullptr || (*count > 0 && infos == nullptr)) return invalid_argument;
    unsigned needed = 0;
    for (const Process& process : machine.now.processes) {
      if (!holds(process, where) || !in_list(process, list) || !alive(process.holder)) continue;
      if (needed < *count) fill(infos[needed], process);
      ++needed;
    }
    const bool fits = needed <= *count;
    *count = needed;
    return fits ? success : insufficient_size;
  });
}

}  // namespace

#define CARVE_SIM_PROCESS_LIST(name, list)                                             \
  CARVE_SIM_API Return name(Device device, unsigned* count, ProcessInfoV1* infos) {    \
    return give(Function::name, list, device, count, infos);                           \
  }                                                                                    \
  CARVE_SIM_API Return name##_v2(Device device, unsigned* count, ProcessInfo* infos) { \
    return give(Function::name##_v2, list, device, count, infos);                      \
  }                                                                                    \
  CARVE_SIM_API Return name##_v3(Device device, unsigned* count, ProcessInfo* infos) { \
    return give(Function::name##_v3, list, device, count, infos);                      \
  }

CARVE_SIM_PROCESS_LIST(nvmlDeviceGetComputeRunningProcesses, List::compute)
CARVE_SIM_PROCESS_LIST(nvmlDeviceGetGraphicsRunningProcesses, List::graphics)
CARVE_SIM_PROCESS_LIST(nvmlDeviceGetMPSComputeRunningProcesses, List::mps)

}  // namespace carve::sim
