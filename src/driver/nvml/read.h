// Reading a whole machine through NVML, in the steps that the files of this folder are named after.
#pragma once

#include <chrono>
#include <map>

#include "driver/nvml/library.h"

namespace carve {

inline constexpr unsigned nvml_most_rows = 64;  // of profiles, places and instances of one card; a driver has fewer

using UseSince = std::optional<std::chrono::system_clock::time_point>;

// Cards by index, and how busy they are if a time is given. Error: environment, when not even their number can be had.
Result<Machine> read_through_nvml(const NvmlLibrary&, UseSince);
// How many there are, and one of them.
Result<unsigned> count_cards(const NvmlLibrary&);
LiveCard read_card(const NvmlLibrary&, unsigned index);

// What every step asks: NVML, and the device that it asks about.
struct NvmlAsk {
  const NvmlLibrary& nvml;
  NvmlDevice device = nullptr;

  Reading<std::string> text(const NvmlAskText&) const;
  Reading<int> number(const NvmlAskNumber&) const;
};

// identity.cc: names, address, memory and modes of a card.
void read_identity(const NvmlAsk&, LiveCard&);
Reading<MemoryUse> read_memory(const NvmlAsk&);

// profiles.cc: `total` goes into the names, where a driver tells none.
Reading<std::vector<LiveProfile>> read_profiles(const NvmlAsk&, Reading<MemoryUse> total);

// A MIG device: an instance with the handle for questions about it.
struct NvmlMigDevice {
  NvmlDevice device = nullptr;
  GpuInstanceId gpu_instance;
  ComputeInstanceId compute_instance;
};

// What a card that is cut consists of.
struct NvmlInstances {
  Reading<std::vector<LiveGpuInstance>> instances;
  std::vector<NvmlMigDevice> devices;
};

// instances.cc: from the GPU instances down, as only who is privileged may; else from the MIG devices up.
NvmlInstances read_instances(const NvmlAsk&, const std::vector<LiveProfile>&);

// The compute instance profiles that a GPU instance can have.
struct NvmlComputeShape {
  std::uint32_t id = 0;
  int slices = 0;
};
Reading<std::vector<NvmlComputeShape>> compute_shapes(const NvmlLibrary&, NvmlGpuInstance);

// mig_devices.cc: the MIG devices of a card by their indices, which have holes; and what instances follow from them.
Reading<std::vector<NvmlMigDevice>> walk_mig_devices(const NvmlAsk&);
Reading<std::vector<LiveGpuInstance>> instances_of_devices(const NvmlAsk&, const std::vector<NvmlMigDevice>&);

// occupants.cc: who holds the card, or its MIG devices.
void read_occupants(const NvmlAsk&, const std::vector<NvmlMigDevice>&, LiveCard&);

// use.cc: how busy the cards of the machine are, and what is on them. Takes 0.1 s where a card is cut.
void read_use(const NvmlLibrary&, std::chrono::system_clock::time_point since, Machine&);

}  // namespace carve
