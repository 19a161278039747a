// Processes: memory, lists, who is in the way, and that the dead leave by themselves; utilisation; events.
#include <gmock/gmock.h>

#include "simgpu/loaded.h"

namespace carve::sim {

namespace {

struct Listed {
  Return code = success;
  unsigned count = 0;
  std::vector<ProcessInfo> rows;
};

Listed list(const Nvml& nvml, Device device, unsigned room, const char* which = "Compute") {
  Listed listed;
  listed.count = room;
  listed.rows.resize(room);
  listed.code = nvml.call(std::string("nvmlDeviceGet") + which + "RunningProcesses_v3", device, &listed.count,
                          listed.rows.data());
  return listed;
}

TEST(Occupants, HoldMemoryAndInstancesUntilTheyEnd) {
  CutMachine machine("h100-80gb");
  const Nvml& nvml = machine.nvml;
  const Device card = nvml.device(0);
  const GpuInstanceHandle gpu = nvml.create_at(card, 9, {4, 4});
  const ComputeInstanceHandle compute = nvml.create_compute(gpu, 2);
  const Device mig = nvml.mig_device(card, 0);
  Sleeper sleeper;
  ASSERT_TRUE(machine.control.add_process({sleeper.pid(), {0, 2, 0}, Mib{1000}}));

  const Listed own = list(nvml, mig, 4);
  ASSERT_EQ(own.code, success);
  ASSERT_EQ(own.count, 1u);
  EXPECT_EQ(own.rows[0].gpu_instance, 2u);
  EXPECT_EQ(own.rows[0].used_memory, 1000ull << 20);
  EXPECT_EQ(list(nvml, card, 0).code, insufficient_size);
  EXPECT_EQ(list(nvml, card, 0).count, 1u);
  MemoryInfoV2 memory{};
  memory.version = version_of<MemoryInfoV2>(2);
  ASSERT_EQ(nvml.call("nvmlDeviceGetMemoryInfo_v2", mig, &memory), success);
  EXPECT_EQ(memory.used, 1000ull << 20);
  EXPECT_EQ(memory.free + memory.used, memory.total);
  EXPECT_EQ(nvml.call("nvmlComputeInstanceDestroy", compute), in_use);
  EXPECT_FALSE(machine.control.reset(0));

  sleeper.end();
  EXPECT_EQ(list(nvml, mig, 4).count, 0u);
  EXPECT_EQ(list(nvml, card, 0).code, success);
  EXPECT_EQ(nvml.call("nvmlComputeInstanceDestroy", compute), success);
  EXPECT_EQ(nvml.call("nvmlGpuInstanceDestroy", gpu), success);
}

TEST(Occupants, CannotTakeWhatIsNotThere) {
  CutMachine machine("h100-80gb");
  const Nvml& nvml = machine.nvml;
  nvml.create_compute(nvml.create(nvml.device(0), 19), 0);
  const Sleeper sleeper;
  EXPECT_FALSE(machine.control.add_process({sleeper.pid(), {0, 13, 0}, Mib{9985}})) << "more than the instance has";
  EXPECT_FALSE(machine.control.add_process({sleeper.pid(), {0, 7, 0}, Mib{1}})) << "no such instance";
  EXPECT_FALSE(machine.control.add_process({sleeper.pid(), {0}, Mib{1}})) << "the card is cut";
  EXPECT_FALSE(machine.control.add_process({1 << 30, {0, 13, 0}, Mib{1}})) << "no such process";
  ASSERT_TRUE(machine.control.add_process({sleeper.pid(), {0, 13, 0}, Mib{9984}}));
  EXPECT_TRUE(machine.control.remove_process(sleeper.pid()));
  EXPECT_FALSE(machine.control.remove_process(sleeper.pid()));
}

TEST(Occupants, ListsGoByKind) {
  const MachineFolder folder("h100-80gb");
  const Nvml nvml;
  ASSERT_EQ(nvml.call("nvmlInit_v2"), success);
  const Device card = nvml.device(0);
  const Sleeper compute;
  const Sleeper server;
  const Sleeper client;
  const Sleeper graphics;
  Control control = folder.control();
  ASSERT_TRUE(control.add_process({compute.pid(), {0}, Mib{10}, ProcessKind::compute, 30, 5}));
  ASSERT_TRUE(control.add_process({server.pid(), {0}, Mib{20}, ProcessKind::mps_server}));
  ASSERT_TRUE(control.add_process({client.pid(), {0}, Mib{30}, ProcessKind::mps_client, 40, 6}));
  ASSERT_TRUE(control.add_process({graphics.pid(), {0}, Mib{40}, ProcessKind::graphics}));
  EXPECT_EQ(list(nvml, card, 8).count, 2u);
  const Listed mps = list(nvml, card, 8, "MPSCompute");
  ASSERT_EQ(mps.count, 1u);
  EXPECT_EQ(mps.rows[0].pid, static_cast<std::uint32_t>(client.pid()));
  EXPECT_EQ(mps.rows[0].gpu_instance, no_instance);
  EXPECT_EQ(list(nvml, card, 8, "Graphics").count, 1u);

  Utilization rates{};
  ASSERT_EQ(nvml.call("nvmlDeviceGetUtilizationRates", card, &rates), success);
  EXPECT_EQ(rates.gpu, 70u);
  EXPECT_EQ(rates.memory, 11u);
  unsigned count = 0;
  ProcessSample* none = nullptr;
  EXPECT_EQ(nvml.call("nvmlDeviceGetProcessUtilization", card, none, &count, 0ull), insufficient_size);
  std::vector<ProcessSample> samples(count);
  ASSERT_EQ(nvml.call("nvmlDeviceGetProcessUtilization", card, samples.data(), &count, 0ull), success);
  ASSERT_EQ(count, 4u);
  EXPECT_EQ(samples[0].sm, 30u);
  nvml.call("nvmlShutdown");
}

TEST(Occupants, UtilisationUnderMigIsByGpmOnly) {
  CutMachine machine("h100-80gb,a100-40gb");
  const Nvml& nvml = machine.nvml;
  const Device card = nvml.device(0);
  nvml.create_compute(nvml.create(card, 9), 2);
  const Sleeper sleeper;
  ASSERT_TRUE(machine.control.add_process({sleeper.pid(), {0, 2, 0}, Mib{10}, ProcessKind::compute, 64}));
  Utilization rates{};
  EXPECT_EQ(nvml.call("nvmlDeviceGetUtilizationRates", card, &rates), not_supported);

  GpmSample first = nullptr;
  GpmSample second = nullptr;
  ASSERT_EQ(nvml.call("nvmlGpmSampleAlloc", &first), success);
  ASSERT_EQ(nvml.call("nvmlGpmSampleAlloc", &second), success);
  ASSERT_EQ(nvml.call("nvmlGpmMigSampleGet", card, 2u, first), success);
  EXPECT_EQ(nvml.call("nvmlGpmMigSampleGet", card, 7u, second), invalid_argument);
  ASSERT_EQ(nvml.call("nvmlGpmMigSampleGet", card, 2u, second), success);
  const auto request = std::make_unique<GpmMetricsGet>();
  request->version = 1;
  request->count = 2;
  request->first = first;
  request->second = second;
  request->metrics[0].id = gpm_sm_util;
  request->metrics[1].id = 10;
  EXPECT_EQ(nvml.call("nvmlGpmMetricsGet", request.get()), invalid_argument) << "less than 100 ms apart";
  ::usleep(110'000);
  ASSERT_EQ(nvml.call("nvmlGpmSampleGet", nvml.mig_device(card, 0), second), success);
  ASSERT_EQ(nvml.call("nvmlGpmMetricsGet", request.get()), success);
  EXPECT_EQ(request->metrics[0].result, success);
  EXPECT_EQ(request->metrics[0].value, 64.0);
  EXPECT_EQ(request->metrics[1].result, not_supported);
  EXPECT_EQ(nvml.call("nvmlGpmSampleGet", nvml.device(1), first), not_supported) << "no GPM before Hopper";
  EXPECT_EQ(nvml.call("nvmlGpmSampleFree", first), success);
  EXPECT_EQ(nvml.call("nvmlGpmSampleFree", first), invalid_argument);
}

TEST(Occupants, WithoutRightsAnInstanceShowsItsOwnOnly) {
  CutMachine machine("h100-80gb");
  machine.nvml.create_compute(machine.nvml.create(machine.nvml.device(0), 9), 2);
  ::setenv("CARVE_SIM_PRIVILEGE", "none", 1);
  const Nvml nvml(525);
  ASSERT_EQ(nvml.call("nvmlInit_v2"), success);
  ::unsetenv("CARVE_SIM_PRIVILEGE");
  EXPECT_EQ(list(nvml, nvml.device(0), 8).code, no_permission);
  EXPECT_EQ(list(nvml, nvml.mig_device(nvml.device(0), 0), 8).code, success);
  nvml.call("nvmlShutdown");
}

TEST(Events, ComeToWhoRegistered) {
  CutMachine machine("2xh100-80gb");
  const Nvml& nvml = machine.nvml;
  nvml.create_compute(nvml.create(nvml.device(1), 9), 2);
  EventSet set = nullptr;
  ASSERT_EQ(nvml.call("nvmlEventSetCreate", &set), success);
  ASSERT_TRUE(machine.control.raise_xid({1}, 79));  // before registration: lost
  ASSERT_EQ(nvml.call("nvmlDeviceRegisterEvents", nvml.device(1), 8ull, set), success);
  EXPECT_EQ(nvml.call("nvmlDeviceRegisterEvents", nvml.mig_device(nvml.device(1), 0), 8ull, set), invalid_argument);
  EventData data{};
  EXPECT_EQ(nvml.call("nvmlEventSetWait_v2", set, &data, 20u), timeout);
  ASSERT_TRUE(machine.control.raise_xid({0}, 31));  // a card that nobody registered
  ASSERT_TRUE(machine.control.raise_xid({1, 2, 0}, 43));
  ASSERT_EQ(nvml.call("nvmlEventSetWait_v2", set, &data, 1000u), success);
  EXPECT_EQ(data.device, nvml.device(1));
  EXPECT_EQ(data.type, 8u);
  EXPECT_EQ(data.data, 43u);
  EXPECT_EQ(data.gpu_instance, 2u);
  EXPECT_EQ(data.compute_instance, 0u);
  EXPECT_EQ(nvml.call("nvmlEventSetWait_v2", set, &data, 0u), timeout);
  ASSERT_TRUE(machine.control.lose(1));
  EXPECT_EQ(nvml.call("nvmlEventSetWait_v2", set, &data, 1000u), gpu_is_lost);
  EXPECT_EQ(nvml.call("nvmlEventSetFree", set), success);
  EXPECT_EQ(nvml.call("nvmlEventSetWait_v2", set, &data, 0u), invalid_argument);
}

TEST(Events, WithoutRightsNameNoInstances) {
  CutMachine machine("h100-80gb");
  machine.nvml.create_compute(machine.nvml.create(machine.nvml.device(0), 9), 2);
  ::setenv("CARVE_SIM_PRIVILEGE", "none", 1);
  const Nvml nvml(525);
  ASSERT_EQ(nvml.call("nvmlInit_v2"), success);
  ::unsetenv("CARVE_SIM_PRIVILEGE");
  EventSet set = nullptr;
  ASSERT_EQ(nvml.call("nvmlEventSetCreate", &set), success);
  ASSERT_EQ(nvml.call("nvmlDeviceRegisterEvents", nvml.device(0), 8ull, set), success);
  ASSERT_TRUE(machine.control.raise_xid({0, 2, 0}, 43));
  ASSERT_TRUE(machine.control.raise_xid({0}, 79));
  EventData data{};
  ASSERT_EQ(nvml.call("nvmlEventSetWait_v2", set, &data, 1000u), success);
  EXPECT_EQ(data.data, 79u);
  nvml.call("nvmlShutdown");
}

}  // namespace

}  // namespace carve::sim
