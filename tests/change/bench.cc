#include "change/bench.h"

#include <signal.h>
#include <cstdlib>
#include <filesystem>

namespace carve::changing {

namespace {

// NVML, between its beginning and its end.
class OpenNvml : public sim::Nvml {
 public:
  OpenNvml() { EXPECT_EQ(call("nvmlInit_v2"), sim::success); }
  ~OpenNvml() { call("nvmlShutdown"); }
  OpenNvml(const OpenNvml&) = delete;
  OpenNvml& operator=(const OpenNvml&) = delete;
};

sim::Return succeed(sim::Return code, const char* what) {
  if (code != sim::success) ADD_FAILURE() << what << ": " << code;
  return code;
}

}  // namespace

void Bench::make_root() {
  // Thousands of synced records: in memory, where syncing costs nothing.
  std::string path = std::filesystem::exists("/dev/shm") ? "/dev/shm/carve-change-XXXXXX" : "/tmp/carve-change-XXXXXX";
  root_ = ::mkdtemp(path.data());
}

Bench::~Bench() { std::filesystem::remove_all(root_); }

Machine Bench::read() const {
  const Result<Machine> machine = read_machine({library_of(sim::newest)});
  if (!machine) ADD_FAILURE() << machine.error().message;
  return machine ? *machine : Machine{};
}

LiveCard Bench::card(int index) const { return read().cards.at(static_cast<std::size_t>(index)); }

std::vector<At> Bench::layout(int index) const {
  std::vector<At> found;
  const LiveCard live = card(index);
  for (const LiveGpuInstance& instance : *live.instances)
    if (instance.compute->size() == 1) found.push_back({*instance.profile, instance.placement->start});
  return found;
}

void Bench::mig_on(int index) {
  const OpenNvml nvml;
  int activation = 0;
  succeed(nvml.call("nvmlDeviceSetMigMode", nvml.device(static_cast<unsigned>(index)), 1u, &activation), "MIG on");
}

void Bench::cut(int index, const std::vector<At>& wanted) {
  const LiveCard live = card(index);
  const OpenNvml nvml;
  const auto device = nvml.device(static_cast<unsigned>(index));
  for (const LiveGpuInstance& instance : *live.instances) {
    sim::GpuInstanceHandle handle{};
    succeed(nvml.call("nvmlDeviceGetGpuInstanceById", device, instance.id.value, &handle), "by id");
    for (const LiveComputeInstance& compute : *instance.compute) {
      sim::ComputeInstanceHandle inner{};
      succeed(nvml.call("nvmlGpuInstanceGetComputeInstanceById", handle, compute.id.value, &inner), "compute by id");
      succeed(nvml.call("nvmlComputeInstanceDestroy", inner), "destroy compute");
    }
    succeed(nvml.call("nvmlGpuInstanceDestroy", handle), "destroy");
  }
  for (const At& at : wanted) {
    for (const LiveProfile& profile : *live.profiles) {
      if (profile.name != at.profile) continue;
      const auto size = static_cast<unsigned>(profile.placements->front().size);
      const auto handle = nvml.create_at(device, profile.id, {static_cast<unsigned>(at.start), size});
      unsigned whole = 0;  // of the compute profiles: the enumerator of the most slices that it has
      for (unsigned i = 0; i < sim::compute_profile_count; ++i) {
        sim::ComputeProfileInfo info{};
        if (nvml.call("nvmlGpuInstanceGetComputeInstanceProfileInfo", handle, i, 0u, &info) == sim::success &&
            static_cast<int>(info.slices) == profile.compute_slices)
          whole = info.id;
      }
      nvml.create_compute(handle, whole);
    }
  }
}

std::int32_t Bench::occupy(int index, const At& at) {
  const LiveCard live = card(index);
  for (const LiveGpuInstance& instance : *live.instances) {
    if (*instance.profile != at.profile || instance.placement->start != at.start) continue;
    sleepers_.push_back(std::make_unique<sim::Sleeper>());
    sim::ProcessOrder order;
    order.pid = sleepers_.back()->pid();
    order.where = {index, instance.id.value, instance.compute->front().id.value};
    order.memory = Mib{100};
    EXPECT_TRUE(control().add_process(order));
    return order.pid;
  }
  ADD_FAILURE() << "no " << at.profile << " at " << at.start;
  return 0;
}

void Bench::occupy_card(int index) {
  sleepers_.push_back(std::make_unique<sim::Sleeper>());
  sim::ProcessOrder order;
  order.pid = sleepers_.back()->pid();
  order.where = {index, sim::no_instance, sim::no_instance};
  order.memory = Mib{100};
  EXPECT_TRUE(control().add_process(order));
}

void Bench::own_all() {
  Made made;
  for (const LiveCard& live : read().cards)
    for (const LiveGpuInstance& instance : *live.instances)
      made.insert({*live.uuid, {*instance.profile, *instance.placement}});
  EXPECT_TRUE(write_made({root_}, made));
}

WantedCard Bench::wants(int index, const std::vector<std::string>& profiles) const {
  WantedCard wanted{uuid(index), true, {}};
  for (const std::string& profile : profiles) wanted.instances.push_back({profile, {}});
  return wanted;
}

Change Bench::plan(const std::vector<WantedCard>& cards, Permissions permissions) const {
  const Result<Made> made = made_by_carve({root_});
  if (!made) ADD_FAILURE() << made.error().message;
  return plan_change(read(), {cards}, made ? *made : Made{}, permissions);
}

ApplyOptions Bench::options() const {
  ApplyOptions options;
  options.driver.library = library_of(sim::newest);
  options.reset.program = CARVE_SIM_SMI;
  options.reset.library_folder = std::string(CARVE_SIM_LIBRARIES) + "/580";
  options.folders.root = root_;
  options.command = "apply";
  options.at = "2026-01-01T00:00:00Z";
  return options;
}

Result<Applied> Bench::apply(const Change& change) const { return apply(change, options()); }

Result<Applied> Bench::apply(const Change& change, const ApplyOptions& options) const {
  ProcessOccupants occupants(
      Stop::ours, [](std::int32_t) { return false; }, std::chrono::milliseconds(200));
  return apply_change(change, occupants, options);
}

}  // namespace carve::changing
