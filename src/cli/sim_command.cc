// carve sim: the group of commands for simulated cards.
#include <array>

#include "cli/sim_commands.h"

namespace carve {

namespace {

constexpr std::array commands{&sim_create_command, &sim_show_command,   &sim_load_command,    &sim_inject_command,
                              &sim_reset_command,  &sim_reboot_command, &sim_library_command, &sim_remove_command};
constexpr std::array examples{
    Example{"carve sim create 8xh100-80gb,2xa30", "a machine with ten cards, in a folder of your own"},
    Example{"carve status --sim-dir ~/.local/state/carve/sim", "reads it, as every command with --sim-dir does"},
    Example{"carve sim load --memory 9GiB --compute 20%", "a process that uses its first card"}};

}  // namespace

Result<sim::Control> sim_machine(const Given& given) {
  const SimWish wish = sim_wish(given);
  TRY(const std::string folder, sim_folder(wish));
  if (!wish.cards.empty()) TRY_VOID(make_on_first_use(folder, wish.cards));
  return sim::Control(folder);
}

Result<int> card_of(const sim::Machine& machine, const std::string& typed) {
  Given index;
  index.set("CARD", typed);
  TRY(const std::optional<int> card, index.number("CARD", {0, machine.boards.count - 1}));
  return *card;
}

constexpr Command sim_command{"sim",
                              "simulated cards: make them, load them, let things happen to them",
                              "A machine with simulated cards lives in a folder, and any number of processes\n"
                              "share it through a libnvidia-ml.so.1 of carve's own. Every command that reads\n"
                              "live cards takes --sim or --sim-dir to use it; other programs find it by\n"
                              "LD_LIBRARY_PATH and CARVE_SIM_DIR (see carve sim library).\n"
                              "Without --sim-dir or CARVE_SIM_DIR the folder is $XDG_STATE_HOME/carve/sim, or\n"
                              "~/.local/state/carve/sim.",
                              {},
                              {},
                              examples,
                              nullptr,
                              commands};

}  // namespace carve
