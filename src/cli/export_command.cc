// carve export: the cards as they are, in the files of other tools.
#include <array>

#include "cli/changing.h"
#include "cli/input.h"
#include "cli/live_fleet.h"
#include "cli/output.h"
#include "exchange/exchange.h"

namespace carve {

namespace {

constexpr std::array arguments{
    Argument{"PLAN", Need::optional, "how the cards are cut and shared; not for mig-parted"}};
constexpr Option as_option{"--as", "", "TOOL", "mig-parted (default), gres.conf, slurm.conf, slurm-prolog"};
constexpr Option label_option{"--label", "", "LAYOUT", "of mig-parted: the name of the layout; else current"};
constexpr Option node_name_option{"--node-name", "", "NODE", "of Slurm: the NodeName of this machine; else its name"};
constexpr std::array options{as_option,   label_option, node_name_option, bind_option,
                             node_option, sim_option,   sim_dir_option};
constexpr std::array examples{Example{"carve export > config.yaml", "for 'carve import'"},
                              Example{"carve export plan.json --as gres.conf", "for slurmd"},
                              Example{"carve export plan.json --as slurm.conf", "the counts; who asks for what"}};

struct SlurmFile {
  std::string_view name;
  std::string (*write)(const SlurmNode&);
};
constexpr std::array slurm_files{SlurmFile{"gres.conf", write_gres_conf}, SlurmFile{"slurm.conf", write_slurm_conf},
                                 SlurmFile{"slurm-prolog", write_slurm_prolog}};

Error not_for(const Option& option, std::string_view tool) {
  return {Fault::bad_input, fmt::format("{} means nothing to {}", option.name, tool), {}, "leave it out", {}};
}

// The short name, as Slurm takes it.
std::string own_name() {
  const std::string host = host_name();
  return host.substr(0, host.find('.'));
}

// What is missing of the plan, in a word for each card.
Exit tell_difference(const Change& change) {
  for (const CardChange& card : change.cards)
    if (!card.same())
      complain(fmt::format("card {} is not as planned: {} to make, {} to remove\n", card.index, card.count(Act::create),
                           card.count(Act::destroy)));
  complain("nothing was written: 'carve diff' shows what would change, 'carve apply' does it\n");
  return Exit::no;
}

Result<Exit> export_slurm(const Given& given, const SlurmFile& file) {
  if (given.has(label_option.name)) return fail(not_for(label_option, file.name));
  TRY(const Machine machine, read_live_machine(given));
  TRY(const StateFolders folders, state_folders(given));
  const SlurmPlace place{given.has(node_name_option.name) ? given.text(node_name_option.name) : own_name(),
                         folders.root};
  if (!given.has("PLAN")) {
    TRY(const SlurmNode node, slurm_node(machine, place));
    TRY_VOID(print(file.write(node)));
    return Exit::done;
  }
  TRY(const Plan plan, read_plan_or_input(given.text("PLAN")));
  const Binding binding{given.has(bind_option.name), given.text(node_option.name)};
  TRY(const std::vector<BoundCard> cards, bind_cards(plan, machine, binding));
  TRY(const Target target, bind_plan(plan, machine, binding));
  const Change change = plan_change(machine, target, {}, {});
  if (!change.same()) return tell_difference(change);
  TRY(const SlurmNode node, slurm_node(plan, cards, machine, place));
  TRY_VOID(print(file.write(node)));
  return Exit::done;
}

Result<Exit> export_mig_parted(const Given& given) {
  if (given.has("PLAN"))
    return fail(Error{Fault::bad_input,
                      "mig-parted knows layouts, and no plan",
                      {},
                      "leave the plan out: the cards are told as they are",
                      {}});
  if (given.has(node_name_option.name)) return fail(not_for(node_name_option, "mig-parted"));
  TRY(const Machine machine, read_live_machine(given));
  const std::string label = given.has(label_option.name) ? given.text(label_option.name) : "current";
  TRY(const std::string text, write_mig_parted(machine, label));
  TRY_VOID(print(text));
  return Exit::done;
}

Result<Exit> run(const Given& given) {
  const std::string tool = given.has(as_option.name) ? given.text(as_option.name) : "mig-parted";
  for (const Option& option : {bind_option, node_option})
    if (given.has(option.name) && !given.has("PLAN")) return fail(not_for(option, "an export without a plan"));
  if (tool == "mig-parted") return export_mig_parted(given);
  for (const SlurmFile& file : slurm_files)
    if (tool == file.name) return export_slurm(given, file);
  return fail(Error{Fault::bad_input,
                    fmt::format("--as: `{}` is no tool that is known", tool),
                    {},
                    "mig-parted, gres.conf, slurm.conf or slurm-prolog",
                    {}});
}

}  // namespace

constexpr Command export_command{"export",
                                 "the cards as they are, for mig-parted or for Slurm",
                                 "Prints the layout of every card in the format of nvidia-mig-parted; or what\n"
                                 "Slurm reads of this node: --as gres.conf names the device files of each\n"
                                 "partition, slurm.conf has the counts, slurm-prolog gives jobs their partition\n"
                                 "by UUID. With a plan the cards that it shares are shared in Slurm, too. Exit 1:\n"
                                 "the cards are not as planned.",
                                 arguments,
                                 options,
                                 examples,
                                 run};

}  // namespace carve
