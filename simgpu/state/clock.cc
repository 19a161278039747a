#include "simgpu/state/clock.h"

#include <time.h>

namespace carve::sim {

std::uint64_t now_us() {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1000000u + static_cast<std::uint64_t>(time.tv_nsec) / 1000u;
}

}  // namespace carve::sim
