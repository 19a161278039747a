// An instance that is still busy when its last process has left, at times that the test sets; and contexts under each
// compute mode.
#include <gmock/gmock.h>
#include <unistd.h>

#include "simgpu/loaded.h"

namespace carve::sim {

namespace {

constexpr std::uint64_t left = 7'000'000, settled = left + 500'000;

std::uint32_t latency_named(std::string_view name) {
  const auto rows = latency_rows();
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    if (rows[row].name == name) return row;
  }
  return 0;
}

TEST(Settling, LastsFromTheLastProcessOn) {
  CutMachine machine("h100-80gb");
  machine.nvml.create_compute(machine.nvml.create(machine.nvml.device(0), 9), 2);
  ASSERT_TRUE(machine.control.add_process({::getpid(), {0, 2, 0}, Mib{1}}));
  const auto seen = machine.control.look();
  ASSERT_TRUE(seen);
  Machine& now = **seen;
  const GpuSlot slot{0, gpu_instance_with_id(now.now.cards[0], 2)};
  now.now.latency = latency_named("settle");
  EXPECT_FALSE(settles(now, slot, left)) << "nobody has left";
  ASSERT_TRUE(remove_process(now.now, holder_of(::getpid()), left));
  EXPECT_TRUE(settles(now, slot, left));
  EXPECT_TRUE(settles(now, slot, settled - 1));
  EXPECT_FALSE(settles(now, slot, settled));
  now.now.latency = latency_named("a30");
  EXPECT_FALSE(settles(now, slot, left)) << "only if it is asked for";
}

TEST(Settling, CountsWhoDied) {
  CutMachine machine("h100-80gb");
  machine.nvml.create_compute(machine.nvml.create(machine.nvml.device(0), 9), 2);
  ASSERT_TRUE(machine.control.add_process({::getpid(), {0, 2, 0}, Mib{1}}));
  const auto seen = machine.control.look();
  ASSERT_TRUE(seen);
  (*seen)->now.latency = latency_named("settle");
  ASSERT_TRUE(forget_dead((*seen)->now, [](Holder) { return false; }, left));
  EXPECT_TRUE(settles(**seen, {0, gpu_instance_with_id((*seen)->now.cards[0], 2)}, settled - 1));
}

TEST(ComputeMode, SaysWhoMayCompute) {
  const MachineFolder folder("h100-80gb");
  const auto seen = folder.control().look();
  ASSERT_TRUE(seen);
  Machine& machine = **seen;
  Process one{};
  one.holder = {100, 1};
  one.gpu_instance = one.compute_instance = no_instance;
  Process other = one;
  other.holder = {200, 1};
  Process client = other;
  client.kind = ProcessKind::mps_client;
  machine.now.cards[0].compute_mode = prohibited;
  EXPECT_EQ(open_context(machine, one), no_permission);
  machine.now.cards[0].compute_mode = exclusive_process;
  EXPECT_EQ(open_context(machine, one), success);
  EXPECT_EQ(open_context(machine, other), in_use);
  EXPECT_EQ(open_context(machine, client), success) << "the server was asked";
  machine.now.cards[0].compute_mode = shared_mode;
  EXPECT_EQ(open_context(machine, other), success);
}

}  // namespace

}  // namespace carve::sim
