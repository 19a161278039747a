// Nothing here decides: counting, and words around the figures of a plan.
#include "show/sentences.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "show/table.h"

namespace carve {

namespace {

bool one_cost(const Plan& plan) {
  return std::all_of(plan.fleet.begin(), plan.fleet.end(),
                     [&](const FleetEntry& entry) { return entry.cost == plan.fleet.front().cost; });
}

std::int64_t cards_of(const std::vector<FleetEntry>& fleet) {
  std::int64_t cards = 0;
  for (const FleetEntry& entry : fleet) cards += entry.count;
  return cards;
}

// Partitions of measured workloads: their number is part of the answer, not of the question.
std::int64_t measured_partitions(const Plan& plan) {
  std::int64_t partitions = 0;
  for (const CardClass& cards : plan.cards)
    for (const Partition& partition : cards.partitions)
      for (const Share& share : partition.shares)
        if (const Workload* workload = find_workload(plan, share.workload);
            workload != nullptr && workload->is_measured())
          partitions += cards.count();
  return partitions;
}

// "24 replicas and 7 measured partitions", "20 of 24 replicas placed".
std::string what_is_placed(const Plan& plan) {
  const Summary& s = plan.summary;
  std::string text = s.placed < s.replicas ? fmt::format("{} of {} placed", s.placed, counted(s.replicas, "replica"))
                                           : counted(s.replicas, "replica");
  const std::int64_t measured = measured_partitions(plan);
  if (measured > 0) {
    const std::string partitions = counted(measured, "measured partition");
    text = s.replicas == 0 ? partitions : fmt::format("{} and {}", text, partitions);
  }
  const auto short_of_rate = std::count_if(plan.unplaced.begin(), plan.unplaced.end(),
                                           [](const Unplaced& unplaced) { return unplaced.rate.has_value(); });
  return short_of_rate == 0 ? text : fmt::format("{}, {} short of its rate,", text, counted(short_of_rate, "workload"));
}

// "6 × 2g.20gb", "4 by mps in 1 × 3g.40gb".
std::string held_text(const HeldAs& manner, const Held& held, const Plan& plan, const Style& style) {
  const std::string_view times = style.unicode ? "×" : "x";
  const std::string partition = manner.profile.empty() ? "whole card" : manner.profile;
  std::string text = fmt::format("{} {} {}", held.partitions, times, partition);
  if (manner.mechanism != Mechanism::exclusive)
    text = fmt::format("{} by {} in {}", held.replicas, to_string(manner.mechanism), text);
  if (manner.processes > 1) text += fmt::format(" with {} processes", manner.processes);
  const bool several = std::any_of(plan.cards.begin(), plan.cards.end(),
                                   [&](const CardClass& card) { return card.model != manner.model; });
  return several ? fmt::format("{} on {}", text, manner.model) : text;
}

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

}  // namespace

std::string placed_sentence(const Plan& plan) {
  return fmt::format("{} on {} of {}", what_is_placed(plan), plan.summary.cards_used,
                     counted(cards_of(plan.fleet), "card"));
}

std::string bound_sentence(const Plan& plan) {
  const Summary& s = plan.summary;
  if (s.cards_used == 0 && !plan.unplaced.empty()) return "nothing of it fits this fleet";
  const bool cards = one_cost(plan);
  const std::int64_t reached = cards ? s.cards_used : s.cost;
  const std::int64_t bound = cards ? s.lower_bound : s.cost_lower_bound;
  const std::string_view verb = cards ? "use fewer than" : "cost less than";
  const std::string cost = cards ? "" : fmt::format("cost {}; ", s.cost);
  const std::string_view who = plan.unplaced.empty() ? "no plan can" : "what is placed cannot";
  if (reached <= bound) return fmt::format("{}with these mechanisms {} {} {}", cost, who, verb, bound);
  if (s.optimal) return fmt::format("{}the bound is {}, and a complete search found nothing cheaper", cost, bound);
  return fmt::format("{}the bound is {}: at most {} more than needed", cost, bound,
                     cards ? counted(reached - bound, "card") : fmt::format("{}", reached - bound));
}

std::string proof_sentence(const Plan& plan) {
  const Summary& s = plan.summary;
  if (s.cards_used == 0) return "nothing is placed, so there is nothing to prove.";
  const std::int64_t prices = std::ssize(plan.proof.prices);
  std::string text =
      fmt::format("{} in the plan {} that {} at least {} ({}); the plan costs {}.", counted(prices, "price"),
                  prices == 1 ? "shows" : "show", plan.unplaced.empty() ? "all replicas cost" : "what is placed costs",
                  s.cost_lower_bound, counted(s.lower_bound, "card"), s.cost);
  if (plan.proof.search_complete && s.cost > s.cost_lower_bound)
    text += " A complete search found nothing cheaper; that part cannot be re-derived from the file.";
  return text + " 'carve check' re-derives the bound from a plan file.";
}

std::vector<std::string> board_sentences(const Plan& plan) {
  std::vector<std::string> sentences;
  for (const FleetEntry& entry : plan.fleet)
    if (!entry.also_fit.empty())
      sentences.push_back(fmt::format("{} is taken as {}; it would also fit {}", printable(entry.asked), entry.card,
                                      fmt::join(entry.also_fit, ", ")));
  return sentences;
}

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string what_is_left(const Unplaced& left) {
  if (left.rate) return fmt::format("{}: {} of its rate", left.workload, to_string(*left.rate));
  if (left.count <= 1) return fmt::format("{}/{}: 1 replica", left.workload, left.first);
  return fmt::format("{}/{}-{}: {}", left.workload, left.first, left.first + left.count - 1,
                     counted(left.count, "replica"));
}

std::string asked_of(const Workload& workload) {
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
  return fmt::format("{}, {}; {}", count, who, fmt::join(asks, ", "));
}

std::string main_reason(const std::string& workload, const Plan& plan) {
  for (const Chosen& chosen : plan.decisions)
    if (chosen.decision.workload == workload && !chosen.decision.because.empty()) return chosen.decision.because.back();
  return "";
}

Holdings holdings_of(const Plan& plan) {
  Holdings holdings;
  for (const CardClass& card : plan.cards)
    for (const Partition& partition : card.partitions)
      for (const Share& share : partition.shares) {
        const HeldAs manner{card.model, partition.profile, partition.mechanism, share.processes};
        Held& held = holdings[share.workload][manner];
        held.replicas += share.count * card.count();
        held.partitions += card.count();
      }
  return holdings;
}

std::vector<std::string> held_lines(const Holdings& holdings, const std::string& workload, const Plan& plan,
                                    const Style& style) {
  const auto manners = holdings.find(workload);
  if (manners == holdings.end()) return {"nothing"};
  std::vector<std::string> lines;
  for (const auto& [manner, held] : manners->second) lines.push_back(held_text(manner, held, plan, style));
  return lines;
}

std::string_view meaning_of(const std::string& code) {
  for (const FindingCode& known : finding_codes())
    if (known.code == code) return known.meaning;
  return "";
}

}  // namespace carve
