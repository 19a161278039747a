// GPU and compute instances, MIG devices, and who may make them.
#include <gmock/gmock.h>

#include "simgpu/loaded.h"

namespace carve::sim {

namespace {

TEST(Instances, ComputeInstancesShareTheirGpuInstance) {
  const CutMachine machine("a100-40gb");
  const Nvml& nvml = machine.nvml;
  const Device card = nvml.device(0);
  const GpuInstanceHandle instance = nvml.create(card, 9);
  ComputeProfileInfo info{};
  ASSERT_EQ(nvml.call("nvmlGpuInstanceGetComputeInstanceProfileInfo", instance, 0u, 0u, &info), success);
  EXPECT_EQ(info.multiprocessors, 14u);
  EXPECT_EQ(info.instances, 3u);
  ASSERT_EQ(nvml.call("nvmlGpuInstanceGetComputeInstanceProfileInfo", instance, 2u, 0u, &info), success);
  EXPECT_EQ(info.multiprocessors, 42u);
  EXPECT_EQ(nvml.call("nvmlGpuInstanceGetComputeInstanceProfileInfo", instance, 3u, 0u, &info), not_supported);
  EXPECT_EQ(nvml.call("nvmlGpuInstanceGetComputeInstanceProfileInfo", instance, 9u, 0u, &info), invalid_argument);
  EXPECT_EQ(nvml.call("nvmlGpuInstanceGetComputeInstanceProfileInfo", instance, 0u, 1u, &info), invalid_argument);

  const ComputeInstanceHandle pair = nvml.create_compute(instance, 1);
  const ComputeInstanceHandle single = nvml.create_compute(instance, 0);
  ASSERT_NE(single, nullptr);
  EXPECT_EQ(nvml.info(pair).placement.start, 0u);
  EXPECT_EQ(nvml.info(single).placement.start, 2u);
  EXPECT_EQ(nvml.info(single).id, 1u);
  Return code = success;
  EXPECT_EQ(nvml.create_compute(instance, 0, &code), nullptr);
  EXPECT_EQ(code, insufficient_resources);
  EXPECT_EQ(nvml.create_compute(instance, 4, &code), nullptr);
  EXPECT_EQ(code, invalid_argument);
  EXPECT_EQ(nvml.call("nvmlGpuInstanceDestroy", instance), in_use);
  ASSERT_EQ(nvml.call("nvmlComputeInstanceDestroy", pair), success);
  unsigned count = 0;
  ASSERT_EQ(nvml.call("nvmlGpuInstanceGetComputeInstanceRemainingCapacity", instance, 0u, &count), success);
  EXPECT_EQ(count, 2u);
  ASSERT_EQ(nvml.call("nvmlComputeInstanceDestroy", single), success);
  EXPECT_EQ(nvml.call("nvmlGpuInstanceDestroy", instance), success);
}

TEST(Instances, MigDevicesLeaveHolesThatAreFilledAgain) {
  const CutMachine machine("h100-80gb");
  const Nvml& nvml = machine.nvml;
  const Device card = nvml.device(0);
  std::vector<ComputeInstanceHandle> made;
  for (unsigned start = 0; start < 3; ++start)
    made.push_back(nvml.create_compute(nvml.create_at(card, 19, {start, 1}), 0));
  const Device second = nvml.mig_device(card, 1);
  EXPECT_EQ(nvml.info(made[1]).device, second) << "the new call names the MIG device";
  ComputeInstanceInfo old{};
  ASSERT_EQ(nvml.call("nvmlComputeInstanceGetInfo", made[1], &old), success);
  EXPECT_EQ(old.device, card) << "the old one the card";

  ASSERT_EQ(nvml.call("nvmlComputeInstanceDestroy", made[1]), success);
  Device found = nullptr;
  EXPECT_EQ(nvml.call("nvmlDeviceGetMigDeviceHandleByIndex", card, 1u, &found), not_found);
  EXPECT_EQ(nvml.call("nvmlDeviceGetMigDeviceHandleByIndex", card, 7u, &found), invalid_argument);
  EXPECT_NE(nvml.mig_device(card, 2), nullptr);
  nvml.create_compute(nvml.create_at(card, 19, {5, 1}), 0);
  EXPECT_EQ(nvml.mig_device(card, 1), second) << "the handle is used again, for another device";
  unsigned id = 0;
  ASSERT_EQ(nvml.call("nvmlDeviceGetGpuInstanceId", second, &id), success);
  EXPECT_EQ(id, 12u);
}

TEST(Instances, AMigDeviceHasItsOwnFigures) {
  const CutMachine machine("h100-80gb");
  const Nvml& nvml = machine.nvml;
  const Device card = nvml.device(0);
  nvml.create_compute(nvml.create(card, 9), 0);
  const Device mig = nvml.mig_device(card, 0);
  Attributes attributes{};
  ASSERT_EQ(nvml.call("nvmlDeviceGetAttributes_v2", mig, &attributes), success);
  EXPECT_EQ(attributes.multiprocessors, 16u);
  EXPECT_EQ(attributes.gpu_slices, 3u);
  EXPECT_EQ(attributes.compute_slices, 1u);
  EXPECT_EQ(attributes.memory_mib, 40448u);
  EXPECT_EQ(nvml.call("nvmlDeviceGetAttributes_v2", card, &attributes), not_supported);
  char name[96] = {};
  ASSERT_EQ(nvml.call("nvmlDeviceGetName", mig, static_cast<char*>(name), 96u), success);
  EXPECT_STREQ(name, "NVIDIA H100 80GB HBM3 MIG 1c.3g.40gb");
  MemoryInfo memory{};
  ASSERT_EQ(nvml.call("nvmlDeviceGetMemoryInfo", mig, &memory), success);
  EXPECT_EQ(memory.total, 40448ull << 20);
  unsigned is_mig = 0;
  EXPECT_EQ(nvml.call("nvmlDeviceIsMigDeviceHandle", mig, &is_mig), success);
  EXPECT_EQ(is_mig, 1u);
  Device parent = nullptr;
  EXPECT_EQ(nvml.call("nvmlDeviceGetDeviceHandleFromMigDeviceHandle", mig, &parent), success);
  EXPECT_EQ(parent, card);
  unsigned count = 0;
  EXPECT_EQ(nvml.call("nvmlDeviceGetMaxMigDeviceCount", mig, &count), invalid_argument);
}

TEST(Instances, PlacesAreKnownWithMigOffAndNothingElse) {
  const MachineFolder folder("h100-80gb,l4");
  const Nvml nvml;
  ASSERT_EQ(nvml.call("nvmlInit_v2"), success);
  const Device card = nvml.device(0);
  EXPECT_EQ(nvml.placements(card, 19).size(), 7u);
  Return code = success;
  EXPECT_EQ(nvml.create(card, 19, &code), nullptr);
  EXPECT_EQ(code, not_supported);
  unsigned count = 99;
  EXPECT_EQ(nvml.call("nvmlDeviceGetMaxMigDeviceCount", card, &count), success);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(nvml.call("nvmlDeviceGetGpuInstanceRemainingCapacity", card, 19u, &count), not_supported);
  unsigned current = 0;
  unsigned pending = 0;
  EXPECT_EQ(nvml.call("nvmlDeviceGetMigMode", nvml.device(1), &current, &pending), not_supported);
  nvml.call("nvmlShutdown");
}

struct Rights {
  const char* privilege;
  Return create, set_mode, info;
};

TEST(Instances, NeedRights) {
  const CutMachine machine("h100-80gb");
  const Rights rights[] = {{"root", success, success, success},
                           {"mig-config", success, no_permission, success},
                           {"none", no_permission, no_permission, success}};
  for (const Rights& row : rights) {
    ::setenv("CARVE_SIM_PRIVILEGE", row.privilege, 1);
    const Nvml nvml(525);  // another copy of the library, with rights of its own
    ASSERT_EQ(nvml.call("nvmlInit_v2"), success);
    Return code = success;
    const GpuInstanceHandle made = nvml.create(nvml.device(0), 19, &code);
    EXPECT_EQ(code, row.create) << row.privilege;
    Return activation = success;
    EXPECT_EQ(nvml.call("nvmlDeviceSetMigMode", nvml.device(0), 1u, &activation), row.set_mode) << row.privilege;
    unsigned current = 0;
    unsigned pending = 0;
    EXPECT_EQ(nvml.call("nvmlDeviceGetMigMode", nvml.device(0), &current, &pending), row.info) << row.privilege;
    if (made != nullptr) {
      EXPECT_EQ(nvml.call("nvmlGpuInstanceDestroy", made), success);
    }
    ASSERT_EQ(nvml.call("nvmlShutdown"), success);
  }
  ::unsetenv("CARVE_SIM_PRIVILEGE");
}

}  // namespace

}  // namespace carve::sim
