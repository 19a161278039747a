// The answer of `carve plan` from top to bottom: the sentence that matters, the map, what each workload got and why,
// what did not fit, the four questions, findings, the proof.
#include <algorithm>

#include "show/parts.h"
#include "show/sentences.h"

namespace carve {

namespace {

// ---------------------------------------------------------------------------------------------------------- headline

std::string headline(const Plan& plan, const std::string& file, const Style& style) {
  std::string text =
      paragraph("", fmt::format("{}: {}; {}", printable(file), placed_sentence(plan), bound_sentence(plan)), style);
  text.pop_back();
  return inked(text, Ink::bold, style) + '\n';
}

std::string boards(const Plan& plan, const Style& style) {
  std::string text;
  for (const std::string& sentence : board_sentences(plan)) text += paragraph("", sentence, style);
  return text;
}

// --------------------------------------------------------------------------------------------------------- workloads

// Two columns: what the workload got, line by line, and beside it why. Narrow terminals have the reason below.
std::string workloads(const Plan& plan, const Style& style) {
  const Holdings holdings = holdings_of(plan);
  struct Row {
    std::string name;
    std::vector<std::string> got;
    std::string why;
  };
  std::vector<Row> rows;
  int names = 0, gots = 0;
  for (const Workload& workload : plan.workloads) {
    Row row{workload.name, held_lines(holdings, workload.name, plan, style), main_reason(workload.name, plan)};
    names = std::max(names, display_width(row.name));
    for (const std::string& got : row.got) gots = std::max(gots, display_width(got));
    rows.push_back(std::move(row));
  }
  constexpr int gap = 2, readable = 34;
  const int why_width = style.width - names - gots - 2 * gap;
  const bool beside = why_width >= readable;
  std::string text;
  for (Row& row : rows) {
    std::vector<std::string> why = wrapped(row.why, beside ? why_width : std::max(20, style.width - 4));
    if (!beside)
      for (std::string& line : why) line = "    " + line;
    const std::size_t lines = beside ? std::max(row.got.size(), why.size()) : row.got.size();
    for (std::size_t i = 0; i < lines; ++i) {
      std::string line = fitted(i == 0 ? row.name : "", names, Align::left, style) + repeated(" ", gap);
      line += fitted(i < row.got.size() ? row.got[i] : "", gots, Align::left, style);
      if (beside && i < why.size()) line += repeated(" ", gap) + why[i];
      text += line.erase(line.find_last_not_of(' ') + 1) + '\n';
    }
    if (!beside)
      for (const std::string& line : why) text += line + '\n';
  }
  return text;
}

}  // namespace

std::string report(const Plan& plan, const std::string& file, const Style& style) {
  const std::vector<Answer> answered = answers(plan, plan.findings);
  std::vector<Finding> told = plan.findings;
  // boards() and unplaced_text() say these with more detail.
  std::erase_if(told, [](const Finding& f) { return f.code == "card.assumed" || f.code == "unplaced"; });
  const std::string map = map_of(plan, style);
  std::string text = headline(plan, file, style) + boards(plan, style);
  for (const std::string& part :
       {map, workloads(plan, style), unplaced_text(plan, style), answers_text(answered, style),
        findings_text(told, Detail::brief, style), proof_text(plan, style)})
    if (!part.empty()) text += '\n' + part;
  return text;
}

}  // namespace carve
