// carve plan: read, pack, verify, find, show. A plan of ours that our own checker refuses is never shown.
#include <array>

#include "check/check.h"
#include "cli/artifacts.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/live.h"
#include "cli/output.h"
#include "cli/planning.h"

namespace carve {

namespace {

constexpr std::array arguments{Argument{"FILE", Need::required, "the workload file; - reads standard input"}};
constexpr Option stats_option{"--stats", "", "", "times and the size of the search, to standard error"};
constexpr std::array options{fleet_option, sim_option, sim_dir_option, json_option,  output_option,
                             html_option,  svg_option, stats_option,   ascii_option, width_option};
constexpr std::array examples{
    Example{"carve plan examples/team.yaml", "for the file's own cards"},
    Example{"carve plan team.yaml --fleet 8xh100-80gb,2xa30", "for other cards"},
    Example{"carve plan team.yaml --sim 2xh100-80gb", "for simulated cards"},
    Example{"carve plan team.yaml -o plan.json", "for 'carve check'"},
    Example{"carve plan team.yaml --html plan.html", "to mail around or print"},
};

Result<Exit> run(const Given& given) {
  const std::string& path = given.text("FILE");
  TRY(const Style style, output_style(given));
  TRY_VOID(check_artifacts(given, path));
  TRY(const Planned planned, plan_for(path, given));
  if (!planned.violations.empty()) return refuse_own_plan(planned);
  const Plan& plan = planned.plan;
  TRY_VOID(write_artifacts(given, plan, planned.violations, path));
  TRY_VOID(print(given.has(json_option.name) ? write_plan(plan) : report(plan, shown_path(path), style)));
  if (given.has(stats_option.name)) complain(planned.stats);
  return answer_of(plan);
}

}  // namespace

constexpr Command plan_command{"plan",
                               "a map of every card, reasons, findings, and a bound",
                               "Decides for each workload what wall it needs and how it may share inside it,\n"
                               "packs all onto the fewest cards, proves how far from the minimum that is, and\n"
                               "checks the result. Where neither the file nor --fleet names cards it plans for\n"
                               "those of this machine, as their drivers tell them. Exit 1: a replica is unplaced\n"
                               "or a finding is an error.",
                               arguments,
                               options,
                               examples,
                               run};

}  // namespace carve
