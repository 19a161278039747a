// The commands of the group `sim`, one purpose a file, and what they share.
#pragma once

#include "cli/command.h"
#include "cli/simulated.h"
#include "simgpu/control/control.h"

namespace carve {

extern const Command sim_create_command;
extern const Command sim_show_command;
extern const Command sim_load_command;
extern const Command sim_inject_command;
extern const Command sim_reset_command;
extern const Command sim_reboot_command;
extern const Command sim_library_command;
extern const Command sim_remove_command;

// The machine that --sim-dir names, or else the variables, or else the user's own; made if CARVE_SIM says of what.
Result<sim::Control> sim_machine(const Given&);

// A card of the machine, by its index. Error: bad_input, with how many there are.
Result<int> card_of(const sim::Machine&, const std::string& typed);

}  // namespace carve
