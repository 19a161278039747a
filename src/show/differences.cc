// Card by card: what it is to the catalog, what carve plans with, and each figure in which the two differ.
#include "show/table.h"

namespace carve {

namespace {

constexpr int indent = 2;

std::string planned_with(const LiveCard& card, const Style& style) {
  const Result<CardModel> model = live_model(card);
  if (!model) return paragraph("  ", printable(model.error().message), style, 4);
  const CardModel* row = catalog_model(card);
  const std::string_view whose = row != nullptr && row->id == model->id ? "the catalog's model" : "a model of its own";
  return paragraph("  ", fmt::format("planned with as {}, {}", model->id, whose), style, 4);
}

Text side(const std::optional<std::string>& figure) { return figure ? Text(printable(*figure)) : Text("-", Ink::dim); }

std::string card_text(const LiveCard& card, const Style& style) {
  const std::string name = card.name ? printable(*card.name) : "a card without a name";
  const CardModel* row = card.lost ? nullptr : catalog_model(card);
  std::string head = fmt::format("{}  {}", card.index, name);
  if (card.lost) return inked(head, Ink::bold, style) + '\n' + paragraph("  does not answer: ", *card.lost, style, 4);
  head = inked(head, Ink::bold, style);
  if (row == nullptr) return head + ": the catalog has no such card\n" + planned_with(card, style);
  const std::vector<Difference> found = differences(card, *row);
  head += fmt::format("  {}", row->id);
  std::string text = found.empty() ? head + ": agrees\n" : head + '\n';
  Table table({{"figure"}, {"driver"}, {"catalog"}});
  for (const Difference& difference : found)
    table.add({printable(difference.figure), side(difference.driver), side(difference.catalog)});
  if (!table.empty()) text += table.render(style, indent);
  return text + planned_with(card, style);
}

}  // namespace

std::string differences_page(const Machine& machine, const Style& style) {
  std::string text;
  for (const LiveCard& card : machine.cards) {
    if (!text.empty()) text += '\n';
    text += card_text(card, style);
  }
  return text.empty() ? "the driver knows no card\n" : text;
}

}  // namespace carve
