// The interface itself: exported names for each driver, old and new structs, handles, versions, texts.
#include <elf.h>
#include <cstring>
#include <set>

#include <gmock/gmock.h>

#include "simgpu/loaded.h"

namespace carve::sim {

namespace {

using ::testing::StartsWith;

// The dynamic symbols of an ELF file that are defined in it.
std::set<std::string> exported(const std::string& path) {
  const auto bytes = read_file(path, 64 << 20);
  if (!bytes) return {};
  const char* file = bytes->data();
  Elf64_Ehdr header{};
  std::memcpy(&header, file, sizeof header);
  std::set<std::string> names;
  for (int i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section{};
    std::memcpy(&section, file + header.e_shoff + static_cast<std::size_t>(i) * sizeof section, sizeof section);
    if (section.sh_type != SHT_DYNSYM) continue;
    Elf64_Shdr strings{};
    std::memcpy(&strings, file + header.e_shoff + section.sh_link * sizeof strings, sizeof strings);
    for (std::size_t at = 0; at < section.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol{};
      std::memcpy(&symbol, file + section.sh_offset + at, sizeof symbol);
      const bool defined = symbol.st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) != STB_LOCAL;
      if (defined) names.insert(file + strings.sh_offset + symbol.st_name);
    }
  }
  return names;
}

struct Driver {
  int branch;
  std::int32_t since;
  const char* version;
};
constexpr Driver drivers[] = {{450, 450051, "450.51.06"}, {525, 525125, "525.125.06"}, {580, 580065, "580.65.06"}};

TEST(Interface, EachDriverExportsWhatItHasAndNothingElse) {
  for (const Driver& driver : drivers) {
    std::set<std::string> expected;
    for (const FunctionRow& row : function_rows) {
      if (row.since <= driver.since) expected.insert(row.name);
    }
    const auto found =
        exported(std::string(CARVE_SIM_LIBRARIES) + "/" + std::to_string(driver.branch) + "/libnvidia-ml.so.1");
    EXPECT_EQ(found, expected) << driver.branch;
  }
}

TEST(Interface, OlderDriversLackTheNewCalls) {
  const Nvml oldest(450);
  EXPECT_FALSE(oldest.has("nvmlDeviceGetGpuInstancePossiblePlacements_v2"));
  EXPECT_FALSE(oldest.has("nvmlDeviceGetComputeRunningProcesses_v2"));
  EXPECT_FALSE(oldest.has("nvmlDeviceGetMemoryInfo_v2"));
  EXPECT_TRUE(oldest.has("nvmlDeviceGetComputeRunningProcesses"));
  EXPECT_TRUE(oldest.has("nvmlDeviceCreateGpuInstance"));
  const Nvml middle(525);
  EXPECT_TRUE(middle.has("nvmlDeviceGetComputeRunningProcesses_v3"));
  EXPECT_FALSE(middle.has("nvmlDeviceGetGpuInstanceProfileInfoByIdV"));
}

TEST(Interface, SaysWhichDriverItIs) {
  const MachineFolder folder("a30");
  for (const Driver& driver : drivers) {
    const Nvml nvml(driver.branch);
    ASSERT_EQ(nvml.call("nvmlInit_v2"), success);
    char text[version_buffer] = {};
    EXPECT_EQ(nvml.call("nvmlSystemGetDriverVersion", static_cast<char*>(text), 80u), success);
    EXPECT_STREQ(text, driver.version);
    EXPECT_EQ(nvml.call("nvmlSystemGetDriverVersion", static_cast<char*>(text), 3u), insufficient_size);
    EXPECT_EQ(nvml.call("nvmlShutdown"), success);
  }
}

TEST(Interface, InitCounts) {
  const MachineFolder folder("a30");
  const Nvml nvml;
  unsigned count = 0;
  EXPECT_EQ(nvml.call("nvmlDeviceGetCount_v2", &count), uninitialized);
  EXPECT_EQ(nvml.call("nvmlShutdown"), uninitialized);
  EXPECT_EQ(nvml.call("nvmlInit_v2"), success);
  EXPECT_EQ(nvml.call("nvmlInitWithFlags", 0u), success);
  EXPECT_EQ(nvml.call("nvmlShutdown"), success);
  EXPECT_EQ(nvml.call("nvmlDeviceGetCount_v2", &count), success);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(nvml.call("nvmlShutdown"), success);
  EXPECT_EQ(nvml.call("nvmlDeviceGetCount_v2", &count), uninitialized);
}

TEST(Interface, OldCallsWriteOldStructs) {
  CutMachine machine("h100-80gb");
  const Nvml& nvml = machine.nvml;
  const Device card = nvml.device(0);
  const GpuInstanceHandle instance = nvml.create(card, 0);
  ASSERT_NE(nvml.create_compute(instance, 4), nullptr);
  const Sleeper sleeper;
  ASSERT_TRUE(machine.control.add_process({sleeper.pid(), {0, 0, 0}, Mib{100}}));

  struct {
    ProcessInfoV1 info;
    std::uint64_t behind;
  } one{{}, 77};
  unsigned count = 1;
  ASSERT_EQ(nvml.call("nvmlDeviceGetComputeRunningProcesses", card, &count, &one.info), success);
  EXPECT_EQ(one.info.pid, static_cast<std::uint32_t>(sleeper.pid()));
  EXPECT_EQ(one.info.used_memory, 100u << 20);
  EXPECT_EQ(one.behind, 77u) << "the old struct is 16 bytes";

  ProcessInfo info{};
  ASSERT_EQ(nvml.call("nvmlDeviceGetComputeRunningProcesses_v3", card, &count, &info), success);
  EXPECT_EQ(info.gpu_instance, 0u);
  EXPECT_EQ(info.compute_instance, 0u);

  PciInfo pci;
  std::memset(&pci, 0x55, sizeof pci);
  ASSERT_EQ(nvml.call("nvmlDeviceGetPciInfo", card, &pci), success);
  EXPECT_EQ(pci.subsystem_id, 0x55555555u) << "not a member of the first version";
  ASSERT_EQ(nvml.call("nvmlDeviceGetPciInfo_v3", card, &pci), success);
  EXPECT_EQ(pci.device_id, 0x233010deu);
  EXPECT_STREQ(pci.bus_id, "00000000:07:00.0");
  EXPECT_STREQ(pci.bus_id_legacy, "0000:07:00.0");
}

TEST(Interface, ProfileDescriptionsHaveTwoLayoutsOfOneSize) {
  const CutMachine machine("h100-80gb");
  const Device card = machine.nvml.device(0);
  GpuProfileInfoV2 second{};
  second.version = version_of<GpuProfileInfoV2>(2);
  ASSERT_EQ(machine.nvml.call("nvmlDeviceGetGpuInstanceProfileInfoV", card, 9u, &second), success);
  EXPECT_EQ(second.id, 15u);
  EXPECT_EQ(second.slices, 1u);
  EXPECT_EQ(second.multiprocessors, 26u);
  EXPECT_EQ(second.memory_mib, 20096u);
  EXPECT_STREQ(second.name, "MIG 1g.20gb");

  GpuProfileInfoV3 third{};
  third.version = version_of<GpuProfileInfoV3>(3);
  auto* as_second = reinterpret_cast<GpuProfileInfoV2*>(&third);
  ASSERT_EQ(machine.nvml.call("nvmlDeviceGetGpuInstanceProfileInfoV", card, 9u, as_second), success);
  EXPECT_EQ(third.slices, 1u);
  EXPECT_EQ(third.instances, 4u);
  EXPECT_EQ(third.memory_mib, 20096u);
  EXPECT_STREQ(third.name, "MIG 1g.20gb");

  second.version = version_of<GpuProfileInfoV2>(1);
  EXPECT_EQ(machine.nvml.call("nvmlDeviceGetGpuInstanceProfileInfoV", card, 9u, &second), invalid_argument);
  GpuProfileInfo first{};
  EXPECT_EQ(machine.nvml.call("nvmlDeviceGetGpuInstanceProfileInfo", card, 10u, &first), not_supported);
  EXPECT_EQ(machine.nvml.call("nvmlDeviceGetGpuInstanceProfileInfo", card, 18u, &first), invalid_argument);
}

TEST(Interface, HandlesOfWhatIsGoneAreRefused) {
  const CutMachine machine("h100-80gb");
  const Nvml& nvml = machine.nvml;
  const Device card = nvml.device(0);
  const GpuInstanceHandle first = nvml.create_at(card, 19, {0, 1});
  ASSERT_EQ(nvml.call("nvmlGpuInstanceDestroy", first), success);
  const GpuInstanceHandle second = nvml.create_at(card, 19, {0, 1});
  GpuInstanceInfo info{};
  EXPECT_EQ(nvml.call("nvmlGpuInstanceGetInfo", first, &info), invalid_argument) << "same place, another instance";
  EXPECT_EQ(nvml.call("nvmlGpuInstanceGetInfo", second, &info), success);
  int local = 0;
  for (void* wrong : {static_cast<void*>(nullptr), static_cast<void*>(&local), reinterpret_cast<void*>(second)}) {
    unsigned index = 0;
    EXPECT_EQ(nvml.call("nvmlDeviceGetIndex", reinterpret_cast<Device>(wrong), &index), invalid_argument);
  }
  EXPECT_EQ(nvml.call("nvmlGpuInstanceGetInfo", second, static_cast<GpuInstanceInfo*>(nullptr)), invalid_argument);
}

TEST(Interface, FindsDevicesByEveryName) {
  const CutMachine machine("2xh100-80gb");
  const Nvml& nvml = machine.nvml;
  const Device card = nvml.device(1);
  Device found = nullptr;
  EXPECT_EQ(nvml.call("nvmlDeviceGetHandleByUUID", nvml.uuid(card).c_str(), &found), success);
  EXPECT_EQ(found, card);
  EXPECT_EQ(nvml.call("nvmlDeviceGetHandleByPciBusId_v2", "00000000:0E:00.0", &found), success);
  EXPECT_EQ(found, card);
  EXPECT_EQ(nvml.call("nvmlDeviceGetHandleByPciBusId_v2", "0000:0e:00.0", &found), success);
  EXPECT_EQ(nvml.call("nvmlDeviceGetHandleByPciBusId_v2", "0000:0f:00.0", &found), not_found);
  EXPECT_EQ(nvml.call("nvmlDeviceGetHandleByUUID", "GPU-nobody", &found), not_found);
  EXPECT_EQ(nvml.call("nvmlDeviceGetHandleByIndex_v2", 2u, &found), invalid_argument);
  unsigned minor = 0;
  EXPECT_EQ(nvml.call("nvmlDeviceGetMinorNumber", card, &minor), success);
  EXPECT_NE(minor, 1u) << "minors are not indices";
}

TEST(Interface, MigUuidsComeBackWithThePlace) {
  std::string first;
  {
    const CutMachine machine("h100-80gb");
    const Device card = machine.nvml.device(0);
    machine.nvml.create_compute(machine.nvml.create_at(card, 9, {4, 4}), 2);
    first = machine.nvml.uuid(machine.nvml.mig_device(card, 0));
    EXPECT_THAT(first, StartsWith("MIG-"));
    Device found = nullptr;
    EXPECT_EQ(machine.nvml.call("nvmlDeviceGetHandleByUUID", first.c_str(), &found), success);
    EXPECT_EQ(found, machine.nvml.mig_device(card, 0));
  }
  const CutMachine again("h100-80gb");
  const Device card = again.nvml.device(0);
  again.nvml.create_compute(again.nvml.create_at(card, 9, {0, 4}), 2);
  again.nvml.create_compute(again.nvml.create_at(card, 9, {4, 4}), 2);
  EXPECT_NE(again.nvml.uuid(again.nvml.mig_device(card, 0)), first);
  EXPECT_EQ(again.nvml.uuid(again.nvml.mig_device(card, 1)), first);
}

TEST(Interface, OldDriversHaveLongMigNames) {
  const CutMachine machine("a100-40gb", 450);
  const Device card = machine.nvml.device(0);
  machine.nvml.create_compute(machine.nvml.create(card, 9), 2);
  EXPECT_EQ(machine.nvml.uuid(machine.nvml.mig_device(card, 0)), "MIG-" + machine.nvml.uuid(card) + "/2/0");
}

TEST(Interface, WithoutAMachineThereIsNoDriver) {
  const Nvml nvml;
  ::unsetenv("CARVE_SIM_DIR");
  EXPECT_EQ(nvml.call("nvmlInit_v2"), driver_not_loaded);
  ::setenv("CARVE_SIM_DIR", "/nonexistent", 1);
  EXPECT_EQ(nvml.call("nvmlInit_v2"), driver_not_loaded);
  ::unsetenv("CARVE_SIM_DIR");
}

}  // namespace

}  // namespace carve::sim
