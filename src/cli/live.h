// The machine that this program runs on, or the simulated one that stands in its place.
#pragma once

#include "driver/driver.h"

namespace carve {

// CARVE_NVML is the path of the library to ask; else, where CARVE_SIM_DIR names a folder with simulated cards, the one
// that comes with carve; else the system's own.
Result<Machine> read_live_machine();

}  // namespace carve
