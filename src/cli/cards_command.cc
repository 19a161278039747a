// carve cards: the catalog.
#include <array>

#include "cli/cards_live.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/live.h"
#include "cli/output.h"

namespace carve {

namespace {

constexpr std::array arguments{
    Argument{"CARD", Need::optional, "one card: h100-sxm5-80gb, a short name, or the product's name"}};
constexpr Option live_option{"--live", "", "", "compare the cards of this machine with it"};
constexpr std::array options{live_option, json_option, sim_option, sim_dir_option, ascii_option, width_option};
constexpr std::array examples{Example{"carve cards", "all models"},
                              Example{"carve cards h100-80gb", "one with its profiles and where they may be placed"},
                              Example{"carve cards --live", "where the drivers of this machine's cards differ"}};

Result<Exit> compare_live(const Given& given, const Style& style) {
  if (given.has("CARD"))
    return fail(Error{Fault::bad_input,
                      "--live compares the cards of this machine: no CARD can be named",
                      {},
                      "leave one of the two away",
                      {}});
  TRY(const Machine machine, read_live_machine(given));
  TRY_VOID(print(given.has(json_option.name) ? differences_json(machine) : differences_page(machine, style)));
  return compared(machine);
}

Result<Exit> run(const Given& given) {
  TRY(const Style style, output_style(given));
  if (given.has(live_option.name)) return compare_live(given, style);
  const bool as_json = given.has(json_option.name);
  if (!given.has("CARD")) {
    TRY_VOID(print(as_json ? cards_json() : card_list(style)));
    return Exit::done;
  }
  TRY(const ModelMatch match, find_model(given.text("CARD")));
  TRY_VOID(print(as_json ? card_json(match) : card_page(match, style)));
  return Exit::done;
}

}  // namespace

constexpr Command cards_command{"cards",
                                "what a card can be cut into: profiles, memory, SMs",
                                "Figures come from the catalog, each with its source; what no public source\n"
                                "has is shown as unknown. With --live each card of this machine is compared with\n"
                                "its row; exit 1 if the catalog has none of them.",
                                arguments,
                                options,
                                examples,
                                run};

}  // namespace carve
