// Machines that are not well: no library, no driver, no permission, a lost card, calls that fail, hang or kill.
#include <chrono>
#include <filesystem>
#include <fstream>

#include "driver/child.h"
#include "driver/sample.h"

namespace carve::sample {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

Error error_of(const ReadOptions& options) {
  const Result<Machine> machine = read_machine(options);
  EXPECT_FALSE(machine);
  return machine ? Error{} : machine.error();
}

sim::FaultOrder fault(std::string function, sim::FaultAction action, sim::Return code = sim::unknown_error) {
  sim::FaultOrder order;
  order.action = action;
  order.function = std::move(function);
  order.code = code;
  order.times = 1000000;
  return order;
}

TEST(Trouble, NoLibrary) {
  const Error error = error_of({"libnvidia-ml.so.0"});
  EXPECT_EQ(error.fault, Fault::environment);
  EXPECT_THAT(error.message, AllOf(HasSubstr("libnvidia-ml.so.0"), HasSubstr("cannot open shared object file")));
  EXPECT_THAT(error.help, HasSubstr("CARVE_NVML"));
}

TEST(Trouble, ALibraryThatIsNoNvml) {
  const Error error = error_of({"libm.so.6"});
  EXPECT_EQ(error.fault, Fault::environment);
  EXPECT_THAT(error.message, AllOf(HasSubstr("libm.so.6 is no NVML"), HasSubstr("nvmlInit_v2")));
}

TEST(Trouble, NoDriver) {
  const sim::MachineFolder folder("h100-80gb");
  ASSERT_TRUE(folder.control().unload_driver());
  const Error error = error_of({library_of(580)});
  EXPECT_EQ(error.fault, Fault::environment);
  EXPECT_THAT(error.message, HasSubstr("Driver Not Loaded (9)"));
  EXPECT_THAT(error.help, HasSubstr("modprobe nvidia"));
}

TEST(Trouble, ALostCardLeavesTheOthersReadable) {
  const sim::CutMachine simulated("3xh100-80gb");
  cut(simulated, 2, {19});
  ASSERT_TRUE(simulated.folder.control().lose(1));
  const Machine machine = read();
  ASSERT_THAT(machine.cards, SizeIs(3));
  EXPECT_THAT(machine.cards[1].lost.value(), HasSubstr("GPU is lost (15)"));
  EXPECT_EQ(machine.cards[1].index, 1);
  EXPECT_FALSE(machine.cards[1].uuid);
  EXPECT_FALSE(machine.cards[0].lost);
  EXPECT_THAT(machine.cards[2].instances.value(), SizeIs(1));
}

TEST(Trouble, ACardThatIsLostWhileItIsRead) {
  const sim::MachineFolder folder("h100-80gb");
  ASSERT_TRUE(folder.control().arm(fault("nvmlDeviceGetIndex", sim::FaultAction::fail, sim::gpu_is_lost)));
  const Machine machine = read();
  EXPECT_THAT(machine.cards.at(0).lost.value(), HasSubstr("GPU is lost (15)"));
  EXPECT_FALSE(machine.cards.at(0).name) << "half of a card is none";
}

// Without privilege: what MIG devices tell, and no places.
TEST(Trouble, NoPermission) {
  sim::CutMachine simulated("h100-80gb");
  cut(simulated, 0, {9, 19});
  const sim::GpuInstanceHandle part = simulated.nvml.create(simulated.nvml.device(0), 14);
  ASSERT_NE(simulated.nvml.create_compute(part, 0), nullptr);
  const sim::Sleeper sleeper;
  sim::ProcessOrder order;
  order.pid = sleeper.pid();
  order.memory = Mib{500};
  order.where = {0, 2, 0};
  ASSERT_TRUE(simulated.control.add_process(order));
  const Setting privilege("CARVE_SIM_PRIVILEGE", "none");
  const LiveCard card = read().cards.at(0);
  EXPECT_EQ(card.profiles->front().placements.error().why, Absence::denied);
  EXPECT_EQ(memory_grid(card), 8) << "from the catalog";
  ASSERT_THAT(card.instances.value(), SizeIs(3));
  const LiveGpuInstance& instance = card.instances->front();
  EXPECT_EQ(instance.id.value, 2u);
  EXPECT_EQ(instance.profile.value(), "3g.40gb");
  EXPECT_EQ(instance.compute_slices.value(), 3);
  EXPECT_EQ(instance.placement.error().why, Absence::denied);
  EXPECT_EQ(instance.memory->total, Mib{40448});
  EXPECT_EQ(instance.memory->used, Mib{500});
  const LiveGpuInstance& halved = card.instances->at(1);
  EXPECT_EQ(halved.profile.value(), "2g.20gb");
  EXPECT_EQ(device_name(halved, halved.compute->front()), "1c.2g.20gb");
  ASSERT_THAT(card.occupants.value(), SizeIs(1));
  EXPECT_EQ(card.occupants->front().gpu_instance, GpuInstanceId{2});
}

// Indices of MIG devices have holes where one was destroyed.
TEST(Trouble, NoPermissionAndAHole) {
  const sim::CutMachine simulated("h100-80gb");
  const sim::GpuInstanceHandle first = simulated.nvml.create(simulated.nvml.device(0), 19);
  const sim::ComputeInstanceHandle compute = simulated.nvml.create_compute(first, 0);
  cut(simulated, 0, {19, 9});
  ASSERT_EQ(simulated.nvml.call("nvmlComputeInstanceDestroy", compute), sim::success);
  const Setting privilege("CARVE_SIM_PRIVILEGE", "none");
  EXPECT_THAT(read().cards.at(0).instances.value(), SizeIs(2));
}

TEST(Trouble, ACallThatFailsCostsItsOwnFigure) {
  const sim::CutMachine simulated("h100-80gb");
  cut(simulated, 0, {19});
  for (const char* function : {"nvmlDeviceGetUUID", "nvmlDeviceGetMinorNumber", "nvmlDeviceGetMigMode",
                               "nvmlDeviceGetGpuInstances", "nvmlGpuInstanceGetInfo", "nvmlComputeInstanceGetInfo_v2",
                               "nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetMemoryInfo_v2"}) {
    ASSERT_TRUE(simulated.folder.control().disarm());
    ASSERT_TRUE(simulated.folder.control().arm(fault(function, sim::FaultAction::fail)));
    const LiveCard card = read().cards.at(0);
    EXPECT_EQ(card.name.value(), "NVIDIA H100 80GB HBM3") << function;
    const std::string expected = std::string(function) + ": Unknown Error (999)";
    std::vector<std::string> said;
    for (const Untold& untold : untold_of(card)) said.push_back(untold.missing.sentence);
    EXPECT_THAT(said, testing::Contains(expected)) << function;
    EXPECT_THAT(said, Not(testing::Contains("was not read"))) << function;
  }
  ASSERT_TRUE(simulated.folder.control().disarm());
}

TEST(Trouble, ACallThatHangsIsNamed) {
  const sim::MachineFolder folder("h100-80gb");
  for (const std::string function : {"nvmlDeviceGetName", "nvmlDeviceGetMigMode", "nvmlDeviceGetCount_v2"}) {
    ASSERT_TRUE(folder.control().disarm());
    ASSERT_TRUE(folder.control().arm(fault(function, sim::FaultAction::hang)));
    const auto start = std::chrono::steady_clock::now();
    const Error error = error_of({library_of(580), "", milliseconds(300)});
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
    EXPECT_EQ(error.fault, Fault::environment);
    EXPECT_THAT(error.message, AllOf(HasSubstr("did not answer within 0.3 s"), HasSubstr(function)));
  }
}

TEST(Trouble, ACallThatKillsItsProcessIsNamed) {
  const sim::MachineFolder folder("h100-80gb");
  ASSERT_TRUE(folder.control().arm(fault("nvmlDeviceGetName", sim::FaultAction::kill_before)));
  const Error error = error_of({library_of(580)});
  EXPECT_EQ(error.fault, Fault::environment);
  EXPECT_THAT(error.message, AllOf(HasSubstr("nvmlDeviceGetName"), HasSubstr("signal 9")));
}

TEST(Trouble, CardsThatCannotBeCounted) {
  const sim::MachineFolder folder("h100-80gb");
  ASSERT_TRUE(folder.control().arm(fault("nvmlDeviceGetCount_v2", sim::FaultAction::fail)));
  EXPECT_THAT(error_of({library_of(580)}).message, HasSubstr("nvmlDeviceGetCount_v2: Unknown Error (999)"));
}

TEST(Trouble, ACardWithoutMig) {
  const sim::MachineFolder folder("t4");
  const LiveCard card = read().cards.at(0);
  EXPECT_EQ(card.mig.error().why, Absence::unsupported);
  EXPECT_EQ(card.instances.error().why, Absence::unsupported);
  EXPECT_THAT(card.occupants.value(), IsEmpty());
}

// The children are gone when the read is over: nobody has NVML open.
TEST(Trouble, NobodyIsLeftBehind) {
  const sim::MachineFolder folder("h100-80gb");
  ASSERT_TRUE(folder.control().arm(fault("nvmlDeviceGetName", sim::FaultAction::hang)));
  error_of({library_of(580), "", milliseconds(200)});
  EXPECT_TRUE(folder.control().unload_driver()) << "somebody still has it open";
}

}  // namespace
}  // namespace carve::sample
