// How cards, instances and their device files are called. Everything here follows from the boards and a place, so an
// instance that is made again at the same place has the same UUID, as with the real driver.
#pragma once

#include "simgpu/state/state.h"

namespace carve::sim {

// A UUID of version 5 in form, from a seed and what it is about.
Text<40> uuid_from(std::uint64_t seed, std::uint64_t subject);

struct InstancePlace {
  std::uint32_t gpu_instance;
  std::uint32_t compute_start;  // first compute slice of the compute instance
};

// "MIG-<uuid>"
Text<96> mig_uuid(const Board&, InstancePlace);
// "MIG-GPU-<uuid>/<gpu instance>/<compute instance>", of drivers before 470
Text<96> legacy_mig_uuid(const Board&, std::uint32_t gpu_instance, std::uint32_t compute_instance);
// "NVIDIA H100 80GB HBM3 MIG 1g.10gb"
Text<136> mig_name(const Board&, const GpuInstance&, const ComputeInstance&);
// "1c.3g.20gb", or the profile's name for an instance that has all slices
Text<48> compute_profile_name(const Profile&, int slices);

Text<32> bus_id(const Board&);         // "00000000:07:00.0"
Text<16> legacy_bus_id(const Board&);  // "0000:07:00.0"

// Minors of the capability devices. `gpu` is the minor of the card.
inline constexpr int config_minor = 1;
inline constexpr int monitor_minor = 2;
int gpu_instance_minor(int gpu_minor, int gpu_instance);
int compute_instance_minor(int gpu_minor, int gpu_instance, int compute_instance);

}  // namespace carve::sim
