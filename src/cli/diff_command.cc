// carve diff: what would change, in order, and whom it would disturb.
#include <array>

#include "cli/change_json.h"
#include "cli/changing.h"
#include "cli/input.h"
#include "cli/output.h"

namespace carve {

namespace {

constexpr std::array arguments{Argument{"PLAN", Need::required, "a plan file; - reads standard input"}};
constexpr Option as_option{"--as", "", "TOOL", "commands to type instead: nvidia-smi"};
constexpr std::array options{as_option,   bind_option,    node_option, drain_option, replace_foreign_option,
                             sim_option,  sim_dir_option, root_option, json_option,  ascii_option,
                             width_option};
constexpr std::array examples{Example{"carve diff plan.json", "what 'carve apply plan.json' would do"},
                              Example{"carve diff plan.json --as nvidia-smi", "the same as commands"}};

Result<std::string> shown(const Change& change, const Given& given) {
  TRY(const Style style, output_style(given));
  if (given.has(json_option.name)) return change_json(change);
  if (!given.has(as_option.name)) return change_page(change, style);
  if (given.text(as_option.name) == "nvidia-smi") return as_nvidia_smi(change);
  return fail(Error{Fault::bad_input,
                    fmt::format("--as: `{}` is no tool that is known", given.text(as_option.name)),
                    {},
                    "nvidia-smi",
                    {}});
}

Result<Exit> run(const Given& given) {
  TRY(const Plan plan, read_plan_or_input(given.text("PLAN")));
  TRY(const Permissions permissions, permissions_of(given));
  TRY(const Scene scene, read_scene(given));
  TRY(const Target target, target_of_plan(given, plan, scene.machine));
  TRY(const Made made, made_by_carve(scene.folders));
  const Change change = plan_change(scene.machine, target, made, permissions);
  TRY(const std::string text, shown(change, given));
  TRY_VOID(print(text));
  return change.same() ? Exit::done : Exit::no;
}

}  // namespace

constexpr Command diff_command{"diff",
                               "what would change on the cards, and whom it would disturb",
                               "Compares a plan with the cards as they are: '=' stays, '+' is made, '~' moves\n"
                               "or changes its mode, '-' is removed; who holds it is named. Places are chosen\n"
                               "so that the fewest are disturbed. Exit 1: something would change.",
                               arguments,
                               options,
                               examples,
                               run};

}  // namespace carve
