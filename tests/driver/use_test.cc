// How busy cards, processes and instances are, as each driver can tell.
#include <chrono>

#include "driver/sample.h"

namespace carve::sample {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Machine read_use(int branch = sim::newest) {
  ReadOptions options{library_of(branch)};
  options.use_since = std::chrono::system_clock::now() - std::chrono::seconds(1);
  const Result<Machine> machine = read_machine(options);
  if (!machine) ADD_FAILURE() << machine.error().message;
  return machine ? *machine : Machine{};
}

void run(const sim::MachineFolder& folder, const sim::Sleeper& sleeper, sim::Held where, int sm_percent) {
  sim::ProcessOrder order;
  order.pid = sleeper.pid();
  order.where = where;
  order.memory = Mib{10};
  order.sm_percent = sm_percent;
  ASSERT_TRUE(folder.control().add_process(order));
}

sim::FaultOrder fault(std::string function) {
  sim::FaultOrder order;
  order.function = std::move(function);
  order.times = 1000;
  return order;
}

TEST(Use, IsNotReadUnlessAskedFor) {
  const sim::MachineFolder folder("t4");
  EXPECT_EQ(read().cards.at(0).use.sm.error().sentence, "was not read");
}

TEST(Use, OfACardAndItsProcesses) {
  const sim::MachineFolder folder("t4,t4");
  const sim::Sleeper first, second;
  run(folder, first, {0}, 30);
  run(folder, second, {0}, 25);
  const Machine machine = read_use();
  const CardUse& use = machine.cards.at(0).use;
  EXPECT_EQ(use.sm.value(), Permille{550});
  ASSERT_THAT(use.processes.value(), SizeIs(2));
  EXPECT_EQ(use.processes->at(0).pid, first.pid());
  EXPECT_EQ(use.processes->at(0).mean, Permille{300});
  EXPECT_EQ(use.processes->at(1).peak, Permille{250});
  EXPECT_THAT(machine.cards.at(1).use.processes.value(), IsEmpty()) << "nobody ran anything, which is told";
}

TEST(Use, MoreProcessesThanOneAnswerHolds) {
  const sim::MachineFolder folder("h100-80gb");
  const std::vector<sim::Sleeper> sleepers(200);
  for (const sim::Sleeper& sleeper : sleepers) run(folder, sleeper, {0}, 1);
  EXPECT_THAT(read_use().cards.at(0).use.processes.value(), SizeIs(200));
}

TEST(Use, UnderMigOnlyInstancesAreTold) {
  const sim::CutMachine simulated("h100-80gb,a100-40gb");
  cut(simulated, 0, {9, 19});
  cut(simulated, 1, {19});
  const sim::Sleeper sleeper;
  run(simulated.folder, sleeper, {0, 2, 0}, 40);
  const Machine machine = read_use();
  const CardUse& hopper = machine.cards.at(0).use;
  EXPECT_EQ(hopper.processes.error().why, Absence::unsupported);
  EXPECT_EQ(hopper.sm.error().why, Absence::unsupported);
  ASSERT_THAT(hopper.instances.value(), SizeIs(2));
  for (const InstanceUse& instance : *hopper.instances)
    EXPECT_EQ(instance.sm.value(), Permille{instance.id.value == 2 ? 400 : 0});
  const CardUse& ampere = machine.cards.at(1).use;
  ASSERT_THAT(ampere.instances.value(), SizeIs(1));
  EXPECT_THAT(ampere.instances->front().sm.error().sentence, HasSubstr("nvmlGpmMigSampleGet: Not Supported (3)"));
}

TEST(Use, AnOldDriverHasNoGpm) {
  const sim::CutMachine simulated("h100-80gb", 450);
  cut(simulated, 0, {9});
  const CardUse use = read_use(450).cards.at(0).use;
  EXPECT_THAT(use.instances->front().sm.error().sentence, "this driver has no nvmlGpmSampleAlloc");
  EXPECT_EQ(use.instances->front().sm.error().why, Absence::unsupported);
}

TEST(Use, ACallThatFailsCostsItsOwnFigure) {
  const sim::MachineFolder folder("h100-80gb");
  ASSERT_TRUE(folder.control().arm(fault("nvmlDeviceGetProcessUtilization")));
  const LiveCard card = read_use().cards.at(0);
  EXPECT_EQ(card.use.sm.value(), Permille{0});
  EXPECT_EQ(card.use.processes.error().why, Absence::failed);
  EXPECT_THAT(card.use.processes.error().sentence, HasSubstr("nvmlDeviceGetProcessUtilization: Unknown Error (999)"));
  EXPECT_THAT(untold_of(card), IsEmpty()) << "it is nothing that a status lacks";
}

TEST(Use, TheSecondSampleFails) {
  const sim::CutMachine simulated("h100-80gb");
  cut(simulated, 0, {9});
  for (const char* function : {"nvmlGpmMigSampleGet", "nvmlGpmMetricsGet"}) {
    ASSERT_TRUE(simulated.folder.control().disarm());
    sim::FaultOrder order = fault(function);
    order.skip = function == std::string("nvmlGpmMigSampleGet") ? 1 : 0;
    ASSERT_TRUE(simulated.folder.control().arm(order));
    EXPECT_THAT(read_use().cards.at(0).use.instances->front().sm.error().sentence,
                AllOf(HasSubstr(function), HasSubstr("(999)")));
  }
}

TEST(Use, NoInstancesWithoutACardThatIsCut) {
  const sim::MachineFolder folder("h100-80gb,t4");
  const Machine machine = read_use();
  EXPECT_THAT(machine.cards.at(0).use.instances.value(), IsEmpty());
  EXPECT_EQ(machine.cards.at(1).use.instances.error().why, Absence::unsupported);
}

}  // namespace
}  // namespace carve::sample
