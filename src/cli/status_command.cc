// carve status: the machine as its driver tells it now.
#include <array>

#include "cli/command.h"
#include "cli/live.h"
#include "cli/output.h"
#include "cli/status_json.h"

namespace carve {

namespace {

constexpr std::array options{json_option, sim_option, sim_dir_option, ascii_option, width_option};
constexpr std::array examples{Example{"carve status", "the cards of this machine"},
                              Example{"carve status --json", "the same for programs"},
                              Example{"carve status --sim 8xh100-80gb", "of simulated cards"}};

Result<Exit> run(const Given& given) {
  TRY(const Style style, output_style(given));
  TRY(const Machine machine, read_live_machine(given));
  TRY_VOID(print(given.has(json_option.name) ? status_json(machine) : status_page(machine, style)));
  return Exit::done;
}

}  // namespace

constexpr Command status_command{"status",
                                 "cards, partitions and who holds them, as they are now",
                                 "Asks the driver, and changes nothing. MIG modes with what a pending one waits\n"
                                 "for, partitions on the card's grid, processes with user, memory and cgroup;\n"
                                 "what the driver cannot tell is said. Places of partitions and the processes of\n"
                                 "others are told to privileged users only.\n"
                                 "--sim reads simulated cards instead of real ones: the machine in --sim-dir,\n"
                                 "made on first use (see carve-sim). CARVE_SIM and CARVE_SIM_DIR do the same;\n"
                                 "CARVE_NVML is the path of a libnvidia-ml.so.1 to ask.",
                                 {},
                                 options,
                                 examples,
                                 run};

}  // namespace carve
