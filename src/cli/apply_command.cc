// carve apply: makes the cards what a plan wants, and leaves alone whoever need not be disturbed.
#include <array>

#include "cli/changing.h"
#include "cli/input.h"
#include "cli/output.h"

namespace carve {

namespace {

constexpr std::array arguments{Argument{"PLAN", Need::optional, "a plan file; - reads standard input"}};
constexpr Option last_option{"--last", "", "", "what was applied last, instead of a plan: after a reboot"};
constexpr std::array options{last_option,
                             bind_option,
                             node_option,
                             drain_option,
                             drain_limit_option,
                             stop_foreign_option,
                             replace_foreign_option,
                             sim_option,
                             sim_dir_option,
                             root_option,
                             json_option,
                             ascii_option,
                             width_option};
constexpr std::array examples{Example{"carve apply plan.json", "cut the cards as the plan says"},
                              Example{"carve apply plan.json --drain wait", "when they are free"},
                              Example{"carve apply --last", "the same again, at boot"}};

struct Wanted {
  Target target;
  AfterReboot after_reboot = AfterReboot::no;
};

Result<Wanted> wanted_last(const Scene& scene) {
  TRY(const std::vector<Journaled> journals, read_journals(scene.folders));
  for (auto journal = journals.rbegin(); journal != journals.rend(); ++journal) {
    const bool gone_back = journal->outcome == Outcome::rolled_back || journal->outcome == Outcome::failed;
    if (gone_back) continue;
    const bool waited = journal->outcome == Outcome::reboot_needed && journal->opening.boot != scene.folders.boot();
    return Wanted{journal->opening.target, waited ? AfterReboot::yes : AfterReboot::no};
  }
  return fail(Error{Fault::bad_input, "nothing was applied here yet", {}, "'carve apply PLAN' does it first", {}});
}

Result<Wanted> wanted_by(const Given& given, const Scene& scene) {
  if (given.has(last_option.name)) return wanted_last(scene);
  TRY(const Plan plan, read_plan_or_input(given.text("PLAN")));
  TRY(Target target, target_of_plan(given, plan, scene.machine));
  return Wanted{std::move(target)};
}

Result<void> check_usage(const Given& given) {
  if (given.has("PLAN") != given.has(last_option.name)) return {};
  return fail(Error{Fault::bad_input,
                    given.has("PLAN") ? "a plan and --last at the same time" : "expected a plan, or --last",
                    {},
                    "'carve apply plan.json', or 'carve apply --last' for what was applied last",
                    {}});
}

Result<Exit> run(const Given& given) {
  TRY_VOID(check_usage(given));
  TRY(const Permissions permissions, permissions_of(given));
  TRY(const Scene scene, read_scene(given));
  TRY(const Wanted wanted, wanted_by(given, scene));
  TRY(const Made made, made_by_carve(scene.folders));
  const Change change = plan_change(scene.machine, wanted.target, made, permissions);
  if (!change.possible()) return refuse_change(change);
  return carry_out(change, scene, given, "apply", wanted.after_reboot);
}

}  // namespace

constexpr Command apply_command{"apply",
                                "make the cards what a plan wants",
                                "Touches only what differs: partitions that are wanted where they are stay, with\n"
                                "the processes in them; cards that are as wanted are not touched. Each step is\n"
                                "written to a journal before it is done, and read back after it. A card on which\n"
                                "a step fails goes back to what it was. Killed anywhere, the next 'carve apply'\n"
                                "goes on, or 'carve rollback' goes back. Exit 4: went back. Exit 5: a reboot is\n"
                                "needed.",
                                arguments,
                                options,
                                examples,
                                run};

}  // namespace carve
