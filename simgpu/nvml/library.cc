#include "simgpu/nvml/library.h"

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

}  // namespace carve::sim
