// What the checker says: the four questions, findings with what to do, and the proof with its prices.
#include <algorithm>

#include "show/page/sections.h"
#include "show/sentences.h"

namespace carve {

namespace {

Markup remedy(const Finding& finding) {
  return finding.remedy.empty() ? Markup()
                                : Markup().put("<p class=\"help\"><i>what to do:</i> {}</p>", prose(finding.remedy));
}

Markup one_finding(const Finding& finding, const Atlas& atlas) {
  return Markup().put("<li class=\"{}\"><p>{} <code>{}</code> {}</p><p>{}</p>{}</li>\n", to_string(finding.severity),
                      severity_word(finding.severity), finding.code, subject_link(finding.subject, atlas),
                      prose(finding.message), remedy(finding));
}

// Infos of one code: the code's meaning, and behind it each of them.
Markup infos(std::span<const Finding> same, const Atlas& atlas) {
  if (same.size() == 1) return one_finding(same.front(), atlas);
  Markup each;
  for (const Finding& finding : same)
    each.put("<li>{} {}</li>", subject_link(finding.subject, atlas), prose(finding.message));
  const Finding& first = same.front();
  return Markup().put(
      "<li class=\"info\"><details><summary>{} <code>{}</code> {}: {}</summary><ul>{}</ul>{}</details></li>\n",
      severity_word(first.severity), first.code, counted(std::ssize(same), "finding"), prose(meaning_of(first.code)),
      each, remedy(first));
}

// A price as a decimal number of costs, exact.
std::string price_text(std::int64_t price) {
  std::string text = fmt::format("{}.{:06}", price / proof_scale, price % proof_scale);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

Markup severity_word(Severity severity) {
  return Markup().put("<b class=\"sev {}\">{}</b>", to_string(severity), to_string(severity));
}

Markup subject_link(const std::string& subject, const Atlas& atlas) {
  const auto anchor = atlas.anchors.find(subject);
  if (anchor == atlas.anchors.end()) return Markup().put("{}", subject);
  return Markup().put("<a href=\"#{}\">{}</a>", anchor->second, subject);
}

Markup questions_section(const Plan& plan) {
  Markup cells;
  for (const Answer& answer : answers(plan, plan.findings))
    cells.put("<li class=\"{}\"><h3>{}</h3><p class=\"question\">{}</p><p><b>{}</b> {}</p></li>\n",
              answer.yes ? "yes" : "no", capitalised(answer.key), capitalised(answer.question), answer.yes ? "✓" : "✗",
              prose(answer.sentence));
  return Markup().put("<section id=\"questions\"><h2>Four questions</h2>\n<ul>{}</ul></section>\n", cells);
}

Markup findings_section(const Plan& plan, const Atlas& atlas) {
  Markup entries;
  const std::span<const Finding> all(plan.findings);
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i + 1;
    if (all[i].severity == Severity::info)
      while (end < all.size() && all[end].code == all[i].code) ++end;
    entries.put("{}",
                all[i].severity == Severity::info ? infos(all.subspan(i, end - i), atlas) : one_finding(all[i], atlas));
    i = end;
  }
  if (entries.empty()) entries.put("<li>none</li>");
  return Markup().put("<section id=\"findings\"><h2>Findings</h2>\n<ul>{}</ul></section>\n", entries);
}

Markup proof_section(const Plan& plan) {
  Markup rows;
  for (const Price& price : plan.proof.prices)
    rows.put("<tr><td>{}</td><td>{}</td></tr>", price.workload, price_text(price.price));
  Markup table;
  if (!rows.empty())
    table.put(
        "<details><summary>the prices</summary><table><thead><tr><th scope=\"col\">workload</th>"
        "<th scope=\"col\">price of a replica, or of 1/s of rate</th></tr></thead><tbody>{}</tbody></table></details>",
        rows);
  return Markup().put(
      "<section id=\"proof\"><h2>Proof</h2>\n<p>Each replica is given a price such that nothing that fits on a card is "
      "worth more than the card costs. So whatever holds all replicas costs at least the sum of their prices.</p>"
      "<p>{}</p>{}</section>\n",
      proof_sentence(plan), table);
}

}  // namespace carve
