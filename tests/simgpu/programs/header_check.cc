// Our declarations against NVIDIA's own header, wherever a package ships one. Compiled, never linked nor run: what does
// not agree is an error of the compiler. The order is: struct of the header, ours, then pairs of members.
#define NVML_NO_UNVERSIONED_FUNC_DEFS
#include <nvml.h>

#include <cstddef>

#include "simgpu/abi/abi.h"

namespace sim = carve::sim;

#define SAME_SIZE(theirs, ours) static_assert(sizeof(theirs) == sizeof(sim::ours))
#define SAME_PLACE(theirs, member, ours, own) static_assert(offsetof(theirs, member) == offsetof(sim::ours, own))
#define SAME_NUMBER(theirs, ours) static_assert(static_cast<unsigned>(theirs) == static_cast<unsigned>(sim::ours))

SAME_SIZE(nvmlPciInfo_t, PciInfo);
SAME_PLACE(nvmlPciInfo_t, busIdLegacy, PciInfo, bus_id_legacy);
SAME_PLACE(nvmlPciInfo_t, domain, PciInfo, domain);
SAME_PLACE(nvmlPciInfo_t, pciDeviceId, PciInfo, device_id);
SAME_PLACE(nvmlPciInfo_t, pciSubSystemId, PciInfo, subsystem_id);
SAME_PLACE(nvmlPciInfo_t, busId, PciInfo, bus_id);
SAME_SIZE(nvmlMemory_t, MemoryInfo);
SAME_PLACE(nvmlMemory_t, free, MemoryInfo, free);
SAME_PLACE(nvmlMemory_t, used, MemoryInfo, used);
SAME_SIZE(nvmlMemory_v2_t, MemoryInfoV2);
SAME_PLACE(nvmlMemory_v2_t, total, MemoryInfoV2, total);
SAME_PLACE(nvmlMemory_v2_t, reserved, MemoryInfoV2, reserved);
SAME_PLACE(nvmlMemory_v2_t, free, MemoryInfoV2, free);
SAME_PLACE(nvmlMemory_v2_t, used, MemoryInfoV2, used);
SAME_SIZE(nvmlUtilization_t, Utilization);
SAME_SIZE(nvmlProcessInfo_v1_t, ProcessInfoV1);
SAME_PLACE(nvmlProcessInfo_v1_t, usedGpuMemory, ProcessInfoV1, used_memory);
SAME_SIZE(nvmlProcessInfo_v2_t, ProcessInfo);
SAME_SIZE(nvmlProcessInfo_t, ProcessInfo);
SAME_PLACE(nvmlProcessInfo_t, usedGpuMemory, ProcessInfo, used_memory);
SAME_PLACE(nvmlProcessInfo_t, gpuInstanceId, ProcessInfo, gpu_instance);
SAME_PLACE(nvmlProcessInfo_t, computeInstanceId, ProcessInfo, compute_instance);
SAME_SIZE(nvmlDeviceAttributes_t, Attributes);
SAME_PLACE(nvmlDeviceAttributes_t, sharedCopyEngineCount, Attributes, copy_engines);
SAME_PLACE(nvmlDeviceAttributes_t, gpuInstanceSliceCount, Attributes, gpu_slices);
SAME_PLACE(nvmlDeviceAttributes_t, computeInstanceSliceCount, Attributes, compute_slices);
SAME_PLACE(nvmlDeviceAttributes_t, memorySizeMB, Attributes, memory_mib);
SAME_SIZE(nvmlEventData_t, EventData);
SAME_PLACE(nvmlEventData_t, eventType, EventData, type);
SAME_PLACE(nvmlEventData_t, gpuInstanceId, EventData, gpu_instance);
SAME_SIZE(nvmlProcessUtilizationSample_t, ProcessSample);
SAME_PLACE(nvmlProcessUtilizationSample_t, smUtil, ProcessSample, sm);
SAME_SIZE(nvmlGpuInstancePlacement_t, Placement);
SAME_SIZE(nvmlGpuInstanceProfileInfo_t, GpuProfileInfo);
SAME_PLACE(nvmlGpuInstanceProfileInfo_t, sliceCount, GpuProfileInfo, slices);
SAME_PLACE(nvmlGpuInstanceProfileInfo_t, memorySizeMB, GpuProfileInfo, memory_mib);
SAME_SIZE(nvmlGpuInstanceProfileInfo_v2_t, GpuProfileInfoV2);
SAME_PLACE(nvmlGpuInstanceProfileInfo_v2_t, sliceCount, GpuProfileInfoV2, slices);
SAME_PLACE(nvmlGpuInstanceProfileInfo_v2_t, memorySizeMB, GpuProfileInfoV2, memory_mib);
SAME_PLACE(nvmlGpuInstanceProfileInfo_v2_t, name, GpuProfileInfoV2, name);
SAME_SIZE(nvmlGpuInstanceProfileInfo_v3_t, GpuProfileInfoV3);
SAME_PLACE(nvmlGpuInstanceProfileInfo_v3_t, sliceCount, GpuProfileInfoV3, slices);
SAME_PLACE(nvmlGpuInstanceProfileInfo_v3_t, memorySizeMB, GpuProfileInfoV3, memory_mib);
SAME_PLACE(nvmlGpuInstanceProfileInfo_v3_t, name, GpuProfileInfoV3, name);
SAME_PLACE(nvmlGpuInstanceProfileInfo_v3_t, capabilities, GpuProfileInfoV3, capabilities);
SAME_SIZE(nvmlGpuInstanceInfo_t, GpuInstanceInfo);
SAME_PLACE(nvmlGpuInstanceInfo_t, profileId, GpuInstanceInfo, profile_id);
SAME_PLACE(nvmlGpuInstanceInfo_t, placement, GpuInstanceInfo, placement);
SAME_SIZE(nvmlComputeInstancePlacement_t, Placement);
SAME_SIZE(nvmlComputeInstanceProfileInfo_t, ComputeProfileInfo);
SAME_SIZE(nvmlComputeInstanceProfileInfo_v2_t, ComputeProfileInfoV2);
SAME_PLACE(nvmlComputeInstanceProfileInfo_v2_t, id, ComputeProfileInfoV2, figures);
SAME_PLACE(nvmlComputeInstanceProfileInfo_v2_t, name, ComputeProfileInfoV2, name);
SAME_SIZE(nvmlComputeInstanceProfileInfo_v3_t, ComputeProfileInfoV3);
SAME_PLACE(nvmlComputeInstanceProfileInfo_v3_t, capabilities, ComputeProfileInfoV3, capabilities);
SAME_SIZE(nvmlComputeInstanceInfo_t, ComputeInstanceInfo);
SAME_PLACE(nvmlComputeInstanceInfo_t, profileId, ComputeInstanceInfo, profile_id);
SAME_PLACE(nvmlComputeInstanceInfo_t, placement, ComputeInstanceInfo, placement);
SAME_SIZE(nvmlDeviceCapabilities_v1_t, Capabilities);
SAME_SIZE(nvmlGpmMetric_t, GpmMetric);
SAME_PLACE(nvmlGpmMetric_t, value, GpmMetric, value);
SAME_PLACE(nvmlGpmMetricsGet_t, numMetrics, GpmMetricsGet, count);
SAME_PLACE(nvmlGpmMetricsGet_t, metrics, GpmMetricsGet, metrics);  // how many there are grows with the driver
SAME_SIZE(nvmlGpmSupport_t, GpmSupport);

SAME_NUMBER(nvmlMemory_v2, version_of<sim::MemoryInfoV2>(2));
SAME_NUMBER(nvmlGpuInstanceProfileInfo_v2, version_of<sim::GpuProfileInfoV2>(2));
SAME_NUMBER(nvmlGpuInstanceProfileInfo_v3, version_of<sim::GpuProfileInfoV3>(3));
SAME_NUMBER(nvmlComputeInstanceProfileInfo_v2, version_of<sim::ComputeProfileInfoV2>(2));
SAME_NUMBER(nvmlComputeInstanceProfileInfo_v3, version_of<sim::ComputeProfileInfoV3>(3));
SAME_NUMBER(nvmlDeviceCapabilities_v1, version_of<sim::Capabilities>(1));
SAME_NUMBER(NVML_ERROR_IN_USE, in_use);
SAME_NUMBER(NVML_ERROR_INSUFFICIENT_RESOURCES, insufficient_resources);
SAME_NUMBER(NVML_ERROR_ARGUMENT_VERSION_MISMATCH, argument_version_mismatch);
SAME_NUMBER(NVML_ERROR_GPU_IS_LOST, gpu_is_lost);
SAME_NUMBER(NVML_ERROR_RESET_REQUIRED, reset_required);
SAME_NUMBER(NVML_ERROR_RESET_TYPE_NOT_SUPPORTED, reset_type_not_supported);
SAME_NUMBER(NVML_DEVICE_ARCH_AMPERE, Architecture::ampere);
SAME_NUMBER(NVML_DEVICE_ARCH_HOPPER, Architecture::hopper);
SAME_NUMBER(NVML_DEVICE_ARCH_BLACKWELL, Architecture::blackwell);
SAME_NUMBER(NVML_COMPUTEMODE_EXCLUSIVE_PROCESS, exclusive_process);
SAME_NUMBER(NVML_TOPOLOGY_NODE, topology_node);
SAME_NUMBER(NVML_P2P_STATUS_NOT_SUPPORTED, p2p_not_supported);
SAME_NUMBER(NVML_GPM_METRIC_SM_UTIL, gpm_sm_util);
static_assert(nvmlEventTypeXidCriticalError == sim::event_xid);

// Every function of ours is one of theirs.
#define DECLARED(since, name) using declared_##name = decltype(::name);
CARVE_SIM_FUNCTIONS(DECLARED)
