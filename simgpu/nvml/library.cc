#include "simgpu/nvml/library.h"

#include <time.h>
#include <cstdlib>

namespace carve::sim {

constinit Library library;

const char* machine_folder() { return std::getenv("CARVE_SIM_DIR"); }

Return return_of(StoreFault fault) {
  switch (fault) {
    case StoreFault::none:
      return success;
    case StoreFault::missing:
      return driver_not_loaded;
    case StoreFault::denied:
      return no_permission;
    case StoreFault::foreign:
      return version_mismatch;
    case StoreFault::damaged:
    case StoreFault::exists:
      return unknown_error;
  }
  return unknown_error;
}

std::uint64_t now_us() {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1000000u + static_cast<std::uint64_t>(time.tv_nsec) / 1000u;
}

}  // namespace carve::sim
