// Compute instances: what a GPU instance can be cut into, making, destroying, listing.
#include <cstdio>

#include "simgpu/nvml/call.h"

namespace carve::sim {

namespace {

// A GPU instance, with what belongs to it.
struct Inside {
  GpuSlot slot;
  const Board* board = nullptr;
  const GpuInstance* instance = nullptr;
  const Profile* profile = nullptr;
};

Return find_inside(const Machine& machine, GpuInstanceHandle handle, Inside& inside) {
  if (const Return found = find(machine, handle, inside.slot); found != success) return found;
  inside.board = &machine.boards.rows[inside.slot.card];
  inside.instance = &gpu_instance_at(machine, inside.slot);
  inside.profile = &inside.board->profiles[inside.instance->profile];
  return success;
}

// A question about one compute instance profile (by its id, which is its enumerator) of one GPU instance.
template <class Ask>
Return ask_shape(Function function, GpuInstanceHandle handle, unsigned id, const Ask& ask) {
  return look(function, Needs::mig_config, [&](const Machine& machine) -> Return {
    Inside inside;
    if (const Return found = find_inside(machine, handle, inside); found != success) return found;
    const ComputeShape shape = compute_shape(*inside.profile, id);
    return shape.slices == 0 ? invalid_argument : ask(inside, shape);
  });
}

ComputeProfileInfo figures_of(const Inside& inside, std::uint32_t id, const ComputeShape& shape) {
  const auto figure = [](int value) { return static_cast<std::uint32_t>(value); };
  const Profile& profile = *inside.profile;
  return {id,
          figure(shape.slices),
          static_cast<std::uint32_t>(shape.starts.size()),
          figure(compute_multiprocessors(*inside.board, profile, shape.slices)),
          figure(profile.copy_engines),
          figure(profile.decoders),
          figure(profile.encoders),
          figure(profile.jpeg_engines),
          figure(profile.ofa_engines)};
}

// Description by enumerator: past the enumeration, or a profile that this GPU instance does not have.
template <class Fill>
Return describe(Function function, GpuInstanceHandle handle, unsigned profile, unsigned engine, const Fill& fill) {
  return look(function, [&](const Machine& machine) -> Return {
    Inside inside;
    if (const Return found = find_inside(machine, handle, inside); found != success) return found;
    if (profile >= compute_profile_count || engine >= engine_profile_count) return invalid_argument;
    const ComputeShape shape = compute_shape(*inside.profile, profile);
    return shape.slices == 0 ? not_supported : fill(inside, shape);
  });
}

Return create(Machine& machine, GpuSlot slot, std::uint32_t profile, Span span, ComputeInstanceHandle* compute) {
  ComputeSlot made;
  if (const Return result = create_compute_instance(machine, slot, profile, span, made); result != success)
    return result;
  *compute = compute_instance_handle(machine, made);
  return success;
}

// The device in the answer is the card for the old call, the MIG device for the new one.
enum class DeviceMeant : std::uint8_t { card, mig_device };

Return give_info(Function function, ComputeInstanceHandle handle, ComputeInstanceInfo* info, DeviceMeant meant) {
  return look(function, [&](const Machine& machine) -> Return {
    ComputeSlot slot;
    if (const Return found = find(machine, handle, slot); found != success) return found;
    if (info == nullptr) return invalid_argument;
    const ComputeInstance& compute = compute_instance_at(machine, slot);
    *info = {meant == DeviceMeant::card ? device_handle(machine, slot.gpu.card)
                                        : mig_handle(machine, slot.gpu.card, compute.mig_index),
             gpu_instance_handle(machine, slot.gpu),
             compute.id,
             compute.profile,
             {compute.start, compute.size}};
    return success;
  });
}

template <class Info>
void fill_named(Info& info, const Inside& inside, std::uint32_t id, const ComputeShape& shape) {
  info.figures = figures_of(inside, id, shape);
  std::snprintf(info.name, sizeof info.name, "MIG %s", compute_profile_name(*inside.profile, shape.slices).bytes);
}

}  // namespace

CARVE_SIM_API Return nvmlGpuInstanceGetComputeInstanceProfileInfo(GpuInstanceHandle handle, unsigned profile,
                                                                  unsigned engine, ComputeProfileInfo* info) {
  return describe(Function::nvmlGpuInstanceGetComputeInstanceProfileInfo, handle, profile, engine,
                  [&](const Inside& inside, const ComputeShape& shape) -> Return {
                    if (info == nullptr) return invalid_argument;
                    *info = figures_of(inside, profile, shape);
                    return success;
                  });
}

CARVE_SIM_API Return nvmlGpuInstanceGetComputeInstanceProfileInfoV(GpuInstanceHandle handle, unsigned profile,
                                                                   unsigned engine, ComputeProfileInfoV2* info) {
  return describe(Function::nvmlGpuInstanceGetComputeInstanceProfileInfoV, handle, profile, engine,
                  [&](const Inside& inside, const ComputeShape& shape) -> Return {
                    if (info == nullptr) return invalid_argument;
                    if (info->version == version_of<ComputeProfileInfoV2>(2)) {
                      fill_named(*info, inside, profile, shape);
                      return success;
                    }
                    if (info->version != version_of<ComputeProfileInfoV3>(3)) return invalid_argument;
                    ComputeProfileInfoV3 filled{};
                    filled.version = info->version;
                    fill_named(filled, inside, profile, shape);
                    filled.capabilities = inside.profile->graphics != 0 ? compute_profile_capability_graphics : 0;
                    std::memcpy(static_cast<void*>(info), &filled, sizeof filled);
                    return success;
                  });
}

CARVE_SIM_API Return nvmlGpuInstanceGetComputeInstanceRemainingCapacity(GpuInstanceHandle handle, unsigned id,
                                                                        unsigned* count) {
  return ask_shape(Function::nvmlGpuInstanceGetComputeInstanceRemainingCapacity, handle, id,
                   [&](const Inside& inside, const ComputeShape&) -> Return {
                     if (count == nullptr) return invalid_argument;
                     *count = static_cast<unsigned>(remaining_compute_capacity(*inside.board, *inside.instance, id));
                     return success;
                   });
}

CARVE_SIM_API Return nvmlGpuInstanceGetComputeInstancePossiblePlacements(GpuInstanceHandle handle, unsigned id,
                                                                         Placement* places, unsigned* count) {
  return ask_shape(Function::nvmlGpuInstanceGetComputeInstancePossiblePlacements, handle, id,
                   [&](const Inside&, const ComputeShape& shape) -> Return {
                     if (count == nullptr) return invalid_argument;
                     *count = 0;
                     for (const std::uint8_t start : shape.starts) {
                       if (places != nullptr) places[*count] = {start, static_cast<std::uint32_t>(shape.slices)};
                       ++*count;
                     }
                     return success;
                   });
}

CARVE_SIM_API Return nvmlGpuInstanceCreateComputeInstance(GpuInstanceHandle handle, unsigned id,
                                                          ComputeInstanceHandle* compute) {
  return change(Function::nvmlGpuInstanceCreateComputeInstance, Needs::mig_config, [&](Machine& machine) -> Return {
    Inside inside;
    if (const Return found = find_inside(machine, handle, inside); found != success) return found;
    if (compute == nullptr || compute_shape(*inside.profile, id).slices == 0) return invalid_argument;
    const auto span = choose_compute_place(*inside.board, *inside.instance, id);
    return span ? create(machine, inside.slot, id, *span, compute) : insufficient_resources;
  });
}

CARVE_SIM_API Return nvmlGpuInstanceCreateComputeInstanceWithPlacement(GpuInstanceHandle handle, unsigned id,
                                                                       const Placement* placement,
                                                                       ComputeInstanceHandle* compute) {
  return change(Function::nvmlGpuInstanceCreateComputeInstanceWithPlacement, Needs::mig_config,
                [&](Machine& machine) -> Return {
                  Inside inside;
                  if (const Return found = find_inside(machine, handle, inside); found != success) return found;
                  if (compute == nullptr || placement == nullptr) return invalid_argument;
                  if (placement->start >= max_starts || placement->size > max_starts) return invalid_argument;
                  const Span span{static_cast<int>(placement->start), static_cast<int>(placement->size)};
                  return create(machine, inside.slot, id, span, compute);
                });
}

CARVE_SIM_API Return nvmlComputeInstanceDestroy(ComputeInstanceHandle handle) {
  note_who_left();
  return change(Function::nvmlComputeInstanceDestroy, Needs::mig_config, [&](Machine& machine) -> Return {
    ComputeSlot slot;
    if (const Return found = find(machine, handle, slot); found != success) return found;
    forget_dead(machine.now, alive, now_us());
    return settles(machine, slot.gpu, now_us()) ? in_use : destroy_compute_instance(machine, slot);
  });
}

CARVE_SIM_API Return nvmlGpuInstanceGetComputeInstances(GpuInstanceHandle handle, unsigned id,
                                                        ComputeInstanceHandle* instances, unsigned* count) {
  return look(Function::nvmlGpuInstanceGetComputeInstances, Needs::mig_config, [&](const Machine& machine) -> Return {
    Inside inside;
    if (const Return found = find_inside(machine, handle, inside); found != success) return found;
    if (instances == nullptr || count == nullptr || compute_shape(*inside.profile, id).slices == 0)
      return invalid_argument;
    *count = 0;
    for (int slot = 0; slot < max_compute_instances; ++slot) {
      const ComputeInstance& compute = inside.instance->compute[slot];
      if (compute.used == 0 || compute.profile != id) continue;
      instances[(*count)++] = compute_instance_handle(machine, {inside.slot, slot});
    }
    return success;
  });
}

CARVE_SIM_API Return nvmlGpuInstanceGetComputeInstanceById(GpuInstanceHandle handle, unsigned id,
                                                           ComputeInstanceHandle* compute) {
  return look(Function::nvmlGpuInstanceGetComputeInstanceById, Needs::mig_config,
              [&](const Machine& machine) -> Return {
                Inside inside;
                if (const Return found = find_inside(machine, handle, inside); found != success) return found;
                if (compute == nullptr) return invalid_argument;
                const int slot = compute_instance_with_id(*inside.instance, id);
                if (slot < 0) return not_found;
                *compute = compute_instance_handle(machine, {inside.slot, slot});
                return success;
              });
}

CARVE_SIM_API Return nvmlComputeInstanceGetInfo(ComputeInstanceHandle handle, ComputeInstanceInfo* info) {
  return give_info(Function::nvmlComputeInstanceGetInfo, handle, info, DeviceMeant::card);
}

CARVE_SIM_API Return nvmlComputeInstanceGetInfo_v2(ComputeInstanceHandle handle, ComputeInstanceInfo* info) {
  return give_info(Function::nvmlComputeInstanceGetInfo_v2, handle, info, DeviceMeant::mig_device);
}

}  // namespace carve::sim
