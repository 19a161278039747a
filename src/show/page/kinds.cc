// What a kind of partition holds, why, and what was refused: a popover that its buttons open without a script, and a
// plain text where popovers are unknown or the page is printed.
#include <algorithm>

#include "show/page/sections.h"
#include "show/sentences.h"

namespace carve {

namespace {

constexpr std::size_t most_findings = 4;  // the section of findings has all of them

std::string share_facts(const Share& share, const Partition& partition, const Plan& plan) {
  std::vector<std::string> facts;
  if (memory_known(partition, plan)) {
    facts.push_back(to_string(share.memory) + (share.count > 1 ? " each" : ""));
  } else {
    facts.emplace_back("memory not measured");
  }
  if (share.compute) facts.push_back("asks for compute " + to_string(*share.compute));
  if (share.thread_percent) facts.push_back(fmt::format("MPS threads {} %", *share.thread_percent));
  if (share.memory_limit) facts.push_back("MPS memory limit " + to_string(*share.memory_limit));
  for (std::string& detail : details_of(share, "processes")) facts.push_back(std::move(detail));
  return fmt::format("{}", fmt::join(facts, ", "));
}

// "MPS, tenant search; 36.0 of 39.5 GiB in use, 3.5 GiB stranded".
std::string how(const Partition& partition, const Plan& plan) {
  if (partition.shares.empty()) return fmt::format("unused; {} GiB", gib(partition.memory));
  const Share& first = partition.shares.front();
  const std::string who = first.tenant_each ? tenant_of(first) : "tenant " + first.tenant;
  const std::string start = fmt::format("{}, {}; ", look_of(partition.mechanism).word, who);
  if (!memory_known(partition, plan))
    return fmt::format("{}of {} GiB it is not known how much is in use", start, gib(partition.memory));
  const Mib lost = stranded(partition);
  return fmt::format("{}{} of {} GiB in use, {} GiB stranded", start, gib(partition.memory - lost),
                     gib(partition.memory), gib(lost));
}

// "memory no other can take": what a guarantee means, up to its explanation.
std::string_view in_short(Guarantee guarantee) {
  const std::string_view meaning = guarantee_table()[static_cast<std::size_t>(guarantee)].meaning;
  return meaning.substr(0, meaning.find(':'));
}

// What each refused choice does not give; the section of reasons has the conditions, and what would allow it.
Markup refusals(const Decision& decision) {
  Markup lines;
  for (const Refusal& refusal : decision.refused) {
    std::vector<std::string_view> lacks;
    for (const Guarantee guarantee : refusal.missing.list()) lacks.push_back(in_short(guarantee));
    lines.put("<li><b>{}</b>: {}</li>", title(refusal.choice),
              lacks.empty() ? prose(refusal.why)
                            : Markup().put("does not give: {}", fmt::format("{}", fmt::join(lacks, "; "))));
  }
  return lines.empty() ? lines : Markup().put("<h4>Refused</h4><ul>{}</ul>", lines);
}

// Why a workload is here; the section of reasons says the same at more length.
Markup reasons(const std::string& workload, const Kind& kind, const Plan& plan, Detail detail) {
  if (detail == Detail::brief) return Markup().put("<p>Why: {}</p>", prose(main_reason(workload, plan)));
  const Chosen* chosen = chosen_for(plan, workload, kind.card->card().model);
  if (chosen == nullptr) return {};
  Markup because;
  for (const std::string& reason : chosen->decision.because) because.put("<li>{}</li>", prose(reason));
  return Markup().put("<h4>Why {}</h4><ul>{}</ul>{}", title(chosen->decision.choice), because,
                      refusals(chosen->decision));
}

// The name of a share, as a link to all that is said of its workload.
Markup share_title(const Share& share, const Atlas& atlas) {
  const std::string name = named(share, Numbering::none);
  const auto index = atlas.workloads.find(share.workload);
  if (index == atlas.workloads.end()) return Markup().put("{}", name);
  return Markup().put("<a href=\"#w{}\">{}</a>", index->second, name);
}

Markup shares(const Kind& kind, const Plan& plan, const Atlas& atlas) {
  Markup result;
  for (const Share& share : kind.partition->shares)
    result.put("<section><h3>{}</h3><p>{}</p>{}</section>", share_title(share, atlas),
               share_facts(share, *kind.partition, plan), reasons(share.workload, kind, plan, detail_of(atlas)));
  return result;
}

Markup findings_about(const Kind& kind) {
  Markup lines;
  for (std::size_t i = 0; i < std::min(most_findings, kind.findings.size()); ++i) {
    const Finding& finding = *kind.findings[i];
    lines.put("<li>{} {}</li>", severity_word(finding.severity), prose(finding.message));
  }
  if (kind.findings.size() > most_findings) lines.put("<li>+{} more</li>", kind.findings.size() - most_findings);
  return lines.empty() ? lines : Markup().put("<h4>Findings</h4><ul>{}</ul>", lines);
}

std::string places(const Kind& kind) {
  std::string text = fmt::format("{}", fmt::join(kind.places, ", "));
  const std::int64_t more = kind.count - std::ssize(kind.places);
  return more > 0 ? fmt::format("{}, +{} more", text, more) : text;
}

}  // namespace

Markup kinds_section(const Plan& plan, const Atlas& atlas) {
  Markup kinds;
  for (std::size_t i = 0; i < atlas.kinds.size(); ++i) {
    const Kind& kind = atlas.kinds[i];
    kinds.put(
        "<div popover=\"\" class=\"kind\" id=\"k{}\"><h3>{} <small>{}</small></h3><p>{}</p>{}{}<p class=\"at\">{}</p>"
        "<button popovertarget=\"k{}\" popovertargetaction=\"hide\">Close</button></div>\n",
        i, title_of(*kind.partition), kind.card->card().model, how(*kind.partition, plan), shares(kind, plan, atlas),
        findings_about(kind), places(kind), i);
  }
  if (kinds.empty()) return kinds;
  return Markup().put("<section id=\"kinds\"><h2>Partitions</h2>\n{}</section>\n", kinds);
}

}  // namespace carve
