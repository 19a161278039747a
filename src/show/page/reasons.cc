// Workload by workload: what it asked for, what it got, and why; what would have to change for what was refused. And
// what found no place.
#include <algorithm>

#include "show/page/sections.h"
#include "show/sentences.h"

namespace carve {

namespace {

Markup list_of(const std::vector<std::string>& lines) {
  Markup items;
  for (const std::string& line : lines) items.put("<li>{}</li>", prose(line));
  return items.empty() ? items : Markup().put("<ul>{}</ul>", items);
}

Markup refusals(const Decision& decision) {
  Markup lines;
  for (const Refusal& refusal : decision.refused) {
    Markup missing;
    for (const Guarantee guarantee : refusal.missing.list()) missing.put(" <code>{}</code>", to_string(guarantee));
    lines.put("<dt>not {}{}</dt><dd>{}", title(refusal.choice), missing, prose(refusal.why));
    if (!refusal.would_allow.empty()) lines.put("<br/><i>would allow it:</i> {}", prose(refusal.would_allow));
    lines.put("</dd>");
  }
  return lines.empty() ? lines : Markup().put("<dl>{}</dl>", lines);
}

// Card models on which everything was decided alike.
struct Alike {
  const Decision* decision = nullptr;
  std::vector<std::string> where;  // "h100-sxm5-80gb in 2g.20gb"
};

bool same(const Refusal& a, const Refusal& b) {
  return a.choice == b.choice && a.missing == b.missing && a.why == b.why && a.would_allow == b.would_allow;
}

bool same(const Decision& a, const Decision& b) {
  return a.choice == b.choice && a.because == b.because &&
         std::equal(a.refused.begin(), a.refused.end(), b.refused.begin(), b.refused.end(),
                    [](const Refusal& x, const Refusal& y) { return same(x, y); });
}

std::vector<Alike> grouped(const std::string& workload, const Plan& plan) {
  std::vector<Alike> groups;
  for (const Chosen& chosen : plan.decisions) {
    if (chosen.decision.workload != workload) continue;
    const auto known = std::find_if(groups.begin(), groups.end(),
                                    [&](const Alike& group) { return same(*group.decision, chosen.decision); });
    Alike& group = known == groups.end() ? groups.emplace_back(Alike{&chosen.decision, {}}) : *known;
    std::vector<std::string> profiles = chosen.profiles;
    std::replace(profiles.begin(), profiles.end(), std::string("card"), std::string("whole cards"));
    const std::string in = profiles.empty() ? "" : fmt::format(" in {}", fmt::join(profiles, ", "));
    group.where.push_back(chosen.decision.card + in);
  }
  return groups;
}

Markup decision(const Alike& group) {
  return Markup().put("<h4>{}: on {}</h4>{}{}", title(group.decision->choice),
                      fmt::format("{}", fmt::join(group.where, ", on ")), list_of(group.decision->because),
                      refusals(*group.decision));
}

}  // namespace

Markup why_section(const Plan& plan, const Atlas& atlas) {
  const Holdings holdings = holdings_of(plan);
  Markup entries;
  for (const auto& [name, index] : atlas.workloads) {
    Markup decisions;
    for (const Alike& group : grouped(name, plan)) decisions.put("{}", decision(group));
    Markup got;
    for (const std::string& line : held_lines(holdings, name, plan, Style{})) got.put("<span>{}</span>", line);
    entries.put(
        "<details class=\"w\"><summary><b>{}</b><span class=\"got\">{}</span><span>{}</span></summary>"
        "<div id=\"w{}\"><p>{}</p>{}</div></details>\n",
        name, got, prose(main_reason(name, plan)), index, asked_of(plan.workloads[index]), decisions);
  }
  if (entries.empty()) return entries;
  return Markup().put("<section id=\"why\"><h2>Why</h2>\n{}</section>\n", entries);
}

Markup unplaced_section(const Plan& plan, const Atlas& atlas) {
  Markup entries;
  for (const Unplaced& left : plan.unplaced) {
    entries.put("<li><b>{}</b><br/>{}", what_is_left(left), prose(left.reason));
    if (!left.nearest.empty()) entries.put("<br/><i>nearest:</i> {}", prose(left.nearest));
    if (const auto index = atlas.workloads.find(left.workload); index != atlas.workloads.end())
      entries.put(" <a href=\"#w{}\">why</a>", index->second);
    entries.put("</li>\n");
  }
  if (entries.empty()) return entries;
  return Markup().put("<section id=\"unplaced\" class=\"error\"><h2>Found no place</h2>\n<ul>{}</ul></section>\n",
                      entries);
}

}  // namespace carve
