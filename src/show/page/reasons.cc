// Workload by workload: what it asked for, what it got, and why; what would have to change for what was refused. And
// what found no place.
#include "show/page/sections.h"
#include "show/sentences.h"

namespace carve {

namespace {

Markup list_of(const std::vector<std::string>& lines) {
  Markup items;
  for (const std::string& line : lines) items.put("<li>{}</li>", line);
  return items.empty() ? items : Markup().put("<ul>{}</ul>", items);
}

Markup refusals(const Decision& decision) {
  Markup lines;
  for (const Refusal& refusal : decision.refused) {
    Markup missing;
    for (const Guarantee guarantee : refusal.missing.list()) missing.put(" <code>{}</code>", to_string(guarantee));
    lines.put("<dt>not {}{}</dt><dd>{}", title(refusal.choice), missing, refusal.why);
    if (!refusal.would_allow.empty()) lines.put("<br/><i>would allow it:</i> {}", refusal.would_allow);
    lines.put("</dd>");
  }
  return lines.empty() ? lines : Markup().put("<dl>{}</dl>", lines);
}

Markup decision(const Chosen& chosen) {
  const Decision& made = chosen.decision;
  const std::string in = chosen.profiles.empty() ? "" : fmt::format(", in {}", fmt::join(chosen.profiles, ", "));
  return Markup().put("<h4>On {}: {}{}</h4>{}{}", made.card, title(made.choice), in, list_of(made.because),
                      refusals(made));
}

}  // namespace

Markup why_section(const Plan& plan, const Atlas& atlas) {
  const Holdings holdings = holdings_of(plan);
  Markup entries;
  for (const auto& [name, index] : atlas.workloads) {
    Markup decisions;
    for (const Chosen& chosen : plan.decisions)
      if (chosen.decision.workload == name) decisions.put("{}", decision(chosen));
    Markup got;
    for (const std::string& line : held_lines(holdings, name, plan, Style{})) got.put("<span>{}</span>", line);
    entries.put(
        "<details class=\"w\"><summary><b>{}</b><span class=\"got\">{}</span><span>{}</span></summary>"
        "<div id=\"w{}\"><p>{}</p>{}</div></details>\n",
        name, got, main_reason(name, plan), index, asked_of(plan.workloads[index]), decisions);
  }
  if (entries.empty()) return entries;
  return Markup().put("<section id=\"why\"><h2>Why</h2>\n{}</section>\n", entries);
}

Markup unplaced_section(const Plan& plan, const Atlas& atlas) {
  Markup entries;
  for (const Unplaced& left : plan.unplaced) {
    entries.put("<li><b>{}</b> {}", what_is_left(left), left.reason);
    if (!left.nearest.empty()) entries.put("<br/><i>nearest:</i> {}", left.nearest);
    if (const auto index = atlas.workloads.find(left.workload); index != atlas.workloads.end())
      entries.put(" <a href=\"#w{}\">why</a>", index->second);
    entries.put("</li>\n");
  }
  if (entries.empty()) return entries;
  return Markup().put("<section id=\"unplaced\" class=\"error\"><h2>Found no place</h2>\n<ul>{}</ul></section>\n",
                      entries);
}

}  // namespace carve
