// MIG mode, and MIG devices.
#include <unistd.h>

#include "simgpu/nvml/call.h"

namespace carve::sim {

CARVE_SIM_API Return nvmlDeviceGetMigMode(Device device, unsigned* current, unsigned* pending) {
  return look(Function::nvmlDeviceGetMigMode, [&](const Machine& machine) -> Return {
    int card = -1;
    if (const Return found = find_mig_card(machine, device, card); found != success) return found;
    if (current == nullptr || pending == nullptr) return invalid_argument;
    *current = machine.now.cards[card].mode;
    *pending = machine.now.cards[card].pending_mode;
    return success;
  });
}

CARVE_SIM_API Return nvmlDeviceSetMigMode(Device device, unsigned mode, Return* activation) {
  return change(Function::nvmlDeviceSetMigMode, Needs::root, [&](Machine& machine) -> Return {
    int card = -1;
    if (const Return found = find_mig_card(machine, device, card); found != success) return found;
    if (activation == nullptr) return invalid_argument;
    forget_dead(machine.now, alive, now_us());
    const ModeResult result = set_mig_mode(machine, card, mode, ::getpid());
    *activation = result.activation;
    return result.result;
  });
}

CARVE_SIM_API Return nvmlDeviceGetMaxMigDeviceCount(Device device, unsigned* count) {
  return look(Function::nvmlDeviceGetMaxMigDeviceCount, [&](const Machine& machine) -> Return {
    int card = -1;
    if (const Return found = find_card(machine, device, card); found != success) return found;
    if (count == nullptr) return invalid_argument;
    const bool on = machine.now.cards[card].mode == mig_enabled;
    *count = on ? static_cast<unsigned>(machine.boards.rows[card].compute_slices) : 0;
    return success;
  });
}

CARVE_SIM_API Return nvmlDeviceGetMigDeviceHandleByIndex(Device device, unsigned index, Device* mig) {
  take_time(SlowCall::mig_handle, {});
  return look(Function::nvmlDeviceGetMigDeviceHandleByIndex, [&](const Machine& machine) -> Return {
    int card = -1;
    if (const Return found = find_mig_card(machine, device, card); found != success) return found;
    if (mig == nullptr) return invalid_argument;
    if (machine.now.cards[card].mode == mig_disabled) return not_supported;
    if (index >= static_cast<unsigned>(machine.boards.rows[card].compute_slices)) return invalid_argument;
    if (mig_device(machine, card, index).compute < 0) return not_found;
    *mig = mig_handle(machine, card, index);
    return success;
  });
}

CARVE_SIM_API Return nvmlDeviceIsMigDeviceHandle(Device device, unsigned* is_mig) {
  return look(Function::nvmlDeviceIsMigDeviceHandle, [&](const Machine& machine) -> Return {
    DeviceTarget target;
    if (const Return found = find(machine, device, target); found != success) return found;
    if (is_mig == nullptr) return invalid_argument;
    *is_mig = target.is_mig() ? 1 : 0;
    return success;
  });
}

CARVE_SIM_API Return nvmlDeviceGetDeviceHandleFromMigDeviceHandle(Device mig, Device* device) {
  return look(Function::nvmlDeviceGetDeviceHandleFromMigDeviceHandle, [&](const Machine& machine) -> Return {
    DeviceTarget target;
    if (const Return found = find(machine, mig, target); found != success) return found;
    if (device == nullptr || !target.is_mig()) return invalid_argument;
    *device = device_handle(machine, target.card);
    return success;
  });
}

CARVE_SIM_API Return nvmlDeviceGetGpuInstanceId(Device device, unsigned* id) {
  return look(Function::nvmlDeviceGetGpuInstanceId, [&](const Machine& machine) -> Return {
    DeviceTarget target;
    if (const Return found = find(machine, device, target); found != success) return found;
    if (id == nullptr || !target.is_mig()) return invalid_argument;
    *id = gpu_instance_at(machine, target.mig.gpu).id;
    return success;
  });
}

CARVE_SIM_API Return nvmlDeviceGetComputeInstanceId(Device device, unsigned* id) {
  return look(Function::nvmlDeviceGetComputeInstanceId, [&](const Machine& machine) -> Return {
    DeviceTarget target;
    if (const Return found = find(machine, device, target); found != success) return found;
    if (id == nullptr || !target.is_mig()) return invalid_argument;
    *id = compute_instance_at(machine, target.mig).id;
    return success;
  });
}

}  // namespace carve::sim
