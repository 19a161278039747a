// `carve mechanisms`: the two tables that decide, and the limits, straight from policy's data.
#include <algorithm>
#include <array>

#include "show/table.h"

namespace carve {

namespace {

std::string heading(std::string_view words, const Style& style) { return inked(words, Ink::bold, style) + '\n'; }

// Conditions are footnotes: a cell has room for a word.
class Notes {
 public:
  // "yes", "yes (1)", "no (2)".
  std::string cell(const Cell& cell) {
    const std::string word = cell.given ? "yes" : "no";
    if (cell.condition.empty()) return word;
    const std::string note(cell.condition);
    auto found = std::find(notes_.begin(), notes_.end(), note);
    if (found == notes_.end()) found = notes_.insert(notes_.end(), note);
    return fmt::format("{} ({})", word, found - notes_.begin() + 1);
  }
  std::string text(const Style& style) const {
    std::string result;
    for (std::size_t i = 0; i < notes_.size(); ++i)
      result += paragraph(fmt::format("  ({}) ", i + 1), notes_[i], style);
    return result;
  }

 private:
  std::vector<std::string> notes_;
};

std::string guarantees(const Style& style) {
  std::vector<Column> columns{{"guarantee"}};
  for (const Choice choice : all_choices) columns.push_back({std::string(title(choice))});
  Table table(std::move(columns));
  Notes notes;
  for (const GuaranteeRow& row : guarantee_table()) {
    std::vector<Text> cells{Text(std::string(row.key))};
    for (const Cell& cell : row.by_choice) cells.emplace_back(notes.cell(cell), cell.given ? Ink::green : Ink::plain);
    table.add(std::move(cells));
  }
  return heading("What each choice guarantees, the least share of a card first", style) + table.render(style, 2) +
         notes.text(style);
}

std::string keys(Guarantees list) {
  std::vector<std::string_view> names;
  for (const Guarantee guarantee : list.list()) names.push_back(to_string(guarantee));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string needs(const Style& style) {
  std::string text = heading("What a workload needs", style);
  int width = 0;
  for (const NeedRow& row : need_table()) width = std::max(width, display_width(row.who));
  const bool beside = style.width >= width + 40;
  for (const NeedRow& row : need_table()) {
    std::string what;
    if (!row.needs.empty()) what = keys(row.needs);
    if (!row.drops.empty())
      what += fmt::format("{}drops {} towards its own tenant", what.empty() ? "" : "; ", keys(row.drops));
    if (beside) {
      text += paragraph("  " + fitted(row.who, width, Align::left, style) + "  ", what, style);
    } else {
      text += paragraph("  ", row.who, style) + paragraph("    ", what, style);
    }
  }
  return text;
}

std::string meanings(const Style& style) {
  std::string text = heading("The guarantees in words", style);
  for (const GuaranteeRow& row : guarantee_table())
    text += paragraph(fmt::format("  {:<10}  ", row.key), row.meaning, style);
  return text;
}

std::string limits(const Style& style) {
  std::string text = heading("Limits", style);
  for (const MechanismLimit& row : limit_table())
    text += paragraph(fmt::format("  {:<12}  ", row.choice), row.limit, style);
  return text;
}

}  // namespace

std::string mechanism_tables(const Style& style) {
  return guarantees(style) + '\n' + meanings(style) + '\n' + needs(style) + '\n' + limits(style) + '\n' +
         paragraph("",
                   "A choice is allowed when it gives all that the workload needs; the first allowed one is taken. "
                   "Mechanisms nest: MPS and time slicing happen inside a partition, among replicas of one tenant.",
                   style);
}

}  // namespace carve
