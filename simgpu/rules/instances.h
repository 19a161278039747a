// GPU instances, compute instances, and the MIG devices that these are.
#pragma once

#include <span>

#include "simgpu/rules/places.h"

namespace carve::sim {

// Where an instance stands in the tables of a card; -1 where there is none.
struct GpuSlot {
  int card = -1;
  int instance = -1;
};
struct ComputeSlot {
  GpuSlot gpu;
  int compute = -1;
};

const GpuInstance& gpu_instance_at(const Machine&, GpuSlot);
const ComputeInstance& compute_instance_at(const Machine&, ComputeSlot);

// Slot of the instance with this id, or -1.
int gpu_instance_with_id(const Card&, std::uint32_t id);
int compute_instance_with_id(const GpuInstance&, std::uint32_t id);

// Both require that MIG is on. success fills `made`.
Return create_gpu_instance(Machine&, int card, int profile, Span, GpuSlot& made);
Return create_compute_instance(Machine&, GpuSlot, std::uint32_t profile, Span, ComputeSlot& made);
// in_use while it holds compute instances or processes.
Return destroy_gpu_instance(Machine&, GpuSlot);
Return destroy_compute_instance(Machine&, ComputeSlot);
// How long instances are in use after their last process left, as the chosen latency has it; and whether this one is.
int settle_ms(const Machine&);
bool settles(const Machine&, GpuSlot, std::uint64_t now_us);
void destroy_instances(Card&);

// A compute instance profile as it is on one GPU instance.
struct ComputeShape {
  int slices = 0;
  std::span<const std::uint8_t> starts;
};
// slices 0: the GPU instance has no such profile.
ComputeShape compute_shape(const Profile&, std::uint32_t compute_profile);
// The compute instance profile that has all slices of the GPU instance.
std::uint32_t whole_compute_profile(const Profile&);
int compute_multiprocessors(const Board&, const Profile&, int slices);
int remaining_compute_capacity(const Board&, const GpuInstance&, std::uint32_t compute_profile);
std::optional<Span> choose_compute_place(const Board&, const GpuInstance&, std::uint32_t compute_profile);

// The MIG device with this index; compute -1 if there is a hole.
ComputeSlot mig_device(const Machine&, int card, std::uint32_t index);

}  // namespace carve::sim
