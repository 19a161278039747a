#include "live/running.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

namespace carve::sample {

Running::Running(const std::string& name) {
  std::string first = name;
  std::string time = "1000000";
  char* const arguments[] = {first.data(), time.data(), nullptr};
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  EXPECT_EQ(::posix_spawn(&pid_, "/bin/sleep", nullptr, &attributes, arguments, nullptr), 0);
  posix_spawnattr_destroy(&attributes);
}

Running::~Running() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void Running::hold(const sim::MachineFolder& folder, sim::Held where, std::int64_t mib, int sm_percent) const {
  sim::ProcessOrder order;
  order.pid = pid_;
  order.where = where;
  order.memory = Mib{mib};
  order.sm_percent = sm_percent;
  ASSERT_TRUE(folder.control().add_process(order));
}

std::string in(const sim::MachineFolder& folder) { return "CARVE_SIM_DIR=" + folder.path(); }
std::string nvml_of(int branch) {
  return std::string("CARVE_NVML=") + CARVE_SIM_LIBRARIES + "/" + std::to_string(branch) + "/libnvidia-ml.so.1";
}

}  // namespace carve::sample
