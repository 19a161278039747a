// MIG devices by index, which anybody may ask for. They tell ids, UUID, compute and memory, but no places and no empty
// GPU instances: those are for who is privileged. Walking is slow on real drivers under load, so it is done only where
// it must be.
#include <algorithm>

#include "driver/nvml/read.h"

namespace carve {

namespace {

constexpr std::string_view places_denied = "only a privileged user may know where instances are";

// The name that NVML gives a MIG device ends in its profile: "NVIDIA A30 MIG 1c.2g.12gb".
Reading<std::string> profile_of_name(const Reading<std::string>& name) {
  if (!name) return tl::unexpected<Missing>(name.error());
  const std::size_t at = name->rfind("MIG ");
  if (at == std::string::npos) return missing(Absence::failed, "the driver's name of it has no profile: " + *name);
  std::string profile = name->substr(at + 4);
  const std::size_t part = profile.find("c.");
  if (part != std::string::npos && part < profile.find('g')) profile.erase(0, part + 2);
  return profile;
}

LiveGpuInstance gpu_instance_of(const NvmlAsk& ask, const NvmlMigDevice& device, const NvmlAttributes* attributes) {
  LiveGpuInstance instance;
  instance.id = device.gpu_instance;
  instance.profile = profile_of_name(ask.text(nvml_name));
  instance.placement = missing(Absence::denied, std::string(places_denied));
  if (attributes != nullptr) instance.compute_slices = static_cast<int>(attributes->gpu_slices);
  instance.memory = read_memory(ask);
  instance.compute = std::vector<LiveComputeInstance>();
  return instance;
}

}  // namespace

Reading<std::vector<NvmlMigDevice>> walk_mig_devices(const NvmlAsk& ask) {
  const Reading<int> most = ask.number(nvml_max_mig_devices);
  if (!most) return tl::unexpected<Missing>(most.error());
  std::vector<NvmlMigDevice> devices;
  for (unsigned index = 0; index < std::min(static_cast<unsigned>(*most), nvml_most_rows); ++index) {
    NvmlMigDevice found;
    const NvmlOutcome outcome = ask.nvml.call(nvml_mig_device, ask.device, index, &found.device);
    if (outcome.code == NvmlCode::not_found) continue;  // a hole
    if (!outcome.ok()) return ask.nvml.missing(outcome);
    const NvmlAsk device{ask.nvml, found.device};
    const Reading<int> gpu_instance = device.number(nvml_gpu_instance_id);
    if (!gpu_instance) return tl::unexpected<Missing>(gpu_instance.error());
    const Reading<int> compute_instance = device.number(nvml_compute_instance_id);
    if (!compute_instance) return tl::unexpected<Missing>(compute_instance.error());
    found.gpu_instance = {static_cast<std::uint32_t>(*gpu_instance)};
    found.compute_instance = {static_cast<std::uint32_t>(*compute_instance)};
    devices.push_back(found);
  }
  return devices;
}

Reading<std::vector<LiveGpuInstance>> instances_of_devices(const NvmlAsk& ask,
                                                           const std::vector<NvmlMigDevice>& devices) {
  std::map<GpuInstanceId, LiveGpuInstance> found;
  for (const NvmlMigDevice& device : devices) {
    const NvmlAsk asked{ask.nvml, device.device};
    NvmlAttributes attributes{};
    const NvmlOutcome outcome = ask.nvml.call(nvml_attributes, device.device, &attributes);
    auto at = found.find(device.gpu_instance);
    if (at == found.end()) {
      LiveGpuInstance instance = gpu_instance_of(asked, device, outcome.ok() ? &attributes : nullptr);
      if (!outcome.ok()) instance.compute_slices = ask.nvml.missing(outcome);
      at = found.emplace(device.gpu_instance, std::move(instance)).first;
    }
    LiveComputeInstance compute;
    compute.id = device.compute_instance;
    compute.start = missing(Absence::denied, std::string(places_denied));
    compute.compute_slices = outcome.ok() ? Reading<int>(static_cast<int>(attributes.compute_slices))
                                          : Reading<int>(ask.nvml.missing(outcome));
    compute.uuid = asked.text(nvml_uuid);
    at->second.compute->push_back(std::move(compute));
  }
  std::vector<LiveGpuInstance> instances;
  for (auto& [id, instance] : found) instances.push_back(std::move(instance));
  return instances;
}

}  // namespace carve
