// One process, many threads, and forks in the middle of calls.
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <thread>

#include <gmock/gmock.h>

#include "simgpu/loaded.h"

namespace carve::sim {

namespace {

TEST(Threads, ShareOneMachine) {
  const CutMachine machine("h100-80gb");
  const Nvml& nvml = machine.nvml;
  const Device card = nvml.device(0);
  std::atomic<int> made = 0;
  std::atomic<int> gone = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 100; ++round) {
        const GpuInstanceHandle instance = nvml.create(card, 19);
        if (instance == nullptr) continue;
        ++made;
        if (nvml.call("nvmlGpuInstanceDestroy", instance) == success) ++gone;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(made, 100);
  EXPECT_EQ(made, gone) << "each instance was its maker's";
  unsigned capacity = 0;
  ASSERT_EQ(nvml.call("nvmlDeviceGetGpuInstanceRemainingCapacity", card, 19u, &capacity), success);
  EXPECT_EQ(capacity, 7u);
}

TEST(Threads, AForkInTheMiddleOfACallIsHarmless) {
  const CutMachine machine("h100-80gb");
  const Nvml& nvml = machine.nvml;
  std::atomic<bool> stop = false;
  std::thread busy([&] {
    while (!stop) {
      const GpuInstanceHandle instance = nvml.create(nvml.device(0), 19);
      nvml.call("nvmlGpuInstanceDestroy", instance);
    }
  });
  int good = 0;
  for (int i = 0; i < 40; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      unsigned count = 0;
      ::alarm(20);  // what hangs is ended
      ::_exit(nvml.call("nvmlDeviceGetCount_v2", &count) == success && count == 1 ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    good += status == 0 ? 1 : 0;
  }
  stop = true;
  busy.join();
  EXPECT_EQ(good, 40);
}

}  // namespace

}  // namespace carve::sim
