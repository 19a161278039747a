#include "show/parts.h"

#include <algorithm>
#include <array>

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

std::string_view meaning_of(const std::string& code) {
  for (const FindingCode& known : finding_codes())
    if (known.code == code) return known.meaning;
  return "";
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
    std::string what = left.workload;
    if (left.rate) {
      what += fmt::format(": {} of its rate", to_string(*left.rate));
    } else if (left.count > 1) {
      what += fmt::format("/{}-{}: {}", left.first, left.first + left.count - 1, counted(left.count, "replica"));
    } else {
      what += fmt::format("/{}: 1 replica", left.first);
    }
    text += inked("unplaced", Ink::red, style) + " " + what + '\n';
    text += paragraph("  ", printable(left.reason, style), style);
    if (!left.nearest.empty()) text += paragraph("  nearest: ", printable(left.nearest, style), style);
  }
  return text;
}

std::string answers_text(const std::vector<Answer>& answered, const Style& style) {
  std::string text;
  for (const Answer& answer : answered) {
    const std::string mark = style.unicode ? (answer.yes ? "✓ " : "✗ ") : (answer.yes ? "[yes] " : "[no]  ");
    std::string question = answer.question;
    if (!question.empty()) question[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(question[0])));
    text += inked_paragraph(mark, answer.yes ? Ink::green : Ink::red,
                            question + " " + printable(answer.sentence, style), style);
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
  const Summary& s = plan.summary;
  std::string text =
      fmt::format("{} prices in the plan show that {} cost{} at least {} ({}); the plan costs {}.",
                  plan.proof.prices.size(), plan.unplaced.empty() ? "all replicas" : "what is placed",
                  plan.unplaced.empty() ? "" : "s", s.cost_lower_bound, counted(s.lower_bound, "card"), s.cost);
  if (plan.proof.search_complete && s.cost > s.cost_lower_bound)
    text += " A complete search found nothing cheaper; that part cannot be re-derived from the file.";
  text += " 'carve check' re-derives the bound from a plan file.";
  return paragraph("proof: ", text, style);
}

}  // namespace carve
