#include "simgpu/loaded.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

namespace carve::sim {

Nvml::Nvml(int branch) {
  const std::string path = std::string(CARVE_SIM_LIBRARIES) + "/" + std::to_string(branch) + "/libnvidia-ml.so.1";
  library_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) ADD_FAILURE() << ::dlerror();
}

Nvml::~Nvml() {
  if (library_ != nullptr) ::dlclose(library_);
}

void* Nvml::find(const std::string& name) const {
  return library_ == nullptr ? nullptr : ::dlsym(library_, name.c_str());
}

Device Nvml::device(unsigned index) const {
  Device device = nullptr;
  EXPECT_EQ(call("nvmlDeviceGetHandleByIndex_v2", index, &device), success);
  return device;
}

Device Nvml::mig_device(Device card, unsigned index) const {
  Device device = nullptr;
  return call("nvmlDeviceGetMigDeviceHandleByIndex", card, index, &device) == success ? device : nullptr;
}

std::string Nvml::uuid(Device device) const {
  char text[uuid_buffer] = {};
  EXPECT_EQ(call("nvmlDeviceGetUUID", device, static_cast<char*>(text), static_cast<unsigned>(sizeof text)), success);
  return text;
}

GpuInstanceHandle Nvml::create(Device device, unsigned profile, Return* code) const {
  GpuInstanceHandle made = nullptr;
  const Return result = call("nvmlDeviceCreateGpuInstance", device, profile, &made);
  if (code != nullptr) *code = result;
  return result == success ? made : nullptr;
}

GpuInstanceHandle Nvml::create_at(Device device, unsigned profile, Placement place, Return* code) const {
  GpuInstanceHandle made = nullptr;
  const Placement* where = &place;
  const Return result = call("nvmlDeviceCreateGpuInstanceWithPlacement", device, profile, where, &made);
  if (code != nullptr) *code = result;
  return result == success ? made : nullptr;
}

ComputeInstanceHandle Nvml::create_compute(GpuInstanceHandle instance, unsigned profile, Return* code) const {
  ComputeInstanceHandle made = nullptr;
  const Return result = call("nvmlGpuInstanceCreateComputeInstance", instance, profile, &made);
  if (code != nullptr) *code = result;
  return result == success ? made : nullptr;
}

GpuInstanceInfo Nvml::info(GpuInstanceHandle instance) const {
  GpuInstanceInfo info{};
  EXPECT_EQ(call("nvmlGpuInstanceGetInfo", instance, &info), success);
  return info;
}

ComputeInstanceInfo Nvml::info(ComputeInstanceHandle instance) const {
  ComputeInstanceInfo info{};
  EXPECT_EQ(call("nvmlComputeInstanceGetInfo_v2", instance, &info), success);
  return info;
}

std::vector<Placement> Nvml::placements(Device device, unsigned profile) const {
  unsigned count = 0;
  Placement* none = nullptr;
  EXPECT_EQ(call("nvmlDeviceGetGpuInstancePossiblePlacements_v2", device, profile, none, &count), success);
  std::vector<Placement> places(count);
  EXPECT_EQ(call("nvmlDeviceGetGpuInstancePossiblePlacements_v2", device, profile, places.data(), &count), success);
  return places;
}

namespace {

std::string new_folder() {
  std::string path = (std::filesystem::temp_directory_path() / "carve-sim-XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr) ADD_FAILURE() << "no folder " << path;
  return path;
}

MachineOrder order_of(std::string_view cards) {
  const auto order = parse_cards(cards);
  if (!order) ADD_FAILURE() << order.error().message;
  return order.value_or(MachineOrder{});
}

}  // namespace

CardOrder card_of(std::string name) {
  CardOrder order;
  order.card = std::move(name);
  return order;
}

MachineFolder::MachineFolder(std::string_view cards) : MachineFolder(order_of(cards)) {}

MachineFolder::MachineFolder(const MachineOrder& order) : path_(new_folder()) {
  const auto made = create_machine(path_, order);
  if (!made) ADD_FAILURE() << made.error().message;
  ::setenv("CARVE_SIM_DIR", path_.c_str(), 1);
}

MachineFolder::~MachineFolder() {
  ::unsetenv("CARVE_SIM_DIR");
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Sleeper::Sleeper() : pid_(::fork()) {
  if (pid_ != 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that crashes leaves nobody behind, who would hold its output open
  for (;;) ::pause();
}

void Sleeper::end() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = 0;
}

void CutMachine::start() {
  ASSERT_EQ(nvml.call("nvmlInit_v2"), success);
  unsigned count = 0;
  ASSERT_EQ(nvml.call("nvmlDeviceGetCount_v2", &count), success);
  for (unsigned card = 0; card < count; ++card) {
    Return activation = success;
    const Return set = nvml.call("nvmlDeviceSetMigMode", nvml.device(card), 1u, &activation);
    if (set == not_supported) continue;
    ASSERT_EQ(set, success);
    if (activation != reset_required) continue;
    ASSERT_TRUE(control.reset(static_cast<int>(card)));
  }
}

CutMachine::~CutMachine() { nvml.call("nvmlShutdown"); }

}  // namespace carve::sim
