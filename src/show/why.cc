// `carve why`: what was chosen on each card model and because of what; each other choice with what it lacks and what
// would allow it; and every kind of partition with whether one replica fits it, which one was taken, and what the
// others would strand.
#include <algorithm>

#include "show/box.h"
#include "show/parts.h"

namespace carve {

namespace {

struct ComputeText {
  std::string operator()(const NoComputeNeed&) const { return ""; }
  std::string operator()(const ComputeShare& share) const { return "compute " + to_string(share.of_card); }
  std::string operator()(const ComputePerModel& share) const {
    std::vector<std::string> each;
    for (const auto& [model, part] : share.of_card) each.push_back(fmt::format("{} of {}", to_string(part), model));
    return fmt::format("compute {}", fmt::join(each, ", "));
  }
  std::string operator()(const ComputeSlices& need) const { return "compute " + counted(need.slices, "compute slice"); }
};

std::string objective_text(const Objective& objective) {
  constexpr std::array<std::string_view, 5> names{"p50", "p95", "p99", "throughput", "best effort"};
  const std::string name(names[static_cast<std::size_t>(objective.kind)]);
  return objective.is_latency() ? fmt::format("{} {}", name, to_string(objective.target)) : name;
}

// "reranker: 6 replicas of tenant search; 18.0 GiB each, compute 20 %, p99 60 ms".
std::string title(const Workload& workload) {
  std::vector<std::string> asks;
  if (workload.rate) asks.push_back(to_string(*workload.rate));
  if (workload.cards > 0) asks.push_back(counted(workload.cards, "whole card") + " each");
  if (workload.memory) asks.push_back(to_string(workload.replica_memory()) + " each");
  if (workload.processes > 1) asks.push_back(fmt::format("{} processes", workload.processes));
  if (const std::string compute = std::visit(ComputeText{}, workload.compute); !compute.empty())
    asks.push_back(compute);
  asks.push_back(objective_text(workload.objective));
  if (workload.duty) asks.push_back("duty " + to_string(*workload.duty));
  if (workload.interruptible) asks.emplace_back("interruptible");
  const std::string who = workload.tenant_each ? "each its own tenant" : "tenant " + workload.tenant;
  const std::string count = workload.rate ? "measured" : counted(workload.replicas, "replica");
  return fmt::format("{}: {}, {}; {}", workload.name, count, who, fmt::join(asks, ", "));
}

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
  if (!chosen.profiles.empty()) head += fmt::format(", in {}", fmt::join(chosen.profiles, ", "));
  std::string text = paragraph("", head, style);
  text.pop_back();
  text = inked(text, Ink::bold, style) + '\n';
  for (const std::string& reason : decision.because) text += paragraph("  because ", reason, style);
  return text + refusals(decision, style) + '\n' + kinds(chosen, workload, plan, style);
}

}  // namespace

std::string why_page(const Plan& plan, const Workload& workload, const Style& style) {
  std::string text = paragraph("", title(workload), style);
  for (const Chosen& chosen : plan.decisions)
    if (chosen.decision.workload == workload.name) text += '\n' + decision_text(chosen, workload, plan, style);
  Plan own;
  for (const Unplaced& left : plan.unplaced)
    if (left.workload == workload.name) own.unplaced.push_back(left);
  if (!own.unplaced.empty()) text += '\n' + unplaced_text(own, style);
  return text;
}

}  // namespace carve
