// Sizes, offsets and version numbers of the interface, held at compile time: size, then member and offset.
#include "simgpu/abi/abi.h"

namespace carve::sim {

namespace {

#define SIZE(type, bytes) static_assert(sizeof(type) == (bytes))
#define AT(type, member, bytes) static_assert(offsetof(type, member) == (bytes))

SIZE(PciInfo, 68);
AT(PciInfo, bus_id_legacy, 0);
AT(PciInfo, domain, 16);
AT(PciInfo, bus, 20);
AT(PciInfo, device, 24);
AT(PciInfo, device_id, 28);
AT(PciInfo, subsystem_id, 32);
AT(PciInfo, bus_id, 36);

SIZE(MemoryInfo, 24);
AT(MemoryInfo, total, 0);
AT(MemoryInfo, free, 8);
AT(MemoryInfo, used, 16);

SIZE(MemoryInfoV2, 40);
AT(MemoryInfoV2, total, 8);
AT(MemoryInfoV2, reserved, 16);
AT(MemoryInfoV2, free, 24);
AT(MemoryInfoV2, used, 32);
static_assert(version_of<MemoryInfoV2>(2) == 0x02000028);

SIZE(Utilization, 8);
AT(Utilization, memory, 4);

SIZE(ProcessInfoV1, 16);
AT(ProcessInfoV1, used_memory, 8);
SIZE(ProcessInfo, 24);
AT(ProcessInfo, used_memory, 8);
AT(ProcessInfo, gpu_instance, 16);
AT(ProcessInfo, compute_instance, 20);

SIZE(Attributes, 40);
AT(Attributes, copy_engines, 4);
AT(Attributes, decoders, 8);
AT(Attributes, encoders, 12);
AT(Attributes, jpeg_engines, 16);
AT(Attributes, ofa_engines, 20);
AT(Attributes, gpu_slices, 24);
AT(Attributes, compute_slices, 28);
AT(Attributes, memory_mib, 32);

SIZE(EventData, 32);
AT(EventData, type, 8);
AT(EventData, data, 16);
AT(EventData, gpu_instance, 24);
AT(EventData, compute_instance, 28);

SIZE(ProcessSample, 32);
AT(ProcessSample, time_us, 8);
AT(ProcessSample, sm, 16);
AT(ProcessSample, memory, 20);
AT(ProcessSample, encoder, 24);
AT(ProcessSample, decoder, 28);

SIZE(Placement, 8);
AT(Placement, size, 4);

SIZE(GpuProfileInfo, 48);
AT(GpuProfileInfo, p2p, 4);
AT(GpuProfileInfo, slices, 8);
AT(GpuProfileInfo, instances, 12);
AT(GpuProfileInfo, multiprocessors, 16);
AT(GpuProfileInfo, copy_engines, 20);
AT(GpuProfileInfo, decoders, 24);
AT(GpuProfileInfo, encoders, 28);
AT(GpuProfileInfo, jpeg_engines, 32);
AT(GpuProfileInfo, ofa_engines, 36);
AT(GpuProfileInfo, memory_mib, 40);

SIZE(GpuProfileInfoV2, 152);
AT(GpuProfileInfoV2, id, 4);
AT(GpuProfileInfoV2, p2p, 8);
AT(GpuProfileInfoV2, slices, 12);
AT(GpuProfileInfoV2, instances, 16);
AT(GpuProfileInfoV2, multiprocessors, 20);
AT(GpuProfileInfoV2, copy_engines, 24);
AT(GpuProfileInfoV2, decoders, 28);
AT(GpuProfileInfoV2, encoders, 32);
AT(GpuProfileInfoV2, jpeg_engines, 36);
AT(GpuProfileInfoV2, ofa_engines, 40);
AT(GpuProfileInfoV2, memory_mib, 48);
AT(GpuProfileInfoV2, name, 56);
static_assert(version_of<GpuProfileInfoV2>(2) == 0x02000098);

SIZE(GpuProfileInfoV3, 152);
AT(GpuProfileInfoV3, id, 4);
AT(GpuProfileInfoV3, slices, 8);
AT(GpuProfileInfoV3, instances, 12);
AT(GpuProfileInfoV3, multiprocessors, 16);
AT(GpuProfileInfoV3, copy_engines, 20);
AT(GpuProfileInfoV3, decoders, 24);
AT(GpuProfileInfoV3, encoders, 28);
AT(GpuProfileInfoV3, jpeg_engines, 32);
AT(GpuProfileInfoV3, ofa_engines, 36);
AT(GpuProfileInfoV3, memory_mib, 40);
AT(GpuProfileInfoV3, name, 48);
AT(GpuProfileInfoV3, capabilities, 144);
static_assert(version_of<GpuProfileInfoV3>(3) == 0x03000098);

SIZE(GpuInstanceInfo, 24);
AT(GpuInstanceInfo, id, 8);
AT(GpuInstanceInfo, profile_id, 12);
AT(GpuInstanceInfo, placement, 16);

SIZE(ComputeProfileInfo, 36);
AT(ComputeProfileInfo, slices, 4);
AT(ComputeProfileInfo, instances, 8);
AT(ComputeProfileInfo, multiprocessors, 12);
AT(ComputeProfileInfo, copy_engines, 16);
AT(ComputeProfileInfo, ofa_engines, 32);

SIZE(ComputeProfileInfoV2, 136);
AT(ComputeProfileInfoV2, figures, 4);
AT(ComputeProfileInfoV2, name, 40);
static_assert(version_of<ComputeProfileInfoV2>(2) == 0x02000088);
SIZE(ComputeProfileInfoV3, 140);
AT(ComputeProfileInfoV3, figures, 4);
AT(ComputeProfileInfoV3, name, 40);
AT(ComputeProfileInfoV3, capabilities, 136);
static_assert(version_of<ComputeProfileInfoV3>(3) == 0x0300008c);

SIZE(ComputeInstanceInfo, 32);
AT(ComputeInstanceInfo, gpu_instance, 8);
AT(ComputeInstanceInfo, id, 16);
AT(ComputeInstanceInfo, profile_id, 20);
AT(ComputeInstanceInfo, placement, 24);

SIZE(Capabilities, 8);
AT(Capabilities, mask, 4);
static_assert(version_of<Capabilities>(1) == 0x01000008);

SIZE(GpmMetric, 40);
AT(GpmMetric, result, 4);
AT(GpmMetric, value, 8);
AT(GpmMetric, texts, 16);
SIZE(GpmMetricsGet, 13344);
AT(GpmMetricsGet, count, 4);
AT(GpmMetricsGet, first, 8);
AT(GpmMetricsGet, second, 16);
AT(GpmMetricsGet, metrics, 24);
SIZE(GpmSupport, 8);
AT(GpmSupport, supported, 4);

SIZE(Device, 8);
SIZE(GpuInstanceHandle, 8);
SIZE(ComputeInstanceHandle, 8);
SIZE(EventSet, 8);
SIZE(GpmSample, 8);
SIZE(Return, 4);

#undef AT
#undef SIZE

}  // namespace

}  // namespace carve::sim
