// `carve check`: broken rules first, for with them the rest does not matter; then findings, the four questions, and the
// bound as the prices in the file prove it, beside what the file claims.
#include "show/parts.h"

namespace carve {

namespace {

std::string violations_text(const std::vector<Violation>& violations, const Style& style) {
  std::string text;
  for (const Violation& violation : violations) {
    text += inked("broken rule", Ink::red, style);
    if (!violation.subject.empty()) text += fmt::format(" {}", printable(violation.subject, style));
    text += '\n' + paragraph("  ", printable(violation.message, style), style);
  }
  return text;
}

std::string bound_text(const Plan& plan, const Verification& verification, const Style& style) {
  struct Figure {
    const char* name;
    std::int64_t claimed, derived;
  };
  Table table({{"re-derived"}, {"in the file", Align::right}, {"re-derived", Align::right}, {""}});
  for (const Figure& figure : {Figure{"cost", plan.summary.cost, verification.cost},
                               Figure{"least cost", plan.summary.cost_lower_bound, verification.cost_lower_bound},
                               Figure{"fewest cards", plan.summary.lower_bound, verification.lower_bound}}) {
    const bool same = figure.claimed == figure.derived;
    table.add({figure.name, fmt::format("{}", figure.claimed), fmt::format("{}", figure.derived),
               Text(same ? "agrees" : "differs", same ? Ink::green : Ink::red)});
  }
  return table.render(style);
}

std::string verdict(const Plan& plan, const Verification& verification, const Style& style) {
  if (!verification.violations.empty())
    return inked(
               fmt::format("the plan cannot be used: {}", counted(std::ssize(verification.violations), "broken rule")),
               Ink::bold, style) +
           '\n';
  std::int64_t errors = 0;
  for (const Finding& finding : plan.findings) errors += finding.severity == Severity::error ? 1 : 0;
  const std::string text =
      fmt::format("{} on {}: every rule of geometry, mechanisms and workloads holds{}",
                  counted(plan.summary.placed, "replica"), counted(plan.summary.cards_used, "card"),
                  errors > 0 ? fmt::format("; {}", counted(errors, "error finding")) : "");
  std::string shown = paragraph("", text, style);
  shown.pop_back();
  return inked(shown, Ink::bold, style) + '\n';
}

}  // namespace

std::string findings_report(const Plan& plan, const Verification& verification, const Style& style) {
  std::string text = verdict(plan, verification, style);
  for (const std::string& part :
       {violations_text(verification.violations, style), answers_text(answers(plan, plan.findings), style),
        findings_text(plan.findings, Detail::full, style), bound_text(plan, verification, style)})
    if (!part.empty()) text += '\n' + part;
  return text;
}

}  // namespace carve
