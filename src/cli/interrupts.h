// Waiting that a person may end. While it lives, Ctrl-C and SIGTERM end no process, neither this one nor a child that
// was started meanwhile: they end the next wait.
#pragma once

#include <chrono>
#include <csignal>

namespace carve {

class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  enum class Waited { until_then, interrupted };
  Waited wait_until(std::chrono::steady_clock::time_point);

 private:
  sigset_t watched_;
  sigset_t before_;
};

}  // namespace carve
