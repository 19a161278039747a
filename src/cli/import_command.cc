// carve import: a layout of a mig-parted file, for the cards of this machine.
#include <algorithm>
#include <array>

#include "cli/change_json.h"
#include "cli/changing.h"
#include "cli/output.h"
#include "exchange/exchange.h"

namespace carve {

namespace {

constexpr std::array arguments{Argument{"FILE", Need::required, "a configuration file of nvidia-mig-parted"}};
constexpr Option config_option{"--config", "", "LAYOUT", "which of its layouts; not needed if it has one"};
constexpr Option apply_option{"--apply", "", "", "do it; without it only shows what would change"};
constexpr std::array options{
    config_option, apply_option,   drain_option, drain_limit_option, stop_foreign_option, replace_foreign_option,
    sim_option,    sim_dir_option, root_option,  json_option,        ascii_option,        width_option};
constexpr std::array examples{Example{"carve import config.yaml --config all-balanced", "what would change"},
                              Example{"carve import config.yaml --config all-balanced --apply", "make the cards so"}};

// mig-parted's own check wants every card described; carve leaves the others as they are, and says so.
std::string left_alone(const Machine& machine, const Target& target) {
  std::vector<int> cards;
  for (const LiveCard& card : machine.cards) {
    const bool meant = std::any_of(target.cards.begin(), target.cards.end(),
                                   [&](const WantedCard& wanted) { return card.uuid && *card.uuid == wanted.uuid; });
    if (!meant) cards.push_back(card.index);
  }
  if (cards.empty()) return "";
  return fmt::format("not described, and left alone: card {}\n", fmt::join(cards, ", "));
}

Result<Exit> run(const Given& given) {
  TRY(const MigPartedFile file, read_mig_parted(given.text("FILE")));
  TRY(const Permissions permissions, permissions_of(given));
  TRY(const Scene scene, read_scene(given));
  TRY(const Target target, resolve(file, given.text(config_option.name), scene.machine));
  TRY(const Made made, made_by_carve(scene.folders));
  const Change change = plan_change(scene.machine, target, made, permissions);
  if (given.has(apply_option.name)) {
    if (!change.possible()) return refuse_change(change);
    return carry_out(change, scene, given, "import");
  }
  TRY(const Style style, output_style(given));
  TRY_VOID(print(given.has(json_option.name) ? change_json(change)
                                             : change_page(change, style) + left_alone(scene.machine, target)));
  return change.same() ? Exit::done : Exit::no;
}

}  // namespace

constexpr Command import_command{"import",
                                 "a layout of a mig-parted file, for the cards that are here",
                                 "Reads the file as nvidia-mig-parted does: later entries overrule earlier ones,\n"
                                 "cards that no entry means are left alone. Unknown keys are errors. Shows what\n"
                                 "would change, as 'carve diff' does; --apply does it, by the rules of 'carve\n"
                                 "apply'.",
                                 arguments,
                                 options,
                                 examples,
                                 run};

}  // namespace carve
