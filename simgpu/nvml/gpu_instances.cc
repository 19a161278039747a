// Making, destroying and listing GPU instances.
#include "simgpu/nvml/call.h"

namespace carve::sim {

namespace {

// A card with MIG on, and one of its profiles.
struct Order {
  int card = -1;
  int profile = -1;
};

Return find_order(const Machine& machine, Device device, std::uint32_t id, Order& order) {
  if (const Return found = find_mig_card(machine, device, order.card); found != success) return found;
  if (machine.now.cards[order.card].mode == mig_disabled) return not_supported;
  order.profile = profile_with_id(machine.boards.rows[order.card], id);
  return order.profile < 0 ? invalid_argument : success;
}

// Compute slices of the profile that a slow call is about; 1 if there is none.
Slow slow_of(Device device, std::uint32_t id) noexcept {
  Guard guard;
  Access access(library.store, machine_folder(), LockKind::shared);
  Order order;
  if (access.fault() != StoreFault::none || find_order(access.machine(), device, id, order) != success) return {};
  return {order.card, access.machine().boards.rows[order.card].profiles[order.profile].compute_slices};
}

Slow slow_of(GpuInstanceHandle handle) noexcept {
  Guard guard;
  Access access(library.store, machine_folder(), LockKind::shared);
  GpuSlot slot;
  if (access.fault() != StoreFault::none || find(access.machine(), handle, slot) != success) return {};
  const GpuInstance& instance = gpu_instance_at(access.machine(), slot);
  return {slot.card, access.machine().boards.rows[slot.card].profiles[instance.profile].compute_slices};
}

Return create(Machine& machine, Order order, Span span, GpuInstanceHandle* instance) {
  GpuSlot made;
  if (const Return result = create_gpu_instance(machine, order.card, order.profile, span, made); result != success)
    return result;
  *instance = gpu_instance_handle(machine, made);
  return success;
}

}  // namespace

CARVE_SIM_API Return nvmlDeviceCreateGpuInstance(Device device, unsigned id, GpuInstanceHandle* instance) {
  take_time(SlowCall::create_gpu_instance, slow_of(device, id));
  return change(Function::nvmlDeviceCreateGpuInstance, Needs::mig_config, [&](Machine& machine) -> Return {
    Order order;
    if (const Return found = find_order(machine, device, id, order); found != success) return found;
    if (instance == nullptr) return invalid_argument;
    const auto span = choose_place(machine.boards.rows[order.card], machine.now.cards[order.card], order.profile);
    return span ? create(machine, order, *span, instance) : insufficient_resources;
  });
}

CARVE_SIM_API Return nvmlDeviceCreateGpuInstanceWithPlacement(Device device, unsigned id, const Placement* placement,
                                                              GpuInstanceHandle* instance) {
  take_time(SlowCall::create_gpu_instance, slow_of(device, id));
  return change(Function::nvmlDeviceCreateGpuInstanceWithPlacement, Needs::mig_config, [&](Machine& machine) -> Return {
    Order order;
    if (const Return found = find_order(machine, device, id, order); found != success) return found;
    if (instance == nullptr || placement == nullptr) return invalid_argument;
    if (placement->start >= max_starts || placement->size > max_starts) return invalid_argument;
    return create(machine, order, {static_cast<int>(placement->start), static_cast<int>(placement->size)}, instance);
  });
}

CARVE_SIM_API Return nvmlGpuInstanceDestroy(GpuInstanceHandle handle) {
  note_who_left();
  take_time(SlowCall::destroy_gpu_instance, slow_of(handle));
  return change(Function::nvmlGpuInstanceDestroy, Needs::mig_config, [&](Machine& machine) -> Return {
    GpuSlot slot;
    if (const Return found = find(machine, handle, slot); found != success) return found;
    forget_dead(machine.now, alive, now_us());
    return settles(machine, slot, now_us()) ? in_use : destroy_gpu_instance(machine, slot);
  });
}

// The caller brings room for as many as the profile's description says can exist.
CARVE_SIM_API Return nvmlDeviceGetGpuInstances(Device device, unsigned id, GpuInstanceHandle* instances,
                                               unsigned* count) {
  return look(Function::nvmlDeviceGetGpuInstances, Needs::mig_config, [&](const Machine& machine) -> Return {
    Order order;
    if (const Return found = find_order(machine, device, id, order); found != success) return found;
    if (instances == nullptr || count == nullptr) return invalid_argument;
    *count = 0;
    for (int slot = 0; slot < max_gpu_instances; ++slot) {
      const GpuInstance& instance = machine.now.cards[order.card].instances[slot];
      if (instance.used == 0 || instance.profile != order.profile) continue;
      instances[(*count)++] = gpu_instance_handle(machine, {order.card, slot});
    }
    return success;
  });
}

CARVE_SIM_API Return nvmlDeviceGetGpuInstanceById(Device device, unsigned id, GpuInstanceHandle* instance) {
  return look(Function::nvmlDeviceGetGpuInstanceById, Needs::mig_config, [&](const Machine& machine) -> Return {
    int card = -1;
    if (const Return found = find_mig_card(machine, device, card); found != success) return found;
    if (instance == nullptr) return invalid_argument;
    if (machine.now.cards[card].mode == mig_disabled) return not_supported;
    const int slot = gpu_instance_with_id(machine.now.cards[card], id);
    if (slot < 0) return not_found;
    *instance = gpu_instance_handle(machine, {card, slot});
    return success;
  });
}

CARVE_SIM_API Return nvmlGpuInstanceGetInfo(GpuInstanceHandle handle, GpuInstanceInfo* info) {
  return look(Function::nvmlGpuInstanceGetInfo, [&](const Machine& machine) -> Return {
    GpuSlot slot;
    if (const Return found = find(machine, handle, slot); found != success) return found;
    if (info == nullptr) return invalid_argument;
    const GpuInstance& instance = gpu_instance_at(machine, slot);
    const Profile& profile = machine.boards.rows[slot.card].profiles[instance.profile];
    *info = {device_handle(machine, slot.card),
             instance.id,
             static_cast<std::uint32_t>(profile.id),
             {instance.start, instance.size}};
    return success;
  });
}

}  // namespace carve::sim
