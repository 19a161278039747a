// What a reading process is doing, for whoever waits for it: it lies in memory that both see.
#pragma once

#include <atomic>

namespace carve {

class Watch {
 public:
  // The text must live as long as the program: both processes have it at the same address.
  void begin(const char* doing) { doing_.store(doing, std::memory_order_relaxed); }
  const char* doing() const { return doing_.load(std::memory_order_relaxed); }

 private:
  static_assert(std::atomic<const char*>::is_always_lock_free);
  std::atomic<const char*> doing_ = "starting";
};

}  // namespace carve
