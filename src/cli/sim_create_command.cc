// carve sim create and remove: a machine comes and goes.
#include <array>

#include "cli/output.h"
#include "cli/sim_commands.h"

namespace carve {

namespace {

constexpr Option replace_option{"--replace", "", "", "a machine that is there may go, unless processes run on it"};

constexpr std::array arguments{
    Argument{"CARDS", Need::required, "counts and cards, as 8xh100-80gb,2xa30; or a YAML file"}};
constexpr std::array create_options{replace_option, sim_dir_option};
constexpr std::array create_examples{
    Example{"carve sim create 8xh100-80gb,2xa30", "eight H100 and two A30"},
    Example{"carve sim create 2xa100-80gb --replace", "another in the place of the last"}};

Result<Exit> create(const Given& given) {
  TRY(const std::string folder, sim_folder(sim_wish(given)));
  TRY(const sim::MachineOrder order, sim::read_order(given.text("CARDS")));
  const sim::IfThere if_there = given.has(replace_option.name) ? sim::IfThere::replace : sim::IfThere::refuse;
  TRY_VOID(sim::create_machine(folder, order, if_there));
  sim::Control control(folder);
  TRY_VOID(control.show_files());
  TRY(const auto machine, control.look());
  TRY_VOID(print(fmt::format("{} in {}\n", sim::cards_of(*machine), folder)));
  return Exit::done;
}

constexpr std::array remove_options{sim_dir_option};
constexpr std::array remove_examples{Example{"carve sim remove", "takes the machine and its files away"}};

Result<Exit> remove(const Given& given) {
  TRY(const std::string folder, sim_folder(sim_wish(given)));
  TRY_VOID(sim::remove_machine(folder));
  return Exit::done;
}

}  // namespace

constexpr Command sim_create_command{"sim create",
                                     "makes a machine with simulated cards",
                                     "The machine stays until 'carve sim remove'. One that is there already stays\n"
                                     "too, but for --replace. docs/simulated-cards.md has every key of the file.",
                                     arguments,
                                     create_options,
                                     create_examples,
                                     create};

constexpr Command sim_remove_command{"sim remove",
                                     "takes the machine away",
                                     "Its file and the files below its root go, and the folder if nothing else is in\n"
                                     "it. Refused while processes run on the machine.",
                                     {},
                                     remove_options,
                                     remove_examples,
                                     remove};

}  // namespace carve
