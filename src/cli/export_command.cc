// carve export: the cards as they are, as a mig-parted file.
#include <array>

#include "cli/live.h"
#include "cli/output.h"
#include "exchange/exchange.h"

namespace carve {

namespace {

constexpr Option label_option{"--label", "", "LAYOUT", "the name of the layout; current, if it is not given"};
constexpr std::array options{label_option, sim_option, sim_dir_option};
constexpr std::array examples{Example{"carve export > config.yaml", "for nvidia-mig-parted, or 'carve import'"}};

Result<Exit> run(const Given& given) {
  TRY(const Machine machine, read_live_machine(given));
  const std::string label = given.has(label_option.name) ? given.text(label_option.name) : "current";
  TRY(const std::string text, write_mig_parted(machine, label));
  TRY_VOID(print(text));
  return Exit::done;
}

}  // namespace

constexpr Command export_command{"export",
                                 "the cards as they are, as a mig-parted file",
                                 "Prints the layout of every card in the format of nvidia-mig-parted.",
                                 {},
                                 options,
                                 examples,
                                 run};

}  // namespace carve
