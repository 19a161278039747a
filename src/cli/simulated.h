// Simulated cards as options and variables ask for them: which machine, in which folder, behind which library.
#pragma once

#include <string>

#include "cli/command.h"
#include "driver/driver.h"

namespace carve {

// What was asked for, options before variables; empty where nothing was.
struct SimWish {
  std::string cards;   // --sim, CARVE_SIM: "8xh100-80gb,2xa30" or a file
  std::string folder;  // --sim-dir, CARVE_SIM_DIR

  bool meant() const { return !cards.empty() || !folder.empty(); }
};
SimWish sim_wish(const Given&);

// The absolute path of the machine's folder: the one that was named, else one of the user's own,
// $XDG_STATE_HOME/carve/sim or ~/.local/state/carve/sim, whose parents are made. Error: environment: nowhere to put it.
Result<std::string> sim_folder(const SimWish&);

// The machine in the folder, made if there is none.
// Errors: bad_input: the cards, or a machine of another order is there; environment: the folder.
Result<void> make_on_first_use(const std::string& folder, const std::string& cards);

// Drivers that are imitated, and where the library of one is. Error: environment, with where it was looked for.
inline constexpr int newest_sim_driver = 580;
Result<std::string> sim_library(int driver);
// Their nvidia-smi, which resets them. Error: environment, with where it was looked for.
Result<ResetTool> sim_reset_tool();
// "525"; the newest if it is empty. Error: bad_input, with those that there are.
Result<int> sim_driver(const std::string& typed);

}  // namespace carve
