// What a card is cut into, from the GPU instances down: the instances of each profile, in each the compute instances,
// and from these their MIG devices. All of it is for who is privileged; for others see mig_devices.cc. Instances may
// come and go while they are read: what is gone in between is an answer of the driver like any other.
#include <algorithm>
#include <array>

#include "driver/nvml/read.h"

namespace carve {

namespace {

using ComputeShapes = std::vector<NvmlComputeShape>;

class Reader {
 public:
  Reader(const NvmlAsk& ask, const std::vector<LiveProfile>& profiles) : ask_(ask), profiles_(profiles) {}

  Reading<std::vector<LiveGpuInstance>> read() {
    std::vector<LiveGpuInstance> found;
    for (const LiveProfile& profile : profiles_) {
      std::array<NvmlGpuInstance, nvml_most_rows> handles{};
      unsigned count = nvml_most_rows;
      const NvmlOutcome outcome = ask_.nvml.call(nvml_gpu_instances, ask_.device, profile.id, handles.data(), &count);
      if (!outcome.ok()) return ask_.nvml.missing(outcome);
      for (unsigned i = 0; i < std::min(count, nvml_most_rows); ++i) {
        Reading<LiveGpuInstance> instance = read_gpu_instance(handles[i], profile);
        if (!instance) return tl::unexpected<Missing>(instance.error());
        found.push_back(std::move(*instance));
      }
    }
    std::sort(found.begin(), found.end(),
              [](const auto& a, const auto& b) { return a.placement->start < b.placement->start; });
    return found;
  }

  std::vector<NvmlMigDevice> take_devices() { return std::move(devices_); }

 private:
  Reading<LiveGpuInstance> read_gpu_instance(NvmlGpuInstance handle, const LiveProfile& profile) {
    NvmlGpuInstanceInfo info{};
    const NvmlOutcome outcome = ask_.nvml.call(nvml_gpu_instance_info, handle, &info);
    if (!outcome.ok()) return ask_.nvml.missing(outcome);
    LiveGpuInstance instance;
    instance.id = {info.id};
    instance.profile = profile.name;
    instance.compute_slices = profile.compute_slices;
    instance.placement = Placement{static_cast<int>(info.placement.start), static_cast<int>(info.placement.size)};
    const std::size_t before = devices_.size();
    instance.compute = read_compute_instances(handle, instance);
    if (devices_.size() > before)
      instance.memory = read_memory({ask_.nvml, devices_[before].device});
    else
      instance.memory = missing(Absence::unsupported, "no compute instance in it that could be asked");
    return instance;
  }

  Reading<std::vector<LiveComputeInstance>> read_compute_instances(NvmlGpuInstance handle,
                                                                   const LiveGpuInstance& instance) {
    const Reading<ComputeShapes>& shapes = shapes_of(handle, *instance.profile);
    if (!shapes) return tl::unexpected<Missing>(shapes.error());
    std::vector<LiveComputeInstance> found;
    for (const NvmlComputeShape& shape : *shapes) {
      std::array<NvmlComputeInstance, nvml_most_rows> handles{};
      unsigned count = nvml_most_rows;
      const NvmlOutcome outcome = ask_.nvml.call(nvml_compute_instances, handle, shape.id, handles.data(), &count);
      if (!outcome.ok()) return ask_.nvml.missing(outcome);
      for (unsigned i = 0; i < std::min(count, nvml_most_rows); ++i) {
        Reading<LiveComputeInstance> compute = read_compute_instance(handles[i], instance.id);
        if (!compute) return tl::unexpected<Missing>(compute.error());
        found.push_back(std::move(*compute));
      }
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    return found;
  }

  Reading<LiveComputeInstance> read_compute_instance(NvmlComputeInstance handle, GpuInstanceId gpu_instance) {
    NvmlComputeInstanceInfo info{};
    const bool tells_device = ask_.nvml.has(nvml_compute_info_v2);
    const NvmlOutcome outcome = ask_.nvml.call_either(nvml_compute_info_v2, nvml_compute_info, handle, &info);
    if (!outcome.ok()) return ask_.nvml.missing(outcome);
    LiveComputeInstance compute;
    compute.id = {info.id};
    compute.start = static_cast<int>(info.placement.start);
    compute.compute_slices = static_cast<int>(info.placement.size);
    const Reading<NvmlDevice> device =
        tells_device ? Reading<NvmlDevice>(info.device) : walked(gpu_instance, compute.id);
    if (!device) {
      compute.uuid = tl::unexpected<Missing>(device.error());
      return compute;
    }
    compute.uuid = NvmlAsk{ask_.nvml, *device}.text(nvml_uuid);
    devices_.push_back({*device, gpu_instance, compute.id});
    return compute;
  }

  // Its MIG device, where the driver's own answer does not name it: found among all devices of the card.
  Reading<NvmlDevice> walked(GpuInstanceId gpu_instance, ComputeInstanceId compute_instance) {
    if (!walk_) walk_ = walk_mig_devices(ask_);
    if (!*walk_) return tl::unexpected<Missing>(walk_->error());
    for (const NvmlMigDevice& device : **walk_)
      if (device.gpu_instance == gpu_instance && device.compute_instance == compute_instance) return device.device;
    return missing(Absence::failed, "it has no MIG device");
  }

  // The same for all GPU instances of one profile, so each profile is asked for once.
  const Reading<ComputeShapes>& shapes_of(NvmlGpuInstance handle, const std::string& profile) {
    const auto known = shapes_.find(profile);
    if (known != shapes_.end()) return known->second;
    return shapes_.emplace(profile, compute_shapes(ask_.nvml, handle)).first->second;
  }

  const NvmlAsk& ask_;
  const std::vector<LiveProfile>& profiles_;
  std::vector<NvmlMigDevice> devices_;
  std::map<std::string, Reading<ComputeShapes>> shapes_;
  std::optional<Reading<std::vector<NvmlMigDevice>>> walk_;
};

}  // namespace

Reading<std::vector<NvmlComputeShape>> compute_shapes(const NvmlLibrary& nvml, NvmlGpuInstance handle) {
  ComputeShapes shapes;
  for (unsigned nvml_enum = 0; nvml_enum < nvml_most_rows; ++nvml_enum) {
    NvmlComputeProfile told{};
    constexpr unsigned shared_engines = 0;
    const NvmlOutcome outcome = nvml.call(nvml_compute_profile, handle, nvml_enum, shared_engines, &told);
    if (outcome.code == NvmlCode::invalid_argument) break;
    if (outcome.code == NvmlCode::not_supported) continue;
    if (!outcome.ok()) return nvml.missing(outcome);
    shapes.push_back({told.id, static_cast<int>(told.slices)});
  }
  return shapes;
}

NvmlInstances read_instances(const NvmlAsk& ask, const std::vector<LiveProfile>& profiles) {
  Reader reader(ask, profiles);
  NvmlInstances result;
  result.instances = reader.read();
  result.devices = reader.take_devices();
  if (result.instances || result.instances.error().why != Absence::denied) return result;
  const Reading<std::vector<NvmlMigDevice>> walk = walk_mig_devices(ask);
  if (!walk) return {tl::unexpected<Missing>(walk.error()), {}};
  return {instances_of_devices(ask, *walk), *walk};
}

}  // namespace carve
