// carve sim reset, reboot and library.
#include <array>

#include "cli/output.h"
#include "cli/sim_commands.h"

namespace carve {

namespace {

constexpr std::array reset_arguments{Argument{"INDEX", Need::required, "the card"}};
constexpr std::array sim_options{sim_dir_option};
constexpr std::array reset_examples{Example{"carve sim reset 0", "resets card 0 and those tied to it by NVSwitch"}};

Result<Exit> reset(const Given& given) {
  TRY(sim::Control control, sim_machine(given));
  TRY(const auto machine, control.look());
  TRY(const int card, card_of(*machine, given.text("INDEX")));
  TRY_VOID(control.reset(card));
  return Exit::done;
}

constexpr std::array reboot_examples{Example{"carve sim reboot", "starts the machine anew"}};

Result<Exit> reboot(const Given& given) {
  TRY(sim::Control control, sim_machine(given));
  TRY_VOID(control.reboot());
  return Exit::done;
}

constexpr Option driver_option{"--driver", "", "DRIVER", "the branch to imitate: 450, 525 or 580, the default"};
constexpr std::array library_options{driver_option};
constexpr std::array library_examples{Example{"carve sim library", "the path of the newest"},
                                      Example{"carve sim library --driver 525", "one that lacks the newest calls"}};

Result<Exit> library(const Given& given) {
  const std::string& typed = given.text(driver_option.name);
  TRY(const int driver, sim_driver(typed));
  TRY(const std::string path, sim_library(driver));
  TRY_VOID(print(path + '\n'));
  return Exit::done;
}

}  // namespace

constexpr Command sim_reset_command{"sim reset",
                                    "resets a card",
                                    "A mode that is pending becomes current, instances are gone, a card that was lost\n"
                                    "is back. Refused while anybody holds the card.",
                                    reset_arguments,
                                    sim_options,
                                    reset_examples,
                                    reset};

constexpr Command sim_reboot_command{"sim reboot",
                                     "starts the machine anew",
                                     "Processes, programs with the library open and all instances are gone; Ampere\n"
                                     "keeps its MIG mode, Hopper and later lose it.",
                                     {},
                                     sim_options,
                                     reboot_examples,
                                     reboot};

constexpr Command sim_library_command{"sim library",
                                      "the path of the libnvidia-ml.so.1 for other programs",
                                      "A program uses the machine when its folder is in CARVE_SIM_DIR, and the folder\n"
                                      "of this library in LD_LIBRARY_PATH.",
                                      {},
                                      library_options,
                                      library_examples,
                                      library};

}  // namespace carve
