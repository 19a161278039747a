// What is read of machines that are well, through each of the drivers that are imitated.
#include <fmt/format.h>
#include <unistd.h>
#include <memory>
#include <set>

#include "driver/sample.h"

namespace carve::sample {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

class EveryDriver : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Drivers, EveryDriver, testing::Values(450, 525, 580));

std::vector<std::string> names_of(const LiveCard& card) {
  std::vector<std::string> names;
  for (const LiveGpuInstance& instance : card.instances.value())
    names.push_back(
        fmt::format("{}@{}:{}", instance.profile.value(), instance.placement->start, instance.placement->size));
  return names;
}

TEST_P(EveryDriver, TellsACardThatIsNotCut) {
  const sim::MachineFolder folder("h100-80gb");
  const Machine machine = read(GetParam());
  EXPECT_THAT(machine.driver.value(), StartsWith(std::to_string(GetParam())));
  EXPECT_THAT(machine.library, EndsWith(std::to_string(GetParam()) + "/libnvidia-ml.so.1"));
  ASSERT_THAT(machine.cards, SizeIs(1));
  const LiveCard& card = machine.cards[0];
  EXPECT_FALSE(card.lost);
  EXPECT_EQ(card.name.value(), "NVIDIA H100 80GB HBM3");
  EXPECT_THAT(card.uuid.value(), StartsWith("GPU-"));
  EXPECT_THAT(card.pci->bus_id, StartsWith("00000000:"));
  EXPECT_EQ(card.pci->device_id, 0x233010deu);
  EXPECT_FALSE(card.mig->current);
  EXPECT_FALSE(card.mig->pending);
  EXPECT_EQ(card.compute_mode.value(), ComputeMode::shared);
  EXPECT_EQ(card.memory->total, Mib{81559});
  EXPECT_EQ(card.memory->used, Mib{0});
  EXPECT_EQ(card.memory->reserved.has_value(), GetParam() >= 510);
  EXPECT_THAT(card.instances.value(), IsEmpty());
  EXPECT_THAT(card.occupants.value(), IsEmpty());
  ASSERT_NE(catalog_model(card), nullptr);
  EXPECT_EQ(catalog_model(card)->id, "h100-sxm5-80gb");
  EXPECT_EQ(memory_grid(card), 8);
}

// Whatever driver tells them, profiles have the names and figures of the catalog.
TEST_P(EveryDriver, TellsTheProfilesOfTheCatalog) {
  const sim::MachineFolder folder("h100-80gb,a30,a100-80gb");
  for (const LiveCard& card : read(GetParam()).cards) {
    const CardModel* model = catalog_model(card);
    ASSERT_NE(model, nullptr) << card.name.value();
    ASSERT_THAT(card.profiles.value(), SizeIs(testing::Ge(4u)));
    for (const LiveProfile& profile : *card.profiles) {
      const Profile* known = model->find_profile(profile.name);
      ASSERT_NE(known, nullptr) << model->id << " " << profile.name;
      EXPECT_EQ(std::optional<int>(static_cast<int>(profile.id)), known->id) << profile.name;
      EXPECT_EQ(profile.compute_slices, known->compute_slices);
      EXPECT_EQ(profile.memory, known->memory.value_or(profile.memory)) << profile.name;
      EXPECT_EQ(profile.sms, known->sms.value_or(profile.sms)) << profile.name;
      EXPECT_EQ(profile.placements.value(), known->placements) << profile.name;
    }
  }
}

TEST_P(EveryDriver, TellsAMixtureOfInstances) {
  const sim::CutMachine simulated("h100-80gb", GetParam());
  cut(simulated, 0, {9, 19, 19});
  const LiveCard card = read(GetParam()).cards.at(0);
  EXPECT_TRUE(card.is_cut());
  EXPECT_THAT(names_of(card), testing::UnorderedElementsAre("3g.40gb@4:4", "1g.10gb@0:1", "1g.10gb@1:1"));
  for (const LiveGpuInstance& instance : *card.instances) {
    ASSERT_THAT(instance.compute.value(), SizeIs(1));
    const LiveComputeInstance& compute = instance.compute->front();
    EXPECT_EQ(compute.compute_slices.value(), instance.compute_slices.value());
    EXPECT_EQ(compute.start.value(), 0);
    EXPECT_THAT(compute.uuid.value(), StartsWith(GetParam() < 470 ? "MIG-GPU-" : "MIG-"));
    EXPECT_EQ(device_name(instance, compute), instance.profile.value());
    EXPECT_EQ(instance.memory->used, Mib{0});
  }
  EXPECT_EQ(card.instances->at(2).memory->total, Mib{40448});
  EXPECT_EQ(card.instances->at(2).id.value, 2u);
}

TEST_P(EveryDriver, TellsWhoHoldsWhichInstance) {
  sim::CutMachine simulated("2xh100-80gb", GetParam());
  cut(simulated, 0, {9, 19});
  sim::ProcessOrder order;
  order.pid = ::getpid();
  order.memory = Mib{1000};
  order.where = {0, 2, 0};
  ASSERT_TRUE(simulated.control.add_process(order));
  const Machine machine = read(GetParam());
  ASSERT_THAT(machine.cards[0].occupants.value(), SizeIs(1));
  const Occupant& occupant = machine.cards[0].occupants->front();
  EXPECT_EQ(occupant.pid, ::getpid());
  EXPECT_EQ(occupant.gpu_instance, GpuInstanceId{2});
  EXPECT_EQ(occupant.compute_instance, ComputeInstanceId{0});
  EXPECT_EQ(occupant.memory.value(), Mib{1000});
  EXPECT_TRUE(occupant.compute);
  EXPECT_FALSE(occupant.graphics || occupant.mps);
  EXPECT_THAT(occupant.process->command, HasSubstr("driver_test"));
  EXPECT_THAT(machine.cards[0].instances->at(1).memory->used, Mib{1000});
  EXPECT_THAT(machine.cards[1].occupants.value(), IsEmpty());
  EXPECT_EQ(machine.cards[0].untold.empty(), GetParam() >= 470) << "the oldest cannot list clients of MPS";
}

TEST(Read, OneProcessInSeveralListsIsOneOccupant) {
  const sim::MachineFolder folder("h100-80gb");
  for (const sim::ProcessKind kind : {sim::ProcessKind::graphics, sim::ProcessKind::mps_client}) {
    sim::ProcessOrder order;
    order.pid = ::getpid();
    order.memory = Mib{10};
    order.kind = kind;
    ASSERT_TRUE(folder.control().add_process(order));
  }
  const Machine machine = read();
  ASSERT_THAT(machine.cards[0].occupants.value(), SizeIs(1));
  const Occupant& occupant = machine.cards[0].occupants->front();
  EXPECT_TRUE(occupant.graphics && occupant.mps && !occupant.compute);
  EXPECT_FALSE(occupant.gpu_instance);
}

TEST(Read, MoreProcessesThanFitIntoTheFirstQuestion) {
  const sim::MachineFolder folder("h100-80gb");
  std::vector<std::unique_ptr<sim::Sleeper>> sleepers;
  for (int i = 0; i < 40; ++i) {
    sleepers.push_back(std::make_unique<sim::Sleeper>());
    sim::ProcessOrder order;
    order.pid = sleepers.back()->pid();
    order.memory = Mib{i};
    ASSERT_TRUE(folder.control().add_process(order));
  }
  EXPECT_THAT(read().cards[0].occupants.value(), SizeIs(40));
}

TEST(Read, PartsOfAGpuInstance) {
  const sim::CutMachine simulated("a100-40gb");
  const sim::GpuInstanceHandle made = simulated.nvml.create(simulated.nvml.device(0), 9);
  ASSERT_NE(simulated.nvml.create_compute(made, 1), nullptr);
  ASSERT_NE(simulated.nvml.create_compute(made, 0), nullptr);
  const LiveCard card = read().cards.at(0);
  const LiveGpuInstance& instance = card.instances->at(0);
  ASSERT_THAT(instance.compute.value(), SizeIs(2));
  EXPECT_EQ(device_name(instance, instance.compute->at(0)), "2c.3g.20gb");
  EXPECT_EQ(device_name(instance, instance.compute->at(1)), "1c.3g.20gb");
  EXPECT_NE(instance.compute->at(0).start.value(), instance.compute->at(1).start.value());
}

TEST(Read, AGpuInstanceWithoutComputeIsThere) {
  const sim::CutMachine simulated("a100-40gb");
  ASSERT_NE(simulated.nvml.create(simulated.nvml.device(0), 9), nullptr);
  const LiveCard card = read().cards.at(0);
  ASSERT_THAT(card.instances.value(), SizeIs(1));
  EXPECT_THAT(card.instances->front().compute.value(), IsEmpty());
  EXPECT_EQ(card.instances->front().memory.error().why, Absence::unsupported);
}

TEST(Read, AModeThatIsPendingWaitsForSomething) {
  const sim::MachineFolder folder("a100-40gb");
  const sim::Nvml nvml;
  ASSERT_EQ(nvml.call("nvmlInit_v2"), sim::success);
  sim::Return activation = sim::success;
  ASSERT_EQ(nvml.call("nvmlDeviceSetMigMode", nvml.device(0), 1u, &activation), sim::success);
  const LiveCard card = read().cards.at(0);
  nvml.call("nvmlShutdown");
  EXPECT_FALSE(card.mig->current);
  EXPECT_TRUE(card.mig->pending);
  EXPECT_THAT(waits_for(card), HasSubstr("reset"));
}

TEST(Read, NothingIsKeptFromOneReadToTheNext) {
  const sim::CutMachine simulated("h100-80gb");
  EXPECT_THAT(read().cards[0].instances.value(), IsEmpty());
  cut(simulated, 0, {0});
  EXPECT_THAT(names_of(read().cards[0]), ElementsAre("7g.80gb@0:8"));
}

TEST(Read, EightCardsWithFiftySixPartitions) {
  const sim::CutMachine simulated("8xh100-80gb");
  for (unsigned card = 0; card < 8; ++card) cut(simulated, card, {19, 19, 19, 19, 19, 19, 19});
  std::set<std::string> uuids;
  for (const LiveCard& card : read().cards) {
    EXPECT_THAT(card.instances.value(), SizeIs(7));
    for (const LiveGpuInstance& instance : *card.instances) uuids.insert(instance.compute->at(0).uuid.value());
  }
  EXPECT_THAT(uuids, SizeIs(56));
}

}  // namespace
}  // namespace carve::sample
