#include "simgpu/nvml/handles.h"

namespace carve::sim {

namespace {

enum class Kind : std::uint8_t { device = 1, mig, gpu_instance, compute_instance, event_set, sample };

struct Decoded {
  Kind kind;
  std::uint8_t card, first, second;
  std::uint32_t generation;  // 24 bits
};

constexpr std::uint64_t mark = 0x5;  // the lowest bits: no aligned pointer and no small number has them

std::uint64_t encode(Decoded parts) {
  return mark | static_cast<std::uint64_t>(parts.kind) << 4 | static_cast<std::uint64_t>(parts.card) << 8 |
         static_cast<std::uint64_t>(parts.first) << 16 | static_cast<std::uint64_t>(parts.second) << 24 |
         static_cast<std::uint64_t>(parts.generation & 0xffffff) << 32 | std::uint64_t{0x4c} << 56;
}

template <class Handle>
Handle handle_of(Decoded parts) {
  return reinterpret_cast<Handle>(encode(parts));  // NOLINT(performance-no-int-to-ptr): opaque to everyone
}

template <class Handle>
bool decode(Handle handle, Decoded& parts) {
  const auto bits = reinterpret_cast<std::uint64_t>(handle);
  parts = {static_cast<Kind>((bits >> 4) & 0xf), static_cast<std::uint8_t>(bits >> 8),
           static_cast<std::uint8_t>(bits >> 16), static_cast<std::uint8_t>(bits >> 24),
           static_cast<std::uint32_t>((bits >> 32) & 0xffffff)};
  return bits == encode(parts);
}

bool same_generation(std::uint32_t generation, std::uint32_t of_instance) {
  return generation == (of_instance & 0xffffff);
}

Return check_card(const Machine& machine, int card) {
  if (card >= machine.boards.count) return invalid_argument;
  return machine.now.cards[card].lost != 0 ? gpu_is_lost : success;
}

std::uint8_t byte(int value) { return static_cast<std::uint8_t>(value); }

}  // namespace

Device device_handle(const Machine& machine, int card) {
  return handle_of<Device>({Kind::device, byte(card), 0, 0, machine.now.cards[card].resets});
}

Device mig_handle(const Machine& machine, int card, std::uint32_t index) {
  return handle_of<Device>(
      {Kind::mig, byte(card), static_cast<std::uint8_t>(index), 0, machine.now.cards[card].resets});
}

GpuInstanceHandle gpu_instance_handle(const Machine& machine, GpuSlot slot) {
  return handle_of<GpuInstanceHandle>(
      {Kind::gpu_instance, byte(slot.card), byte(slot.instance), 0, gpu_instance_at(machine, slot).serial});
}

ComputeInstanceHandle compute_instance_handle(const Machine& machine, ComputeSlot slot) {
  return handle_of<ComputeInstanceHandle>({Kind::compute_instance, byte(slot.gpu.card), byte(slot.gpu.instance),
                                           byte(slot.compute), compute_instance_at(machine, slot).serial});
}

Return find(const Machine& machine, Device device, DeviceTarget& target) {
  Decoded parts{};
  if (!decode(device, parts) || (parts.kind != Kind::device && parts.kind != Kind::mig)) return invalid_argument;
  if (const Return card = check_card(machine, parts.card); card != success) return card;
  if (!same_generation(parts.generation, machine.now.cards[parts.card].resets)) return invalid_argument;
  target = {parts.card, {}};
  if (parts.kind == Kind::device) return success;
  target.mig = mig_device(machine, parts.card, parts.first);
  return target.is_mig() ? success : invalid_argument;
}

Return find_card(const Machine& machine, Device device, int& card) {
  DeviceTarget target;
  if (const Return found = find(machine, device, target); found != success) return found;
  card = target.card;
  return target.is_mig() ? invalid_argument : success;
}

Return find_mig_card(const Machine& machine, Device device, int& card) {
  if (const Return found = find_card(machine, device, card); found != success) return found;
  return machine.boards.rows[card].compute_slices == 0 ? not_supported : success;
}

Return find(const Machine& machine, GpuInstanceHandle handle, GpuSlot& slot) {
  Decoded parts{};
  if (!decode(handle, parts) || parts.kind != Kind::gpu_instance || parts.first >= max_gpu_instances)
    return invalid_argument;
  if (const Return card = check_card(machine, parts.card); card != success) return card;
  slot = {parts.card, parts.first};
  const GpuInstance& instance = gpu_instance_at(machine, slot);
  return instance.used != 0 && same_generation(parts.generation, instance.serial) ? success : invalid_argument;
}

Return find(const Machine& machine, ComputeInstanceHandle handle, ComputeSlot& slot) {
  Decoded parts{};
  if (!decode(handle, parts) || parts.kind != Kind::compute_instance || parts.first >= max_gpu_instances ||
      parts.second >= max_compute_instances)
    return invalid_argument;
  if (const Return card = check_card(machine, parts.card); card != success) return card;
  slot = {{parts.card, parts.first}, parts.second};
  if (gpu_instance_at(machine, slot.gpu).used == 0) return invalid_argument;
  const ComputeInstance& instance = compute_instance_at(machine, slot);
  return instance.used != 0 && same_generation(parts.generation, instance.serial) ? success : invalid_argument;
}

EventSet event_set_handle(int row) {
  return handle_of<EventSet>({Kind::event_set, byte(row), 0, 0, library.event_sets[row].generation});
}

GpmSample sample_handle(int row) {
  return handle_of<GpmSample>({Kind::sample, byte(row), 0, 0, library.samples[row].generation});
}

EventSetRow* find(EventSet set) {
  Decoded parts{};
  if (!decode(set, parts) || parts.kind != Kind::event_set || parts.card >= max_event_sets) return nullptr;
  EventSetRow& row = library.event_sets[parts.card];
  return row.used && same_generation(parts.generation, row.generation) ? &row : nullptr;
}

GpmSampleRow* find(GpmSample sample) {
  Decoded parts{};
  if (!decode(sample, parts) || parts.kind != Kind::sample) return nullptr;
  GpmSampleRow& row = library.samples[parts.card];
  return row.used && same_generation(parts.generation, row.generation) ? &row : nullptr;
}

}  // namespace carve::sim
