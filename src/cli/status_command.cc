// carve status: the machine as its driver tells it now.
#include <array>

#include "cli/command.h"
#include "cli/live.h"
#include "cli/output.h"
#include "cli/status_json.h"
#include "cli/watch.h"

namespace carve {

namespace {

constexpr Option watch_option{"--watch", "", "[SECONDS]", "again and again, in place; every 2 s if not said"};
constexpr std::array options{json_option, watch_option, sim_option, sim_dir_option, ascii_option, width_option};
constexpr std::array examples{Example{"carve status", "the cards of this machine"},
                              Example{"carve status --json", "the same for programs"},
                              Example{"carve status --watch 5", "every 5 s, until q"},
                              Example{"carve status --sim 8xh100-80gb", "of simulated cards"}};

Result<Exit> watch(const Given& given, const Style& style) {
  std::chrono::seconds interval{2};
  if (!given.text(watch_option.name).empty()) {
    TRY(const std::optional<int> seconds, given.number(watch_option.name, {1, 3600}));
    interval = std::chrono::seconds(*seconds);
  }
  return given.has(json_option.name) ? watch_as_json(interval, given) : watch_status(interval, style, given);
}

Result<Exit> run(const Given& given) {
  TRY(const Style style, output_style(given));
  if (given.has(watch_option.name)) return watch(given, style);
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
                                 "--watch draws on a terminal: j and k move, q ends; with --json a line each time.\n"
                                 "--sim reads simulated cards instead of real ones: the machine in --sim-dir,\n"
                                 "made on first use (see carve-sim). CARVE_SIM and CARVE_SIM_DIR do the same;\n"
                                 "CARVE_NVML is the path of a libnvidia-ml.so.1 to ask.",
                                 {},
                                 options,
                                 examples,
                                 run};

}  // namespace carve
