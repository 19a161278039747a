// The structs of NVML as they lie in memory on 64-bit Linux. layout.cc holds every size and offset against the public
// facts; members that these facts do not name are padding.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simgpu/abi/codes.h"

namespace carve::sim {

// Handles are opaque and as wide as a pointer. They are different types so that no call takes the wrong one.
using Device = struct OpaqueDevice*;
using GpuInstanceHandle = struct OpaqueGpuInstance*;
using ComputeInstanceHandle = struct OpaqueComputeInstance*;
using EventSet = struct OpaqueEventSet*;
using GpmSample = struct OpaqueGpmSample*;

// The version member of a versioned struct.
template <class Struct>
constexpr std::uint32_t version_of(std::uint32_t version) {
  return static_cast<std::uint32_t>(sizeof(Struct)) | (version << 24);
}

struct PciInfo {
  char bus_id_legacy[16];
  std::uint32_t domain, bus, device;
  std::uint32_t device_id;  // device in the high half, vendor in the low
  std::uint32_t subsystem_id;
  char bus_id[32];
};

struct MemoryInfo {
  std::uint64_t total, free, used;
};

struct MemoryInfoV2 {
  std::uint32_t version;
  std::uint64_t total, reserved, free, used;
};

struct Utilization {
  std::uint32_t gpu, memory;
};

struct ProcessInfoV1 {
  std::uint32_t pid;
  std::uint64_t used_memory;
};

struct ProcessInfo {
  std::uint32_t pid;
  std::uint64_t used_memory;
  std::uint32_t gpu_instance, compute_instance;
};

struct Attributes {
  std::uint32_t multiprocessors;
  std::uint32_t copy_engines, decoders, encoders, jpeg_engines, ofa_engines;
  std::uint32_t gpu_slices, compute_slices;
  std::uint64_t memory_mib;
};

struct EventDataV1 {
  Device device;
  std::uint64_t type, data;
};

struct EventData {
  Device device;
  std::uint64_t type, data;
  std::uint32_t gpu_instance, compute_instance;
};

struct ProcessSample {
  std::uint32_t pid;
  std::uint64_t time_us;
  std::uint32_t sm, memory, encoder, decoder;  // percent
};

struct Placement {
  std::uint32_t start, size;
};

struct GpuProfileInfo {
  std::uint32_t id, p2p, slices, instances, multiprocessors;
  std::uint32_t copy_engines, decoders, encoders, jpeg_engines, ofa_engines;
  std::uint64_t memory_mib;
};

struct GpuProfileInfoV2 {
  std::uint32_t version;
  std::uint32_t id, p2p, slices, instances, multiprocessors;
  std::uint32_t copy_engines, decoders, encoders, jpeg_engines, ofa_engines;
  std::uint64_t memory_mib;
  char name[96];
};

// As large as V2, but laid out differently from the third member on.
struct GpuProfileInfoV3 {
  std::uint32_t version;
  std::uint32_t id, slices, instances, multiprocessors;
  std::uint32_t copy_engines, decoders, encoders, jpeg_engines, ofa_engines;
  std::uint64_t memory_mib;
  char name[96];
  std::uint32_t capabilities;
};

struct GpuInstanceInfo {
  Device device;
  std::uint32_t id, profile_id;
  Placement placement;
};

struct ComputeProfileInfo {
  std::uint32_t id, slices, instances, multiprocessors;
  std::uint32_t copy_engines, decoders, encoders, jpeg_engines, ofa_engines;
};

struct ComputeProfileInfoV2 {
  std::uint32_t version;
  ComputeProfileInfo figures;
  char name[96];
};

struct ComputeProfileInfoV3 {
  std::uint32_t version;
  ComputeProfileInfo figures;
  char name[96];
  std::uint32_t capabilities;
};

struct ComputeInstanceInfo {
  Device device;
  GpuInstanceHandle gpu_instance;
  std::uint32_t id, profile_id;
  Placement placement;
};

struct Capabilities {
  std::uint32_t version, mask;
};

struct GpmMetric {
  std::uint32_t id;
  Return result;
  double value;
  const char* texts[3];  // short name, long name, unit
};

struct GpmMetricsGet {
  std::uint32_t version, count;
  GpmSample first, second;
  GpmMetric metrics[gpm_metric_max];
};

struct GpmSupport {
  std::uint32_t version, supported;
};

}  // namespace carve::sim
