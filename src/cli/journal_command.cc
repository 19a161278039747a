// carve journal: what was changed here, and how it ended.
#include <array>

#include "cli/change_json.h"
#include "cli/changing.h"
#include "cli/output.h"

namespace carve {

namespace {

constexpr std::array arguments{Argument{"NUMBER", Need::optional, "one change, with its steps"}};
constexpr std::array options{sim_option, sim_dir_option, root_option, json_option, ascii_option, width_option};
constexpr std::array examples{Example{"carve journal", "the changes of this machine, the newest last"},
                              Example{"carve journal 12", "the steps of one"}};

Result<Exit> run(const Given& given) {
  TRY(const Style style, output_style(given));
  TRY(const auto number, given.number("NUMBER", {1, 1'000'000'000}));
  TRY(const StateFolders folders, state_folders(given));
  TRY(std::vector<Journaled> journals, read_journals(folders));
  if (number) std::erase_if(journals, [&](const Journaled& one) { return one.opening.number != *number; });
  if (number && journals.empty())
    return fail(
        Error{Fault::bad_input, fmt::format("there is no change {}", *number), {}, "'carve journal' lists them", {}});
  TRY_VOID(print(given.has(json_option.name) ? journals_json(journals)
                 : number                    ? journal_page(journals.front(), style)
                                             : journal_list(journals, style)));
  return Exit::done;
}

}  // namespace

constexpr Command journal_command{"journal",
                                  "what was changed here, and how it ended",
                                  "Every change has a journal below /var/lib/carve: what was wanted, what was there\n"
                                  "before, each step, and the outcome. One without an outcome was interrupted.",
                                  arguments,
                                  options,
                                  examples,
                                  run};

}  // namespace carve
