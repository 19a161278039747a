// The binary interface of NVML that is read here: numbers, structs, functions, on 64-bit Linux. Declared from public
// facts; sizes and offsets are held at compile time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace carve {

enum class NvmlCode : int {
  success = 0,
  invalid_argument = 2,
  not_supported = 3,
  no_permission = 4,
  not_found = 6,
  insufficient_size = 7,
  driver_not_loaded = 9,
  function_not_found = 13,
  gpu_is_lost = 15,
  reset_required = 16,
  version_mismatch = 18,
  in_use = 19,
  insufficient_resources = 23,
};

using NvmlDevice = struct NvmlDeviceHandle*;
using NvmlGpuInstance = struct NvmlGpuInstanceHandle*;
using NvmlComputeInstance = struct NvmlComputeInstanceHandle*;
using NvmlGpmSample = struct NvmlGpmSampleHandle*;

// Where the id of an instance stands: there is none.
inline constexpr std::uint32_t nvml_no_instance = 0xffffffff;
// Where a memory figure stands: the driver cannot tell.
inline constexpr std::uint64_t nvml_no_figure = ~std::uint64_t{0};

template <class Struct>
constexpr std::uint32_t nvml_version(std::uint32_t version) {
  return static_cast<std::uint32_t>(sizeof(Struct)) | version << 24;
}

#define CARVE_NVML_AT(type, member, bytes) static_assert(offsetof(type, member) == (bytes))

// Older calls fill only the front of it.
struct NvmlPci {
  char legacy_bus_id[16];
  std::uint32_t domain, bus, device, device_id, subsystem_id;
  char bus_id[32];
};
static_assert(sizeof(NvmlPci) == 68);
CARVE_NVML_AT(NvmlPci, device_id, 28);
CARVE_NVML_AT(NvmlPci, bus_id, 36);

struct NvmlMemory {
  std::uint64_t total, free, used;
};
static_assert(sizeof(NvmlMemory) == 24);

struct NvmlMemoryV2 {
  std::uint32_t version;
  std::uint64_t total, reserved, free, used;
};
static_assert(nvml_version<NvmlMemoryV2>(2) == 0x02000028);
CARVE_NVML_AT(NvmlMemoryV2, total, 8);
CARVE_NVML_AT(NvmlMemoryV2, used, 32);

struct NvmlProcessV1 {
  std::uint32_t pid;
  std::uint64_t used_memory;
};
static_assert(sizeof(NvmlProcessV1) == 16);
CARVE_NVML_AT(NvmlProcessV1, used_memory, 8);

// Of the second and the third generation of the calls.
struct NvmlProcess {
  std::uint32_t pid;
  std::uint64_t used_memory;
  std::uint32_t gpu_instance, compute_instance;
};
static_assert(sizeof(NvmlProcess) == 24);
CARVE_NVML_AT(NvmlProcess, gpu_instance, 16);

struct NvmlAttributes {
  std::uint32_t sms, copy, decoder, encoder, jpeg, ofa, gpu_slices, compute_slices;
  std::uint64_t memory_mib;
};
static_assert(sizeof(NvmlAttributes) == 40);
CARVE_NVML_AT(NvmlAttributes, gpu_slices, 24);
CARVE_NVML_AT(NvmlAttributes, memory_mib, 32);

struct NvmlPlacement {
  std::uint32_t start, size;
};
static_assert(sizeof(NvmlPlacement) == 8);

struct NvmlProfile {
  std::uint32_t id, p2p, slices, instances, sms, copy, decoder, encoder, jpeg, ofa;
  std::uint64_t memory_mib;
};
static_assert(sizeof(NvmlProfile) == 48);
CARVE_NVML_AT(NvmlProfile, memory_mib, 40);

struct NvmlProfileV2 {
  std::uint32_t version, id, p2p, slices, instances, sms, copy, decoder, encoder, jpeg, ofa;
  std::uint64_t memory_mib;
  char name[96];
};
static_assert(nvml_version<NvmlProfileV2>(2) == 0x02000098);
CARVE_NVML_AT(NvmlProfileV2, slices, 12);
CARVE_NVML_AT(NvmlProfileV2, memory_mib, 48);
CARVE_NVML_AT(NvmlProfileV2, name, 56);

struct NvmlGpuInstanceInfo {
  NvmlDevice device;
  std::uint32_t id, profile_id;
  NvmlPlacement placement;
};
static_assert(sizeof(NvmlGpuInstanceInfo) == 24);
CARVE_NVML_AT(NvmlGpuInstanceInfo, placement, 16);

struct NvmlComputeProfile {
  std::uint32_t id, slices, instances, sms, copy, decoder, encoder, jpeg, ofa;
};
static_assert(sizeof(NvmlComputeProfile) == 36);

// `device` is the MIG device for the second generation of the call, the card for the first.
struct NvmlComputeInstanceInfo {
  NvmlDevice device;
  NvmlGpuInstance gpu_instance;
  std::uint32_t id, profile_id;
  NvmlPlacement placement;
};
static_assert(sizeof(NvmlComputeInstanceInfo) == 32);
CARVE_NVML_AT(NvmlComputeInstanceInfo, id, 16);
CARVE_NVML_AT(NvmlComputeInstanceInfo, placement, 24);

struct NvmlUtilization {
  std::uint32_t sm, memory;
};
static_assert(sizeof(NvmlUtilization) == 8);

struct NvmlProcessSample {
  std::uint32_t pid;
  std::uint64_t time_us;
  std::uint32_t sm, memory, encoder, decoder;
};
static_assert(sizeof(NvmlProcessSample) == 32);
CARVE_NVML_AT(NvmlProcessSample, sm, 16);

struct NvmlGpmMetric {
  std::uint32_t id;
  NvmlCode code;
  double value;
  const char* texts[3];
};
static_assert(sizeof(NvmlGpmMetric) == 40);

// Only as many rows as `count` says are asked for; the others are room that every driver may count on.
struct NvmlGpmRequest {
  std::uint32_t version, count;
  NvmlGpmSample first, second;
  NvmlGpmMetric metrics[333];
};
static_assert(sizeof(NvmlGpmRequest) == 13344);
CARVE_NVML_AT(NvmlGpmRequest, metrics, 24);

#undef CARVE_NVML_AT

// A function by its name, with the types of its arguments.
template <class... Arguments>
struct NvmlFunction {
  const char* name;
};

inline constexpr NvmlFunction<> nvml_init_v2{"nvmlInit_v2"}, nvml_init{"nvmlInit"}, nvml_shutdown{"nvmlShutdown"};
inline constexpr NvmlFunction<char*, unsigned> nvml_driver_version{"nvmlSystemGetDriverVersion"};
inline constexpr NvmlFunction<unsigned*> nvml_count_v2{"nvmlDeviceGetCount_v2"}, nvml_count{"nvmlDeviceGetCount"};
inline constexpr NvmlFunction<unsigned, NvmlDevice*> nvml_by_index_v2{"nvmlDeviceGetHandleByIndex_v2"},
    nvml_by_index{"nvmlDeviceGetHandleByIndex"};

using NvmlAskText = NvmlFunction<NvmlDevice, char*, unsigned>;
inline constexpr NvmlAskText nvml_uuid{"nvmlDeviceGetUUID"}, nvml_name{"nvmlDeviceGetName"};
inline constexpr NvmlFunction<NvmlDevice, NvmlPci*> nvml_pci_v3{"nvmlDeviceGetPciInfo_v3"},
    nvml_pci_v2{"nvmlDeviceGetPciInfo_v2"}, nvml_pci{"nvmlDeviceGetPciInfo"};
using NvmlAskNumber = NvmlFunction<NvmlDevice, unsigned*>;
inline constexpr NvmlAskNumber nvml_index{"nvmlDeviceGetIndex"}, nvml_minor{"nvmlDeviceGetMinorNumber"},
    nvml_compute_mode{"nvmlDeviceGetComputeMode"}, nvml_max_mig_devices{"nvmlDeviceGetMaxMigDeviceCount"},
    nvml_gpu_instance_id{"nvmlDeviceGetGpuInstanceId"}, nvml_compute_instance_id{"nvmlDeviceGetComputeInstanceId"};
inline constexpr NvmlFunction<NvmlDevice, NvmlMemory*> nvml_memory{"nvmlDeviceGetMemoryInfo"};
inline constexpr NvmlFunction<NvmlDevice, NvmlMemoryV2*> nvml_memory_v2{"nvmlDeviceGetMemoryInfo_v2"};
inline constexpr NvmlFunction<NvmlDevice, unsigned*, unsigned*> nvml_mig_mode{"nvmlDeviceGetMigMode"};

inline constexpr NvmlFunction<NvmlDevice, unsigned, NvmlProfile*> nvml_profile{"nvmlDeviceGetGpuInstanceProfileInfo"};
inline constexpr NvmlFunction<NvmlDevice, unsigned, NvmlProfileV2*> nvml_profile_v{
    "nvmlDeviceGetGpuInstanceProfileInfoV"};
using NvmlAskPlacements = NvmlFunction<NvmlDevice, unsigned, NvmlPlacement*, unsigned*>;
inline constexpr NvmlAskPlacements nvml_placements_v2{"nvmlDeviceGetGpuInstancePossiblePlacements_v2"},
    nvml_placements{"nvmlDeviceGetGpuInstancePossiblePlacements"};

inline constexpr NvmlFunction<NvmlDevice, unsigned, NvmlGpuInstance*, unsigned*> nvml_gpu_instances{
    "nvmlDeviceGetGpuInstances"};
inline constexpr NvmlFunction<NvmlGpuInstance, NvmlGpuInstanceInfo*> nvml_gpu_instance_info{"nvmlGpuInstanceGetInfo"};
inline constexpr NvmlFunction<NvmlGpuInstance, unsigned, unsigned, NvmlComputeProfile*> nvml_compute_profile{
    "nvmlGpuInstanceGetComputeInstanceProfileInfo"};
inline constexpr NvmlFunction<NvmlGpuInstance, unsigned, NvmlComputeInstance*, unsigned*> nvml_compute_instances{
    "nvmlGpuInstanceGetComputeInstances"};
using NvmlAskComputeInstance = NvmlFunction<NvmlComputeInstance, NvmlComputeInstanceInfo*>;
inline constexpr NvmlAskComputeInstance nvml_compute_info_v2{"nvmlComputeInstanceGetInfo_v2"},
    nvml_compute_info{"nvmlComputeInstanceGetInfo"};

// What changes a card.
inline constexpr NvmlFunction<NvmlDevice, unsigned, int*> nvml_set_mig_mode{"nvmlDeviceSetMigMode"};
inline constexpr NvmlFunction<NvmlDevice, unsigned, const NvmlPlacement*, NvmlGpuInstance*> nvml_create_gpu_instance{
    "nvmlDeviceCreateGpuInstanceWithPlacement"};
inline constexpr NvmlFunction<NvmlDevice, unsigned, NvmlGpuInstance*> nvml_gpu_instance_by_id{
    "nvmlDeviceGetGpuInstanceById"};
inline constexpr NvmlFunction<NvmlGpuInstance> nvml_destroy_gpu_instance{"nvmlGpuInstanceDestroy"};
inline constexpr NvmlFunction<NvmlGpuInstance, unsigned, NvmlComputeInstance*> nvml_create_compute_instance{
    "nvmlGpuInstanceCreateComputeInstance"};
inline constexpr NvmlFunction<NvmlComputeInstance> nvml_destroy_compute_instance{"nvmlComputeInstanceDestroy"};

inline constexpr NvmlFunction<NvmlDevice, unsigned, NvmlDevice*> nvml_mig_device{"nvmlDeviceGetMigDeviceHandleByIndex"};
inline constexpr NvmlFunction<NvmlDevice, NvmlAttributes*> nvml_attributes{"nvmlDeviceGetAttributes_v2"};

inline constexpr NvmlFunction<NvmlDevice, NvmlUtilization*> nvml_utilization{"nvmlDeviceGetUtilizationRates"};
inline constexpr NvmlFunction<NvmlDevice, NvmlProcessSample*, unsigned*, unsigned long long> nvml_process_utilization{
    "nvmlDeviceGetProcessUtilization"};
inline constexpr std::uint32_t nvml_gpm_request_version = 1;
inline constexpr std::uint32_t nvml_gpm_sm_use = 2;
inline constexpr NvmlFunction<NvmlGpmSample*> nvml_gpm_alloc{"nvmlGpmSampleAlloc"};
inline constexpr NvmlFunction<NvmlGpmSample> nvml_gpm_free{"nvmlGpmSampleFree"};
inline constexpr NvmlFunction<NvmlDevice, unsigned, NvmlGpmSample> nvml_gpm_of_instance{"nvmlGpmMigSampleGet"};
inline constexpr NvmlFunction<NvmlGpmRequest*> nvml_gpm_metrics{"nvmlGpmMetricsGet"};

// One kind of process list in its three generations.
struct NvmlProcessList {
  NvmlFunction<NvmlDevice, unsigned*, NvmlProcess*> third, second;
  NvmlFunction<NvmlDevice, unsigned*, NvmlProcessV1*> first;
};
inline constexpr NvmlProcessList nvml_compute_processes{{"nvmlDeviceGetComputeRunningProcesses_v3"},
                                                        {"nvmlDeviceGetComputeRunningProcesses_v2"},
                                                        {"nvmlDeviceGetComputeRunningProcesses"}};
inline constexpr NvmlProcessList nvml_graphics_processes{{"nvmlDeviceGetGraphicsRunningProcesses_v3"},
                                                         {"nvmlDeviceGetGraphicsRunningProcesses_v2"},
                                                         {"nvmlDeviceGetGraphicsRunningProcesses"}};
inline constexpr NvmlProcessList nvml_mps_processes{{"nvmlDeviceGetMPSComputeRunningProcesses_v3"},
                                                    {"nvmlDeviceGetMPSComputeRunningProcesses_v2"},
                                                    {"nvmlDeviceGetMPSComputeRunningProcesses"}};

}  // namespace carve
