// The library, and what several verbs ask it.
#include <dlfcn.h>
#include <cstdio>
#include <cstring>

#include "simgpu/smi/smi.h"

namespace carve::sim {

Nvml* Nvml::open(int& code) {
  static Nvml nvml;
  nvml.library_ = ::dlopen("libnvidia-ml.so.1", RTLD_NOW);
  if (nvml.library_ == nullptr) {
    std::printf(
        "NVIDIA-SMI couldn't find libnvidia-ml.so.1 library in your system. It is looked for where "
        "LD_LIBRARY_PATH says.\n");
    code = library_not_found;
    return nullptr;
  }
  const Return entered = nvml.call("nvmlInit_v2");
  if (entered == success) return &nvml;
  std::printf("Failed to initialize NVML: %s\n", nvml.text(entered));
  code = exit_code(entered);
  return nullptr;
}

void Nvml::close() { call("nvmlShutdown"); }

void* Nvml::find(const char* name) const { return ::dlsym(library_, name); }

const char* Nvml::text(Return code) const {
  auto* function = reinterpret_cast<const char* (*)(Return)>(find("nvmlErrorString"));
  return function == nullptr ? "Unknown Error" : function(code);
}

// The real one's documented exit codes are NVML's small ones; all others are 255.
int exit_code(Return code) { return code <= gpu_is_lost ? static_cast<int>(code) : 255; }

std::string text_of(const Nvml& nvml, const char* function, Device device) {
  char text[96] = {};
  return nvml.call(function, device, static_cast<char*>(text), 96u) == success ? text : "[Unknown]";
}

std::string bus_id_of(const Nvml& nvml, Device device) {
  PciInfo info{};
  return nvml.call("nvmlDeviceGetPciInfo_v3", device, &info) == success ? info.bus_id : "[Unknown]";
}

// Drivers without the versioned call have no names; then the place of a name stays empty.
std::vector<GpuProfileInfoV2> gpu_profiles(const Nvml& nvml, Device device) {
  std::vector<GpuProfileInfoV2> profiles;
  for (unsigned profile = 0;; ++profile) {
    GpuProfileInfoV2 info{};
    info.version = version_of<GpuProfileInfoV2>(2);
    const Return found = nvml.call("nvmlDeviceGetGpuInstanceProfileInfoV", device, profile, &info);
    if (found == success) profiles.push_back(info);
    if (found != success && found != not_supported) return profiles;
    if (profile > 64) return profiles;
  }
}

std::vector<GpuRow> gpu_instances(const Nvml& nvml, Device device) {
  std::vector<GpuRow> rows;
  for (const GpuProfileInfoV2& profile : gpu_profiles(nvml, device)) {
    std::vector<GpuInstanceHandle> handles(profile.instances);
    unsigned count = 0;
    if (nvml.call("nvmlDeviceGetGpuInstances", device, profile.id, handles.data(), &count) != success) continue;
    for (unsigned i = 0; i < count && i < handles.size(); ++i) {
      GpuInstanceInfo info{};
      if (nvml.call("nvmlGpuInstanceGetInfo", handles[i], &info) != success) continue;
      rows.push_back({handles[i], info, profile.name, static_cast<int>(profile.slices)});
    }
  }
  return rows;
}

std::vector<ComputeRow> compute_instances(const Nvml& nvml, const GpuRow& gpu) {
  std::vector<ComputeRow> rows;
  for (unsigned profile = 0; profile < compute_profile_count; ++profile) {
    ComputeProfileInfoV2 shape{};
    shape.version = version_of<ComputeProfileInfoV2>(2);
    if (nvml.call("nvmlGpuInstanceGetComputeInstanceProfileInfoV", gpu.handle, profile, 0u, &shape) != success)
      continue;
    std::vector<ComputeInstanceHandle> handles(shape.figures.instances);
    unsigned count = 0;
    if (nvml.call("nvmlGpuInstanceGetComputeInstances", gpu.handle, shape.figures.id, handles.data(), &count) !=
        success)
      continue;
    for (unsigned i = 0; i < count && i < handles.size(); ++i) {
      ComputeInstanceInfo info{};
      if (nvml.call("nvmlComputeInstanceGetInfo_v2", handles[i], &info) != success) continue;
      rows.push_back({handles[i], info, shape.name});
    }
  }
  return rows;
}

}  // namespace carve::sim
