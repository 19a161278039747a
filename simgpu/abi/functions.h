// What the library exports: every function once, with the first driver that has it (branch * 1000 + minor). The table
// makes the version scripts (one for each driver that is imitated), the counters of faults, and what tests compare.
//
// Since when: the oldest release of NVIDIA's Python bindings (nvidia-ml-py) whose text names the function; what a
// release of the 450 branch names, or what has no version in its name, is taken for part of 450.51.
#pragma once

#include <cstdint>

namespace carve::sim {

#define CARVE_SIM_FUNCTIONS(X)                                   \
  X(450051, nvmlInit)                                            \
  X(450051, nvmlInit_v2)                                         \
  X(450051, nvmlInitWithFlags)                                   \
  X(450051, nvmlShutdown)                                        \
  X(450051, nvmlErrorString)                                     \
  X(450051, nvmlSystemGetDriverVersion)                          \
  X(450051, nvmlSystemGetNVMLVersion)                            \
  X(450051, nvmlSystemGetCudaDriverVersion)                      \
  X(450051, nvmlSystemGetCudaDriverVersion_v2)                   \
  X(450051, nvmlDeviceGetCount)                                  \
  X(450051, nvmlDeviceGetCount_v2)                               \
  X(450051, nvmlDeviceGetHandleByIndex)                          \
  X(450051, nvmlDeviceGetHandleByIndex_v2)                       \
  X(450051, nvmlDeviceGetHandleByUUID)                           \
  X(450051, nvmlDeviceGetHandleByPciBusId)                       \
  X(450051, nvmlDeviceGetHandleByPciBusId_v2)                    \
  X(450051, nvmlDeviceGetUUID)                                   \
  X(450051, nvmlDeviceGetPciInfo)                                \
  X(450051, nvmlDeviceGetPciInfo_v2)                             \
  X(450051, nvmlDeviceGetPciInfo_v3)                             \
  X(450051, nvmlDeviceGetName)                                   \
  X(450051, nvmlDeviceGetSerial)                                 \
  X(450051, nvmlDeviceGetIndex)                                  \
  X(450051, nvmlDeviceGetMinorNumber)                            \
  X(450051, nvmlDeviceGetArchitecture)                           \
  X(450051, nvmlDeviceGetCudaComputeCapability)                  \
  X(450051, nvmlDeviceGetMemoryInfo)                             \
  X(510000, nvmlDeviceGetMemoryInfo_v2)                          \
  X(450051, nvmlDeviceGetMigMode)                                \
  X(450051, nvmlDeviceSetMigMode)                                \
  X(450051, nvmlDeviceGetMaxMigDeviceCount)                      \
  X(450051, nvmlDeviceGetMigDeviceHandleByIndex)                 \
  X(450051, nvmlDeviceIsMigDeviceHandle)                         \
  X(450051, nvmlDeviceGetDeviceHandleFromMigDeviceHandle)        \
  X(450051, nvmlDeviceGetGpuInstanceId)                          \
  X(450051, nvmlDeviceGetComputeInstanceId)                      \
  X(450051, nvmlDeviceGetGpuInstanceProfileInfo)                 \
  X(510000, nvmlDeviceGetGpuInstanceProfileInfoV)                \
  X(580000, nvmlDeviceGetGpuInstanceProfileInfoByIdV)            \
  X(450051, nvmlDeviceGetGpuInstancePossiblePlacements)          \
  X(470000, nvmlDeviceGetGpuInstancePossiblePlacements_v2)       \
  X(450051, nvmlDeviceGetGpuInstanceRemainingCapacity)           \
  X(450051, nvmlDeviceCreateGpuInstance)                         \
  X(460000, nvmlDeviceCreateGpuInstanceWithPlacement)            \
  X(450051, nvmlGpuInstanceDestroy)                              \
  X(450051, nvmlDeviceGetGpuInstances)                           \
  X(450051, nvmlDeviceGetGpuInstanceById)                        \
  X(450051, nvmlGpuInstanceGetInfo)                              \
  X(450051, nvmlGpuInstanceGetComputeInstanceProfileInfo)        \
  X(510000, nvmlGpuInstanceGetComputeInstanceProfileInfoV)       \
  X(450051, nvmlGpuInstanceGetComputeInstanceRemainingCapacity)  \
  X(525000, nvmlGpuInstanceGetComputeInstancePossiblePlacements) \
  X(450051, nvmlGpuInstanceCreateComputeInstance)                \
  X(525000, nvmlGpuInstanceCreateComputeInstanceWithPlacement)   \
  X(450051, nvmlComputeInstanceDestroy)                          \
  X(450051, nvmlGpuInstanceGetComputeInstances)                  \
  X(450051, nvmlGpuInstanceGetComputeInstanceById)               \
  X(450051, nvmlComputeInstanceGetInfo)                          \
  X(450129, nvmlComputeInstanceGetInfo_v2)                       \
  X(450051, nvmlDeviceGetAttributes_v2)                          \
  X(450051, nvmlDeviceGetComputeRunningProcesses)                \
  X(450129, nvmlDeviceGetComputeRunningProcesses_v2)             \
  X(510000, nvmlDeviceGetComputeRunningProcesses_v3)             \
  X(450051, nvmlDeviceGetGraphicsRunningProcesses)               \
  X(450129, nvmlDeviceGetGraphicsRunningProcesses_v2)            \
  X(510000, nvmlDeviceGetGraphicsRunningProcesses_v3)            \
  X(470000, nvmlDeviceGetMPSComputeRunningProcesses)             \
  X(470000, nvmlDeviceGetMPSComputeRunningProcesses_v2)          \
  X(510000, nvmlDeviceGetMPSComputeRunningProcesses_v3)          \
  X(450051, nvmlDeviceGetUtilizationRates)                       \
  X(450051, nvmlDeviceGetProcessUtilization)                     \
  X(450051, nvmlEventSetCreate)                                  \
  X(450051, nvmlEventSetFree)                                    \
  X(450051, nvmlEventSetWait)                                    \
  X(450051, nvmlEventSetWait_v2)                                 \
  X(450051, nvmlDeviceRegisterEvents)                            \
  X(450051, nvmlDeviceGetSupportedEventTypes)                    \
  X(525000, nvmlGpmMetricsGet)                                   \
  X(525000, nvmlGpmSampleAlloc)                                  \
  X(525000, nvmlGpmSampleFree)                                   \
  X(525000, nvmlGpmSampleGet)                                    \
  X(525000, nvmlGpmMigSampleGet)                                 \
  X(525000, nvmlGpmQueryDeviceSupport)                           \
  X(570000, nvmlGpmQueryIfStreamingEnabled)                      \
  X(570000, nvmlGpmSetStreamingEnabled)                          \
  X(570000, nvmlDeviceGetCapabilities)                           \
  X(450051, nvmlDeviceGetComputeMode)                            \
  X(450051, nvmlDeviceSetComputeMode)                            \
  X(450051, nvmlDeviceGetPersistenceMode)                        \
  X(450051, nvmlDeviceSetPersistenceMode)                        \
  X(450051, nvmlDeviceGetTopologyCommonAncestor)                 \
  X(450051, nvmlDeviceGetP2PStatus)                              \
  X(450051, nvmlDeviceGetEccMode)

enum class Function : std::uint8_t {
#define CARVE_SIM_NAME(since, name) name,
  CARVE_SIM_FUNCTIONS(CARVE_SIM_NAME)
#undef CARVE_SIM_NAME
};

struct FunctionRow {
  std::int32_t since;
  const char* name;
};

inline constexpr FunctionRow function_rows[] = {
#define CARVE_SIM_ROW(since, name) {since, #name},
    CARVE_SIM_FUNCTIONS(CARVE_SIM_ROW)
#undef CARVE_SIM_ROW
};
inline constexpr int function_count = sizeof function_rows / sizeof function_rows[0];

}  // namespace carve::sim
