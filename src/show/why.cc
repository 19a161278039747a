// `carve why`: what was chosen on each card model and because of what; each other choice with what it lacks and what
// would allow it; and every kind of partition with whether one replica fits it, which one was taken, and what the
// others would strand.
#include <algorithm>

#include "show/box.h"
#include "show/parts.h"
#include "show/sentences.h"

namespace carve {

namespace {

std::string refusals(const Decision& decision, const Style& style) {
  std::string text;
  for (const Refusal& refusal : decision.refused) {
    text += paragraph(fmt::format("  not {}: ", title(refusal.choice)), refusal.why, style);
    if (!refusal.would_allow.empty()) text += paragraph("    would allow it: ", refusal.would_allow, style);
  }
  return text;
}

// ------------------------------------------------------------------------------------------------------- partitions

bool taken(const PartitionKind& kind, const Chosen& chosen) {
  const std::string name = kind.name.empty() ? "card" : kind.name;
  return std::find(chosen.profiles.begin(), chosen.profiles.end(), name) != chosen.profiles.end();
}

// What a partition that fits would leave unused with one replica in it: the price of taking a larger one.
std::string strands(const PartitionKind& kind, const Workload& workload) {
  if (!workload.memory || workload.cards > 0) return "";
  return fmt::format("one alone strands {}", to_string(kind.memory - workload.replica_memory()));
}

std::string kinds(const Chosen& chosen, const Workload& workload, const Plan& plan, const Style& style) {
  const auto match = find_model(chosen.decision.card);
  if (!match) return "";
  const CardModel& model = *match->model;
  Table table({{""}, {"partition"}, {"GiB", Align::right}, {"SMs", Align::right, 1}, {"fits"}, {"because"}});
  bool derived = false;
  for (const PartitionKind& kind : partition_kinds(model)) {
    const Fit found = fit(workload, model, kind, plan.limits);
    const bool here = taken(kind, chosen);
    const std::string name = kind.name.empty() ? "whole card" : kind.name;
    const std::string because = found.fits() ? strands(kind, workload) : found.sentence;
    table.add({here ? (style.unicode ? "→" : ">") : "", Text(name, here ? Ink::bold : Ink::plain),
               gib(kind.memory) + (kind.memory_derived ? "*" : ""), kind.sms ? fmt::format("{}", *kind.sms) : "?",
               Text(found.fits() ? "yes" : "no", found.fits() ? Ink::green : Ink::red),
               because.empty() ? found.sentence : because});
    derived = derived || kind.memory_derived;
  }
  std::string text = table.render(style, 2);
  if (derived) text += paragraph("  * ", "not published: memory slices times the smallest profile's memory", style);
  return text;
}

std::string decision_text(const Chosen& chosen, const Workload& workload, const Plan& plan, const Style& style) {
  const Decision& decision = chosen.decision;
  std::string head = fmt::format("on {}: {}", decision.card, title(decision.choice));
  head +=
      chosen.profiles.empty() ? std::string(", none used") : fmt::format(", in {}", fmt::join(chosen.profiles, ", "));
  std::string text = paragraph("", head, style);
  text.pop_back();
  text = inked(text, Ink::bold, style) + '\n';
  for (const std::string& reason : decision.because) text += paragraph("  because ", reason, style);
  return text + refusals(decision, style) + '\n' + kinds(chosen, workload, plan, style);
}

// What the workload got, and for models of the fleet where it got nothing what it would be there.
std::vector<Chosen> chosen_for(const Workload& workload, const Plan& plan) {
  std::vector<Chosen> all;
  for (const Chosen& chosen : plan.decisions)
    if (chosen.decision.workload == workload.name) all.push_back(chosen);
  for (const FleetEntry& entry : plan.fleet) {
    const bool known =
        std::any_of(all.begin(), all.end(), [&](const Chosen& chosen) { return chosen.decision.card == entry.card; });
    const auto match = find_model(entry.card);
    if (!known && match) all.push_back({decide(workload, *match->model), {}});
  }
  return all;
}

}  // namespace

std::string why_page(const Plan& plan, const Workload& workload, const Style& style) {
  std::string text = paragraph("", fmt::format("{}: {}", workload.name, asked_of(workload)), style);
  for (const Chosen& chosen : chosen_for(workload, plan)) text += '\n' + decision_text(chosen, workload, plan, style);
  Plan own;
  for (const Unplaced& left : plan.unplaced)
    if (left.workload == workload.name) own.unplaced.push_back(left);
  if (!own.unplaced.empty()) text += '\n' + unplaced_text(own, style);
  return text;
}

}  // namespace carve
