// The machine that this program runs on, or the simulated one that stands in its place.
//
// A command that reads live cards lists sim_option and sim_dir_option among its options, and calls one of these.
#pragma once

#include "cli/command.h"
#include "driver/driver.h"

namespace carve {

// How to read: which library, with the simulated machine made if it is the first use, and told to the library.
//
// Simulated cards are meant by --sim or --sim-dir, or else by CARVE_SIM or CARVE_SIM_DIR. CARVE_NVML is the path of
// the library to ask, over everything else.
// Errors: bad_input: the cards, or the folder has a machine of another order; environment: the folder, the library.
Result<ReadOptions> live_source(const Given&);

Result<Machine> read_live_machine(const Given&);

}  // namespace carve
