// carve mechanisms: the tables that decide.
#include <array>

#include "cli/command.h"
#include "cli/json.h"
#include "cli/output.h"

namespace carve {

namespace {

constexpr std::array options{json_option, ascii_option, width_option};
constexpr std::array examples{Example{"carve mechanisms", "the tables by which 'carve plan' chooses"}};

Result<Exit> run(const Given& given) {
  TRY(const Style style, output_style(given));
  TRY_VOID(print(given.has(json_option.name) ? mechanisms_json() : mechanism_tables(style)));
  return Exit::done;
}

}  // namespace

constexpr Command mechanisms_command{"mechanisms",
                                     "what a card, MIG, MPS and time slicing guarantee",
                                     "What each choice guarantees, what each kind of workload needs, and the limits\n"
                                     "beside them. A choice is allowed when it gives all that is needed; among the\n"
                                     "allowed the least share of a card wins.",
                                     {},
                                     options,
                                     examples,
                                     run};

}  // namespace carve
