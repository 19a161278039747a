#include "show/parts.h"

#include <algorithm>
#include <array>

#include "show/sentences.h"

namespace carve {

namespace {

struct SeverityLook {
  std::string_view name;
  Ink ink;
};
constexpr std::array<SeverityLook, 3> severity_looks{
    {{"error", Ink::red}, {"warning", Ink::yellow}, {"info", Ink::cyan}}};

// paragraph() with its first words in ink; widths are measured before the ink is added.
std::string inked_paragraph(const std::string& words, Ink ink, const std::string& text, const Style& style) {
  std::string result = paragraph(words, text, style);
  return inked(words, ink, style) + result.substr(words.size());
}

std::string one_finding(const Finding& finding, const Style& style) {
  const SeverityLook& look = severity_looks[static_cast<std::size_t>(finding.severity)];
  const std::string head = fmt::format("{}[{}]", look.name, finding.code);
  std::string text = inked(head, look.ink, style);
  if (!finding.subject.empty()) text += fmt::format(" {}", printable(finding.subject, style));
  text += '\n' + paragraph("  ", printable(finding.message, style), style);
  if (!finding.remedy.empty()) text += paragraph("  help: ", printable(finding.remedy, style), style);
  return text;
}

// "info[stall.accepted] node-1/0: 7 replicas take turns"; several of one code: the code's meaning and whom it concerns.
std::string infos(std::span<const Finding> same, Detail detail, const Style& style) {
  constexpr std::size_t most_subjects = 6;
  const Finding& first = same.front();
  std::string words;
  if (same.size() == 1) {
    words = first.subject.empty() ? first.message : fmt::format("{}: {}", first.subject, first.message);
  } else {
    std::vector<std::string> subjects;
    for (const Finding& finding : same)
      if (!finding.subject.empty() && subjects.size() < most_subjects) subjects.push_back(finding.subject);
    words = fmt::format("{} findings, {}: {}", same.size(), meaning_of(first.code), fmt::join(subjects, ", "));
    if (same.size() > subjects.size()) words += fmt::format(", +{} more", same.size() - subjects.size());
  }
  const SeverityLook& look = severity_looks[static_cast<std::size_t>(Severity::info)];
  const std::string head = fmt::format("{}[{}] ", look.name, first.code);
  std::string text = inked(head, look.ink, style);
  text += paragraph(head, printable(words, style), style, 2).substr(head.size());
  if (detail == Detail::full && !first.remedy.empty())
    text += paragraph("  help: ", printable(first.remedy, style), style);
  return text;
}

}  // namespace

std::string unplaced_text(const Plan& plan, const Style& style) {
  std::string text;
  for (const Unplaced& left : plan.unplaced) {
    text += inked("unplaced", Ink::red, style) + " " + what_is_left(left) + '\n';
    text += paragraph("  ", printable(left.reason, style), style);
    if (!left.nearest.empty()) text += paragraph("  nearest: ", printable(left.nearest, style), style);
  }
  return text;
}

std::string answers_text(const std::vector<Answer>& answered, const Style& style) {
  std::string text;
  for (const Answer& answer : answered) {
    const std::string mark = style.unicode ? (answer.yes ? "✓ " : "✗ ") : (answer.yes ? "[yes] " : "[no]  ");
    text += inked_paragraph(mark, answer.yes ? Ink::green : Ink::red,
                            capitalised(answer.question) + " " + printable(answer.sentence, style), style);
  }
  return text;
}

std::string findings_text(const std::vector<Finding>& found, Detail detail, const Style& style) {
  std::string text;
  for (std::size_t i = 0; i < found.size();) {
    if (found[i].severity != Severity::info) {
      text += one_finding(found[i++], style);
      continue;
    }
    std::size_t end = i + 1;
    while (end < found.size() && found[end].code == found[i].code) ++end;
    text += infos(std::span(found).subspan(i, end - i), detail, style);
    i = end;
  }
  return text;
}

std::string proof_text(const Plan& plan, const Style& style) {
  return paragraph("proof: ", proof_sentence(plan), style);
}

}  // namespace carve
