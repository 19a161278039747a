// carve why: one workload's decision, explained.
#include <array>

#include "cli/command.h"
#include "cli/input.h"
#include "cli/json.h"
#include "cli/live.h"
#include "cli/output.h"
#include "cli/planning.h"

namespace carve {

namespace {

constexpr std::array arguments{Argument{"FILE", Need::required, "the workload file; - reads standard input"},
                               Argument{"WORKLOAD", Need::required, "the name of one of its workloads"}};
constexpr std::array options{fleet_option, sim_option, sim_dir_option, json_option, ascii_option, width_option};
constexpr std::array examples{
    Example{"carve why examples/team.yaml reranker", "why it got this, and why nothing else"}};

Error unknown_workload(const std::string& typed, const Plan& plan, const std::string& path) {
  std::vector<std::string> names;
  for (const Workload& workload : plan.workloads) names.push_back(workload.name);
  const auto near = nearest(typed, names);
  return Error{Fault::bad_input,
               fmt::format("{} has no workload '{}'", path, typed),
               {},
               near ? fmt::format("did you mean '{}'?", *near) : fmt::format("it has: {}", fmt::join(names, ", ")),
               {}};
}

Result<Exit> run(const Given& given) {
  const std::string& path = given.text("FILE");
  TRY(const Style style, output_style(given));
  TRY(const Planned planned, plan_for(path, given));
  const Workload* workload = find_workload(planned.plan, given.text("WORKLOAD"));
  if (workload == nullptr) return fail(unknown_workload(given.text("WORKLOAD"), planned.plan, shown_path(path)));
  if (!planned.violations.empty()) return refuse_own_plan(planned);
  TRY_VOID(print(given.has(json_option.name) ? why_json(planned.plan, *workload)
                                             : why_page(planned.plan, *workload, style)));
  return Exit::done;
}

}  // namespace

constexpr Command why_command{"why",
                              "why a workload got what it got, and why not the others",
                              "What was chosen and because of what; each other mechanism with what it lacks\n"
                              "and what would allow it; and which partitions of each card one replica fits.",
                              arguments,
                              options,
                              examples,
                              run};

}  // namespace carve
