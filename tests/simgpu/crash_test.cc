// Faults that a machine is told to have, clients killed at every point of a change, files that are damaged.
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>

#include "simgpu/loaded.h"

namespace carve::sim {

namespace {

unsigned capacity(const Nvml& nvml) {
  unsigned count = 99;
  EXPECT_EQ(nvml.call("nvmlDeviceGetGpuInstanceRemainingCapacity", nvml.device(0), 19u, &count), success);
  return count;
}

FaultOrder fault_of(FaultAction action, std::string function) {
  FaultOrder order;
  order.action = action;
  order.function = std::move(function);
  return order;
}

TEST(Faults, TheNthCallFails) {
  CutMachine machine("h100-80gb");
  FaultOrder order = fault_of(FaultAction::fail, "nvmlDeviceCreateGpuInstance");
  order.code = unknown_error;
  order.skip = 1;
  order.times = 2;
  ASSERT_TRUE(machine.control.arm(order));
  std::vector<Return> codes;
  for (int i = 0; i < 4; ++i) {
    Return code = success;
    machine.nvml.create(machine.nvml.device(0), 19, &code);
    codes.push_back(code);
  }
  EXPECT_THAT(codes, ::testing::ElementsAre(success, unknown_error, unknown_error, success));
  EXPECT_EQ(capacity(machine.nvml), 5u);
  order.function = "nvmlNobody";
  EXPECT_FALSE(machine.control.arm(order));
  order.function = "nvmlInit_v2";
  EXPECT_FALSE(machine.control.arm(order)) << "it would never strike";
}

// What the child does ends it; how is the answer.
template <class Child>
int ended_by(const Child& child) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    child();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

struct KillPoint {
  FaultAction action;
  unsigned left;  // capacity after it
};

TEST(Faults, KilledClientsLeaveAWholeMachine) {
  const KillPoint points[] = {
      {FaultAction::kill_before, 7}, {FaultAction::kill_midway, 7}, {FaultAction::kill_after, 6}};
  for (const KillPoint& point : points) {
    CutMachine machine("h100-80gb");
    ASSERT_TRUE(machine.control.arm(fault_of(point.action, "nvmlDeviceCreateGpuInstance")));
    const int signal = ended_by([&] { machine.nvml.create(machine.nvml.device(0), 19); });
    EXPECT_EQ(signal, SIGKILL);
    EXPECT_EQ(capacity(machine.nvml), point.left) << static_cast<int>(point.action);
    EXPECT_NE(machine.nvml.create(machine.nvml.device(0), 19), nullptr);
    EXPECT_EQ(capacity(machine.nvml), point.left - 1);
  }
}

TEST(Faults, AHangKeepsNobodyElseWaiting) {
  CutMachine machine("h100-80gb");
  ASSERT_TRUE(machine.control.arm(fault_of(FaultAction::hang, "nvmlDeviceGetName")));
  const pid_t pid = ::fork();
  if (pid == 0) {
    char name[96];
    machine.nvml.call("nvmlDeviceGetName", machine.nvml.device(0), static_cast<char*>(name), 96u);
    ::_exit(0);
  }
  for (int i = 0; i < 200; ++i) {
    const auto seen = machine.control.look();
    if (seen && (*seen)->now.faults[0].action == FaultAction::none) break;
    ::usleep(5000);
  }
  EXPECT_EQ(::waitpid(pid, nullptr, WNOHANG), 0) << "it still hangs";
  EXPECT_NE(machine.nvml.create(machine.nvml.device(0), 19), nullptr);
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

TEST(Faults, MayMeanOneProcessOnly) {
  CutMachine machine("h100-80gb");
  FaultOrder order = fault_of(FaultAction::fail, "");
  order.pid = ::getpid() + 1;
  order.times = 1000;
  ASSERT_TRUE(machine.control.arm(order));
  EXPECT_EQ(capacity(machine.nvml), 7u);
  ASSERT_TRUE(machine.control.disarm());
}

TEST(Latency, IsTakenFromTheTableByName) {
  CutMachine machine("a30");
  EXPECT_FALSE(machine.control.set_latency("quick"));
  ASSERT_TRUE(machine.control.set_latency("a30"));
  const auto begin = std::chrono::steady_clock::now();
  machine.nvml.create(machine.nvml.device(0), 14);
  const auto took = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(took, std::chrono::milliseconds(160));
  ASSERT_TRUE(machine.control.set_latency("none"));
}

class Damage : public ::testing::Test {
 protected:
  std::string file() const { return folder.path() + "/machine"; }
  std::string content() const { return read_file(file(), 1 << 20).value(); }
  void write(const std::string& bytes) const { std::ofstream(file(), std::ios::binary) << bytes; }
  Return init() const {
    const Return code = nvml.call("nvmlInit_v2");
    if (code == success) nvml.call("nvmlShutdown");
    return code;
  }

  MachineFolder folder{"h100-80gb"};
  Nvml nvml;
};

TEST_F(Damage, IsAnErrorCode) {
  const std::string whole = content();
  EXPECT_EQ(init(), success);
  write("");
  EXPECT_EQ(init(), version_mismatch);
  write("something else that is long enough to be read as a header of a machine, but is not one");
  EXPECT_EQ(init(), version_mismatch);
  write(whole.substr(0, 5000));
  EXPECT_EQ(init(), unknown_error);
  std::string flipped = whole;
  flipped[4096 + 100] = static_cast<char>(flipped[4096 + 100] ^ 1);
  write(flipped);
  EXPECT_EQ(init(), unknown_error);
  const auto looked = folder.control().look();
  ASSERT_FALSE(looked);
  EXPECT_THAT(looked.error().message, ::testing::HasSubstr("damaged"));
}

TEST_F(Damage, UnderAnOpenLibraryIsAnErrorCode) {
  ASSERT_EQ(nvml.call("nvmlInit_v2"), success);
  unsigned count = 0;
  EXPECT_EQ(nvml.call("nvmlDeviceGetCount_v2", &count), success);
  write("gone");
  EXPECT_EQ(nvml.call("nvmlDeviceGetCount_v2", &count), version_mismatch);
  EXPECT_EQ(nvml.call("nvmlShutdown"), success);
}

// Forged files, whose sums are right: whatever the values are, no rule may leave its bounds.
TEST_F(Damage, ForgedValuesAreRefusedOrHarmless) {
  const auto machine = folder.control().look();
  ASSERT_TRUE(machine);
  std::uint64_t random = 7;
  const int rounds = std::getenv("CARVE_LONG") != nullptr ? 20'000 : 500;
  for (int round = 0; round < rounds; ++round) {
    const auto forged = std::make_unique<Machine>(**machine);
    random = random * 6364136223846793005u + 1442695040888963407u;
    auto* bytes = reinterpret_cast<unsigned char*>(forged.get());
    const std::size_t used = offsetof(Machine, now) + sizeof(Situation);
    bytes[(random >> 20) % used] = static_cast<unsigned char>(random >> 55 << 4 | 0xf);
    if (create_store(folder.path().c_str(), *forged, Former::is_replaced) != StoreFault::none) continue;
    if (nvml.call("nvmlInit_v2") != success) continue;
    Device card = nullptr;
    if (nvml.call("nvmlDeviceGetHandleByIndex_v2", 0u, &card) == success) {
      Return activation = success;
      nvml.call("nvmlDeviceSetMigMode", card, 1u, &activation);
      nvml.create_compute(nvml.create(card, 9), 2);
      unsigned count = 0;
      nvml.call("nvmlDeviceGetGpuInstanceRemainingCapacity", card, 19u, &count);
    }
    nvml.call("nvmlShutdown");
  }
}

}  // namespace

}  // namespace carve::sim
