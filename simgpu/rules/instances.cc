// A compute instance takes a stretch of the compute slices of its GPU instance; its id is the lowest that is free, and
// so is the index of its MIG device on the card. Indices are not moved up when one is destroyed: there are holes.
#include "simgpu/rules/instances.h"

#include <algorithm>

#include "simgpu/rules/latency.h"
#include "simgpu/rules/occupants.h"

namespace carve::sim {

namespace {

// What compute instance profiles a GPU instance of so many slices has, and where they start. Known from the listings of
// the A100; the other cards get the same.
struct ComputeRow {
  int gpu_slices;
  std::uint32_t profile;
  int slices;
  std::uint8_t start_count;
  std::uint8_t starts[max_compute_instances];
};
constexpr ComputeRow compute_rows[] = {
    {1, 0, 1, 1, {0}},          {2, 0, 1, 2, {0, 1}},
    {2, 1, 2, 1, {0}},          {3, 0, 1, 3, {0, 1, 2}},
    {3, 1, 2, 1, {0}},          {3, 2, 3, 1, {0}},
    {4, 0, 1, 4, {0, 1, 2, 3}}, {4, 1, 2, 2, {0, 2}},
    {4, 3, 4, 1, {0}},          {7, 0, 1, 7, {0, 1, 2, 3, 4, 5, 6}},
    {7, 1, 2, 3, {0, 2, 4}},    {7, 2, 3, 2, {0, 4}},
    {7, 4, 7, 1, {0}},
};

bool vacant(const GpuInstance& instance, Span span) {
  return std::none_of(std::begin(instance.compute), std::end(instance.compute), [&](const ComputeInstance& compute) {
    return compute.used != 0 && compute.start < span.start + span.size && span.start < compute.start + compute.size;
  });
}

template <class Rows>
int free_row(const Rows& rows) {
  const auto found = std::find_if(std::begin(rows), std::end(rows), [](const auto& row) { return row.used == 0; });
  return found == std::end(rows) ? -1 : static_cast<int>(found - std::begin(rows));
}

// The lowest number below `limit` that `taken` does not say is taken, or -1.
template <class Taken>
int lowest_free(int limit, const Taken& taken) {
  for (int number = 0; number < limit; ++number) {
    if (!taken(number)) return number;
  }
  return -1;
}

bool has_mig_index(const Card& card, int index) {
  for (const GpuInstance& instance : card.instances) {
    if (instance.used == 0) continue;
    for (const ComputeInstance& compute : instance.compute) {
      if (compute.used != 0 && compute.mig_index == index) return true;
    }
  }
  return false;
}

}  // namespace

const GpuInstance& gpu_instance_at(const Machine& machine, GpuSlot slot) {
  return machine.now.cards[slot.card].instances[slot.instance];
}

const ComputeInstance& compute_instance_at(const Machine& machine, ComputeSlot slot) {
  return gpu_instance_at(machine, slot.gpu).compute[slot.compute];
}

int gpu_instance_with_id(const Card& card, std::uint32_t id) {
  for (int slot = 0; slot < max_gpu_instances; ++slot) {
    if (card.instances[slot].used != 0 && card.instances[slot].id == id) return slot;
  }
  return -1;
}

int compute_instance_with_id(const GpuInstance& instance, std::uint32_t id) {
  for (int slot = 0; slot < max_compute_instances; ++slot) {
    if (instance.compute[slot].used != 0 && instance.compute[slot].id == id) return slot;
  }
  return -1;
}

Return create_gpu_instance(Machine& machine, int card, int profile, Span span, GpuSlot& made) {
  const Board& board = machine.boards.rows[card];
  Card& state = machine.now.cards[card];
  if (const Return fits = can_place(board, state, profile, span); fits != success) return fits;
  const int slot = free_row(state.instances);
  if (slot < 0) return insufficient_resources;
  GpuInstance& instance = state.instances[slot];
  instance = {};
  instance.used = 1;
  instance.id = static_cast<std::uint8_t>(instance_id(board, span));
  instance.profile = static_cast<std::uint8_t>(profile);
  instance.start = static_cast<std::uint8_t>(span.start);
  instance.size = static_cast<std::uint8_t>(span.size);
  instance.serial = ++machine.now.serials;
  made = {card, slot};
  return success;
}

Return create_compute_instance(Machine& machine, GpuSlot gpu, std::uint32_t profile, Span span, ComputeSlot& made) {
  Card& card = machine.now.cards[gpu.card];
  GpuInstance& instance = card.instances[gpu.instance];
  const Profile& gpu_profile = machine.boards.rows[gpu.card].profiles[instance.profile];
  const ComputeShape shape = compute_shape(gpu_profile, profile);
  if (shape.slices == 0 || span.size != shape.slices) return invalid_argument;
  if (std::find(shape.starts.begin(), shape.starts.end(), span.start) == shape.starts.end()) return invalid_argument;
  if (!vacant(instance, span)) return insufficient_resources;
  const int slot = free_row(instance.compute);
  const int index = lowest_free(max_compute_instances, [&](int number) { return has_mig_index(card, number); });
  if (slot < 0 || index < 0) return insufficient_resources;
  const int id = lowest_free(max_compute_instances, [&](int number) {
    return compute_instance_with_id(instance, static_cast<std::uint32_t>(number)) >= 0;
  });
  ComputeInstance& compute = instance.compute[slot];
  compute = {};
  compute.used = 1;
  compute.id = static_cast<std::uint8_t>(id);
  compute.profile = static_cast<std::uint8_t>(profile);
  compute.start = static_cast<std::uint8_t>(span.start);
  compute.size = static_cast<std::uint8_t>(span.size);
  compute.mig_index = static_cast<std::uint8_t>(index);
  compute.serial = ++machine.now.serials;
  made = {gpu, slot};
  return success;
}

Return destroy_gpu_instance(Machine& machine, GpuSlot slot) {
  GpuInstance& instance = machine.now.cards[slot.card].instances[slot.instance];
  for (const ComputeInstance& compute : instance.compute) {
    if (compute.used != 0) return in_use;
  }
  if (holders_of_gpu_instance(machine.now, slot.card, instance.id) > 0) return in_use;
  instance = {};
  return success;
}

Return destroy_compute_instance(Machine& machine, ComputeSlot slot) {
  GpuInstance& instance = machine.now.cards[slot.gpu.card].instances[slot.gpu.instance];
  ComputeInstance& compute = instance.compute[slot.compute];
  if (holders_of_compute_instance(machine.now, slot.gpu.card, instance.id, compute.id) > 0) return in_use;
  compute = {};
  return success;
}

int settle_ms(const Machine& machine) {
  const auto rows = latency_rows();
  return machine.now.latency < rows.size() ? rows[machine.now.latency].settle_ms : 0;
}

bool settles(const Machine& machine, GpuSlot slot, std::uint64_t now_us) {
  const std::uint64_t left_us = gpu_instance_at(machine, slot).left_us;
  return left_us != 0 && now_us < left_us + static_cast<std::uint64_t>(settle_ms(machine)) * 1000;
}

void destroy_instances(Card& card) {
  for (GpuInstance& instance : card.instances) instance = {};
}

ComputeShape compute_shape(const Profile& profile, std::uint32_t compute_profile) {
  for (const ComputeRow& row : compute_rows) {
    if (row.gpu_slices == profile.compute_slices && row.profile == compute_profile)
      return {row.slices, {row.starts, row.start_count}};
  }
  return {};
}

std::uint32_t whole_compute_profile(const Profile& profile) {
  for (const ComputeRow& row : compute_rows) {
    if (row.gpu_slices == profile.compute_slices && row.slices == profile.compute_slices) return row.profile;
  }
  return compute_profile_count;
}

// A part of an instance gets so many times what the smallest profile has: on the A100 that is what listings show.
int compute_multiprocessors(const Board& board, const Profile& profile, int slices) {
  if (slices == profile.compute_slices) return profile.multiprocessors;
  const int smallest = profile_with_enumerator(board, 0);
  const int each =
      smallest < 0 ? profile.multiprocessors / profile.compute_slices : board.profiles[smallest].multiprocessors;
  return std::min(each * slices, profile.multiprocessors);
}

int remaining_compute_capacity(const Board& board, const GpuInstance& instance, std::uint32_t compute_profile) {
  const ComputeShape shape = compute_shape(board.profiles[instance.profile], compute_profile);
  return static_cast<int>(std::count_if(shape.starts.begin(), shape.starts.end(), [&](std::uint8_t start) {
    return vacant(instance, {start, shape.slices});
  }));
}

std::optional<Span> choose_compute_place(const Board& board, const GpuInstance& instance,
                                         std::uint32_t compute_profile) {
  const ComputeShape shape = compute_shape(board.profiles[instance.profile], compute_profile);
  for (const std::uint8_t start : shape.starts) {
    if (vacant(instance, {start, shape.slices})) return Span{start, shape.slices};
  }
  return std::nullopt;
}

ComputeSlot mig_device(const Machine& machine, int card, std::uint32_t index) {
  const Card& state = machine.now.cards[card];
  for (int gpu = 0; gpu < max_gpu_instances; ++gpu) {
    const GpuInstance& instance = state.instances[gpu];
    if (instance.used == 0) continue;
    for (int slot = 0; slot < max_compute_instances; ++slot) {
      const ComputeInstance& compute = instance.compute[slot];
      if (compute.used != 0 && compute.mig_index == index) return {{card, gpu}, slot};
    }
  }
  return {};
}

}  // namespace carve::sim
