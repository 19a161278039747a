// carve cards: the catalog.
#include <array>

#include "cli/command.h"
#include "cli/json.h"
#include "cli/output.h"

namespace carve {

namespace {

constexpr std::array arguments{
    Argument{"CARD", Need::optional, "one card: h100-sxm5-80gb, a short name, or the product's name"}};
constexpr std::array options{json_option, ascii_option, width_option};
constexpr std::array examples{Example{"carve cards", "all models"},
                              Example{"carve cards h100-80gb", "one with its profiles and where they may be placed"}};

Result<Exit> run(const Given& given) {
  TRY(const Style style, output_style(given));
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
                                "has is shown as unknown.",
                                arguments,
                                options,
                                examples,
                                run};

}  // namespace carve
