// A change as people read those of their infrastructure: what stays, goes, comes and moves, whom each disturbs, and one
// line that adds up. Also the commands that a person could type instead.
#include <algorithm>

#include <fmt/format.h>

#include "show/parts.h"

namespace carve {

namespace {

struct Row {
  std::string sign, what, whom;
  Ink ink = Ink::plain;
};

std::string nobody_or(const std::vector<Occupant>& occupants, std::string_view verb) {
  return occupants.empty() ? std::string() : fmt::format("{} {}", verb, holders(occupants));
}

Row row_of(const KeptInstance& kept) {
  return {"=", to_string(kept.instance), nobody_or(kept.occupants, "stays:"), Ink::dim};
}

Row row_of(const Step& step) {
  std::string whom = nobody_or(step.disturbs, "disturbs");
  if (!step.note.empty()) whom = step.note + (whom.empty() ? "" : "; ") + whom;
  switch (step.act) {
    case Act::destroy: {
      const bool moves = step.note.starts_with("moves");
      return {moves ? "~" : "-", to_string(step.instance), std::move(whom), moves ? Ink::yellow : Ink::red};
    }
    case Act::create:
      return {"+", to_string(step.instance), std::move(whom), Ink::green};
    case Act::mig_on:
    case Act::mig_off:
      return {"~", step.act == Act::mig_on ? "MIG on" : "MIG off", std::move(whom), Ink::yellow};
    case Act::reset:
      return {"!", "reset", "of the whole card: nobody may have it open, monitors included", Ink::yellow};
  }
  return {};
}

std::string rows_text(const std::vector<Row>& rows, const Style& style) {
  int widest = 0;
  for (const Row& row : rows) widest = std::max(widest, display_width(row.what));
  std::string text;
  for (const Row& row : rows) {
    const std::string first = fmt::format("  {} {}  ", row.sign, fitted(row.what, widest, Align::left, style));
    std::string lines = paragraph(first, printable(row.whom, style), style);
    while (lines.size() > 1 && (lines[lines.size() - 2] == ' ')) lines.erase(lines.size() - 2, 1);
    lines.pop_back();
    text += inked(lines, row.ink, style) + '\n';
  }
  return text;
}

std::string card_text(const CardChange& card, const Style& style) {
  std::string text =
      inked(printable(fmt::format("card {}  {}  {}", card.index, card.name, card.uuid), style), Ink::bold, style) +
      '\n';
  std::vector<Row> rows;
  for (const KeptInstance& kept : card.kept) rows.push_back(row_of(kept));
  for (const Step& step : card.steps) rows.push_back(row_of(step));
  text += rows_text(rows, style);
  if (!card.remark.empty()) text += paragraph("  note: ", card.remark, style);
  for (const Obstacle& obstacle : card.obstacles) {
    text += paragraph("  cannot: ", printable(obstacle.message, style), style);
    if (!obstacle.help.empty()) text += paragraph("    help: ", printable(obstacle.help, style), style);
  }
  return text;
}

std::string sum_of(const Change& change) {
  int cards = 0, made = 0, moved = 0, removed = 0, kept = 0, disturbed = 0, resets = 0, stuck = 0;
  for (const CardChange& card : change.cards) {
    cards += card.same() ? 0 : 1;
    stuck += card.obstacles.empty() ? 0 : 1;
    kept += static_cast<int>(card.kept.size());
    resets += card.count(Act::reset);
    made += card.count(Act::create);
    for (const Step& step : card.steps) {
      const bool moves = step.act == Act::destroy && step.note.starts_with("moves");
      moved += moves ? 1 : 0;
      removed += step.act == Act::destroy && !moves ? 1 : 0;
      disturbed += static_cast<int>(step.disturbs.size());
    }
  }
  if (cards == 0)
    return fmt::format("nothing to do: {} as wanted", counted(static_cast<std::int64_t>(change.cards.size()), "card"));
  std::string text =
      fmt::format("{} of {}: {} made, {} moved, {} removed, {} kept", cards,
                  counted(static_cast<std::int64_t>(change.cards.size()), "card"), made - moved, moved, removed, kept);
  if (resets > 0) text += fmt::format(", {}", counted(resets, "reset"));
  text += disturbed == 0 ? "; nobody is disturbed" : fmt::format("; disturbs {}", counted(disturbed, "process"));
  if (stuck > 0) text += fmt::format("; {} cannot be changed", counted(stuck, "card"));
  return text;
}

// ------------------------------------------------------------------------------------------------------ as nvidia-smi

std::vector<std::string> commands_of(const CardChange& card, const Step& step) {
  switch (step.act) {
    case Act::destroy:
      return {fmt::format("nvidia-smi mig -i {} -dci -gi {}", card.bus_id, step.id.value),
              fmt::format("nvidia-smi mig -i {} -dgi -gi {}", card.bus_id, step.id.value)};
    case Act::create:
      return {fmt::format("nvidia-smi mig -i {} -cgi {}:{} -C", card.bus_id, step.profile_id,
                          step.instance.placement.start)};
    case Act::mig_on:
    case Act::mig_off:
      return {fmt::format("nvidia-smi -i {} -mig {}", card.bus_id, step.act == Act::mig_on ? 1 : 0)};
    case Act::reset:
      return {fmt::format("nvidia-smi --gpu-reset -i {}", card.bus_id)};
  }
  return {};
}

}  // namespace

std::string change_page(const Change& change, const Style& style) {
  std::string text;
  for (const CardChange& card : change.cards)
    if (!card.same()) text += card_text(card, style) + '\n';
  return text + inked(paragraph("", sum_of(change), style), Ink::bold, style);
}

std::string as_nvidia_smi(const Change& change) {
  std::string text;
  for (const CardChange& card : change.cards)
    for (const Step& step : card.steps)
      for (const std::string& command : commands_of(card, step)) text += command + '\n';
  return text;
}

}  // namespace carve
