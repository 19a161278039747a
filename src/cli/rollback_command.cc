// carve rollback: the cards as they were before the last change.
#include <array>

#include "cli/changing.h"
#include "cli/output.h"

namespace carve {

namespace {

constexpr std::array options{drain_option, drain_limit_option, stop_foreign_option, replace_foreign_option,
                             sim_option,   sim_dir_option,     root_option,         json_option,
                             ascii_option, width_option};
constexpr std::array examples{Example{"carve rollback", "after a change that was not meant, or was interrupted"}};

Result<Exit> run(const Given& given) {
  TRY(const Permissions permissions, permissions_of(given));
  TRY(const Scene scene, read_scene(given));
  TRY(const auto journal, last_change(scene.folders));
  if (!journal)
    return fail(Error{Fault::bad_input, "nothing was changed here yet, so there is no way back", {}, "", {}});
  TRY(const Made made, made_by_carve(scene.folders));
  const Change change = plan_change(scene.machine, journal->opening.before, made, permissions);
  if (!change.possible()) return refuse_change(change);
  return carry_out(change, scene, given, "rollback");
}

}  // namespace

constexpr Command rollback_command{"rollback",
                                   "the cards as they were before the last change",
                                   "Makes of each card that the last change touched what it was before, by the\n"
                                   "same rules as 'carve apply'. A rollback is a change: a second one goes forward\n"
                                   "again.",
                                   {},
                                   options,
                                   examples,
                                   run};

}  // namespace carve
