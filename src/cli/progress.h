// A line on the terminal while something takes longer than a moment; nothing in a pipe.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace carve {

// Alive while the work goes on. After 0.3 s it writes the line to standard error; when it ends it wipes it off again.
class Progress {
 public:
  explicit Progress(std::string line);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  void watch(const std::string& line);

  std::mutex mutex_;
  std::condition_variable ended_changed_;
  bool ended_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace carve
