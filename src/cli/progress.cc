#include "cli/progress.h"

#include <unistd.h>
#include <chrono>

#include "cli/output.h"

namespace carve {

Progress::Progress(std::string line) {
  if (::isatty(STDERR_FILENO) == 0) return;
  thread_ = std::thread([this, line = std::move(line)] { watch(line); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ended_changed_.notify_one();
  thread_.join();
}

void Progress::watch(const std::string& line) {
  std::unique_lock lock(mutex_);
  const auto ended = [this] { return ended_; };
  if (ended_changed_.wait_for(lock, std::chrono::milliseconds(300), ended)) return;
  complain(line + " ...");
  ended_changed_.wait(lock, ended);
  complain("\r\x1b[K");
}

}  // namespace carve
