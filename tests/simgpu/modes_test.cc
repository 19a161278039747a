// MIG mode by architecture, and what resets, reboots and unloading do.
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include "simgpu/loaded.h"

namespace carve::sim {

namespace {

struct Mode {
  unsigned current = 9;
  unsigned pending = 9;
  bool operator==(const Mode&) const = default;
};

Mode mode_of(const Nvml& nvml, unsigned card) {
  Mode mode;
  EXPECT_EQ(nvml.call("nvmlDeviceGetMigMode", nvml.device(card), &mode.current, &mode.pending), success);
  return mode;
}

Return set_mode(const Nvml& nvml, unsigned mode, unsigned card = 0) {
  Return activation = unknown_error;
  EXPECT_EQ(nvml.call("nvmlDeviceSetMigMode", nvml.device(card), mode, &activation), success);
  return activation;
}

// A machine with NVML open, MIG off.
struct Opened {
  explicit Opened(const MachineOrder& order) : folder(order) { EXPECT_EQ(nvml.call("nvmlInit_v2"), success); }
  ~Opened() { nvml.call("nvmlShutdown"); }
  void reopen() const {
    nvml.call("nvmlShutdown");
    EXPECT_EQ(nvml.call("nvmlInit_v2"), success);
  }
  MachineFolder folder;
  Nvml nvml;
  Control control = folder.control();
};

MachineOrder with_mode_change(const char* card, ModeChange change) {
  CardOrder order = card_of(card);
  order.mode_change = change;
  return machine_of({order});
}

TEST(Modes, HopperChangesAtOnceAndForgetsAtReboot) {
  Opened machine(machine_of({card_of("h100-80gb")}));
  EXPECT_EQ(set_mode(machine.nvml, 1), success);
  EXPECT_EQ(mode_of(machine.nvml, 0), (Mode{1, 1}));
  EXPECT_NE(machine.nvml.create(machine.nvml.device(0), 19), nullptr);
  EXPECT_EQ(set_mode(machine.nvml, 0), in_use) << "there are instances";
  EXPECT_EQ(set_mode(machine.nvml, 1), success) << "taken back";
  ASSERT_TRUE(machine.control.reboot());
  unsigned count = 0;
  EXPECT_EQ(machine.nvml.call("nvmlDeviceGetCount_v2", &count), uninitialized) << "the process is from before";
  machine.reopen();
  EXPECT_EQ(mode_of(machine.nvml, 0), (Mode{0, 0}));
}

TEST(Modes, AmpereNeedsAResetAndRemembers) {
  Opened machine(machine_of({card_of("a100-40gb")}));
  EXPECT_EQ(set_mode(machine.nvml, 1), reset_required);
  EXPECT_EQ(mode_of(machine.nvml, 0), (Mode{0, 1}));
  const Device before = machine.nvml.device(0);
  ASSERT_TRUE(machine.control.reset(0));
  EXPECT_EQ(mode_of(machine.nvml, 0), (Mode{1, 1}));
  unsigned index = 0;
  EXPECT_EQ(machine.nvml.call("nvmlDeviceGetIndex", before, &index), invalid_argument) << "a handle from before";
  ASSERT_NE(machine.nvml.create(machine.nvml.device(0), 19), nullptr);
  ASSERT_TRUE(machine.control.reboot());
  machine.reopen();
  EXPECT_EQ(mode_of(machine.nvml, 0), (Mode{1, 1}));
  unsigned capacity = 0;
  EXPECT_EQ(machine.nvml.call("nvmlDeviceGetGpuInstanceRemainingCapacity", machine.nvml.device(0), 19u, &capacity),
            success);
  EXPECT_EQ(capacity, 7u) << "instances do not survive";
}

TEST(Modes, RebootMakesAPendingModeCurrent) {
  Opened machine(machine_of({card_of("a100-40gb")}));
  EXPECT_EQ(set_mode(machine.nvml, 1), reset_required);
  ASSERT_TRUE(machine.control.reboot());
  machine.reopen();
  EXPECT_EQ(mode_of(machine.nvml, 0), (Mode{1, 1}));
}

TEST(Modes, AnAmpereThatResetsItself) {
  Opened machine(with_mode_change("a100-40gb", ModeChange::resets_itself));
  EXPECT_EQ(set_mode(machine.nvml, 1), success);
  EXPECT_EQ(mode_of(machine.nvml, 0), (Mode{1, 1}));
}

TEST(Modes, PassedThroughCardsCannotBeReset) {
  Opened machine(with_mode_change("a100-40gb", ModeChange::needs_reboot));
  EXPECT_EQ(set_mode(machine.nvml, 1), reset_required);
  const auto reset = machine.control.reset(0);
  ASSERT_FALSE(reset);
  EXPECT_THAT(reset.error().message, ::testing::HasSubstr("passed through"));
  EXPECT_EQ(mode_of(machine.nvml, 0), (Mode{0, 1}));
}

TEST(Modes, APretenderClaimsSuccess) {
  Opened machine(with_mode_change("a100-40gb", ModeChange::pretends));
  EXPECT_EQ(set_mode(machine.nvml, 1), success);
  EXPECT_EQ(mode_of(machine.nvml, 0), (Mode{0, 0}));
}

TEST(Modes, AResetMayClaimSuccess) {
  Opened machine(with_mode_change("a100-40gb", ModeChange::ignores_reset));
  EXPECT_EQ(set_mode(machine.nvml, 1), reset_required);
  ASSERT_TRUE(machine.control.reset(0));
  machine.reopen();
  EXPECT_EQ(mode_of(machine.nvml, 0), (Mode{0, 1}));
  ASSERT_TRUE(machine.control.reboot());
  machine.reopen();
  EXPECT_EQ(mode_of(machine.nvml, 0), (Mode{1, 1}));
}

TEST(Modes, WhoeverHoldsTheCardIsInTheWay) {
  Opened machine(machine_of({card_of("h100-80gb"), card_of("h100-80gb")}));
  ASSERT_TRUE(machine.control.block("nvsm", {0}));
  EXPECT_EQ(set_mode(machine.nvml, 1), in_use);
  EXPECT_EQ(mode_of(machine.nvml, 0), (Mode{0, 1}));
  EXPECT_EQ(set_mode(machine.nvml, 1, 1), success) << "it holds the other card only";
  ASSERT_TRUE(machine.control.unblock("nvsm"));
  EXPECT_EQ(set_mode(machine.nvml, 1), success);
  EXPECT_EQ(mode_of(machine.nvml, 0), (Mode{1, 1}));
  EXPECT_FALSE(machine.control.unblock("nvsm"));
}

TEST(Modes, AnotherProgramWithNvmlOpenIsInTheWayUntilItEnds) {
  Opened machine(machine_of({card_of("h100-80gb")}));
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    unsigned count = 0;
    machine.nvml.call("nvmlDeviceGetCount_v2", &count);  // a child is a client of its own
    [[maybe_unused]] const auto put = ::write(ready[1], "x", 1);
    for (;;) ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_EQ(set_mode(machine.nvml, 1), in_use);
  EXPECT_FALSE(machine.control.unload_driver());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(set_mode(machine.nvml, 1), success);
}

TEST(Modes, UnloadingTheDriverWipesAndShutsOut) {
  Opened machine(machine_of({card_of("h100-80gb")}));
  EXPECT_EQ(set_mode(machine.nvml, 1), success);
  ASSERT_TRUE(machine.control.unload_driver());
  unsigned count = 0;
  EXPECT_EQ(machine.nvml.call("nvmlDeviceGetCount_v2", &count), uninitialized);
  EXPECT_EQ(machine.nvml.call("nvmlInit_v2"), driver_not_loaded);
  ASSERT_TRUE(machine.control.load_driver());
  machine.reopen();
  EXPECT_EQ(mode_of(machine.nvml, 0), (Mode{0, 0}));
}

TEST(Modes, CardsTiedByNvswitchAreResetTogether) {
  CardOrder tied = card_of("a100-40gb");
  tied.count = 2;
  tied.nvswitch_group = 1;
  Opened machine(machine_of({tied, card_of("a100-40gb")}));
  for (unsigned card = 0; card < 3; ++card) EXPECT_EQ(set_mode(machine.nvml, 1, card), reset_required);
  ASSERT_TRUE(machine.control.block("dcgm", {1}));
  EXPECT_FALSE(machine.control.reset(0)) << "dcgm holds a card of the group";
  ASSERT_TRUE(machine.control.unblock("dcgm"));
  ASSERT_TRUE(machine.control.reset(0));
  EXPECT_EQ(mode_of(machine.nvml, 0), (Mode{1, 1}));
  EXPECT_EQ(mode_of(machine.nvml, 1), (Mode{1, 1}));
  EXPECT_EQ(mode_of(machine.nvml, 2), (Mode{0, 1}));
}

TEST(Modes, ALostCardComesBackWithAReset) {
  Opened machine(machine_of({card_of("h100-80gb"), card_of("h100-80gb")}));
  const Device card = machine.nvml.device(0);
  ASSERT_TRUE(machine.control.lose(0));
  unsigned value = 0;
  EXPECT_EQ(machine.nvml.call("nvmlDeviceGetMigMode", card, &value, &value), gpu_is_lost);
  Device found = nullptr;
  EXPECT_EQ(machine.nvml.call("nvmlDeviceGetHandleByIndex_v2", 0u, &found), gpu_is_lost);
  EXPECT_EQ(machine.nvml.call("nvmlDeviceGetHandleByIndex_v2", 1u, &found), success);
  ASSERT_TRUE(machine.control.reset(0));
  EXPECT_EQ(machine.nvml.call("nvmlDeviceGetHandleByIndex_v2", 0u, &found), success);
}

}  // namespace

}  // namespace carve::sim
