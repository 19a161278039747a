// The answer of `carve plan` from top to bottom: the sentence that matters, the map, what each workload got and why,
// what did not fit, the four questions, findings, the proof.
#include <algorithm>
#include <map>

#include "show/parts.h"

namespace carve {

namespace {

// ---------------------------------------------------------------------------------------------------------- headline

bool one_cost(const Plan& plan) {
  return std::all_of(plan.fleet.begin(), plan.fleet.end(),
                     [&](const FleetEntry& entry) { return entry.cost == plan.fleet.front().cost; });
}

std::int64_t cards_of(const std::vector<FleetEntry>& fleet) {
  std::int64_t cards = 0;
  for (const FleetEntry& entry : fleet) cards += entry.count;
  return cards;
}

// What is known of the minimum. Cards are counted where they all cost the same, else cost is.
std::string bound_sentence(const Plan& plan) {
  const Summary& s = plan.summary;
  const bool cards = one_cost(plan);
  const std::int64_t reached = cards ? s.cards_used : s.cost;
  const std::int64_t bound = cards ? s.lower_bound : s.cost_lower_bound;
  const std::string_view verb = cards ? "use fewer than" : "cost less than";
  const std::string cost = cards ? "" : fmt::format("cost {}; ", s.cost);
  if (reached <= bound) return fmt::format("{}with these mechanisms no plan can {} {}", cost, verb, bound);
  if (s.optimal) return fmt::format("{}the bound is {}, and a complete search found nothing cheaper", cost, bound);
  return fmt::format("{}the bound is {}: at most {} more than needed", cost, bound,
                     cards ? counted(reached - bound, "card") : fmt::format("{}", reached - bound));
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

std::string headline(const Plan& plan, const std::string& file, const Style& style) {
  const Summary& s = plan.summary;
  const std::string on = fmt::format("on {} of {}", s.cards_used, counted(cards_of(plan.fleet), "card"));
  std::string text = paragraph(
      "", fmt::format("{}: {} {}; {}", printable(file), what_is_placed(plan), on, bound_sentence(plan)), style);
  text.pop_back();
  return inked(text, Ink::bold, style) + '\n';
}

// A short name may fit several boards: which one was meant is said, never guessed in silence.
std::string boards(const Plan& plan, const Style& style) {
  std::string text;
  for (const FleetEntry& entry : plan.fleet)
    if (!entry.also_fit.empty())
      text += paragraph("",
                        fmt::format("{} is taken as {}; it would also fit {}", printable(entry.asked), entry.card,
                                    fmt::format("{}", fmt::join(entry.also_fit, ", "))),
                        style);
  return text;
}

// --------------------------------------------------------------------------------------------------------- workloads

// Where replicas of a workload are: partitions of one kind on one model, used in one way.
struct Spot {
  std::string model;
  std::string profile;
  Mechanism mechanism = Mechanism::exclusive;
  int processes = 1;
  auto operator<=>(const Spot&) const = default;
};
struct Held {
  std::int64_t replicas = 0;
  std::int64_t partitions = 0;
};
using Holdings = std::map<std::string, std::map<Spot, Held>>;

Holdings holdings_of(const Plan& plan) {
  Holdings holdings;
  for (const CardClass& card : plan.cards)
    for (const Partition& partition : card.partitions)
      for (const Share& share : partition.shares) {
        const Spot spot{card.model, partition.profile, partition.mechanism, share.processes};
        Held& held = holdings[share.workload][spot];
        held.replicas += share.count * card.count();
        held.partitions += card.count();
      }
  return holdings;
}

// "6 × 2g.20gb", "4 by mps in 1 × 3g.40gb".
std::string held_text(const Spot& spot, const Held& held, const Plan& plan, const Style& style) {
  const std::string_view times = style.unicode ? "×" : "x";
  const std::string partition = spot.profile.empty() ? "whole card" : spot.profile;
  std::string text = fmt::format("{} {} {}", held.partitions, times, partition);
  if (spot.mechanism != Mechanism::exclusive)
    text = fmt::format("{} by {} in {}", held.replicas, to_string(spot.mechanism), text);
  if (spot.processes > 1) text += fmt::format(" with {} processes", spot.processes);
  const bool several = std::any_of(plan.cards.begin(), plan.cards.end(),
                                   [&](const CardClass& card) { return card.model != spot.model; });
  return several ? fmt::format("{} on {}", text, spot.model) : text;
}

std::vector<std::string> held_lines(const std::map<Spot, Held>& spots, const Plan& plan, const Style& style) {
  std::vector<std::string> lines;
  for (const auto& [spot, held] : spots) lines.push_back(held_text(spot, held, plan, style));
  return lines;
}

// The reason that weighs most: the table of needs goes from the common to the particular, so it is the last that holds.
// `carve why` has them all.
std::string reason(const std::string& workload, const Plan& plan) {
  for (const Chosen& chosen : plan.decisions)
    if (chosen.decision.workload == workload && !chosen.decision.because.empty()) return chosen.decision.because.back();
  return "";
}

// Two columns: what the workload got, line by line, and beside it why. Narrow terminals have the reason below.
std::string workloads(const Plan& plan, const Style& style) {
  const Holdings holdings = holdings_of(plan);
  struct Row {
    std::string name;
    std::vector<std::string> got;
    std::string why;
  };
  std::vector<Row> rows;
  int names = 0, gots = 0;
  for (const Workload& workload : plan.workloads) {
    const auto held = holdings.find(workload.name);
    Row row{workload.name, {}, reason(workload.name, plan)};
    if (held != holdings.end()) row.got = held_lines(held->second, plan, style);
    if (row.got.empty()) row.got.emplace_back("nothing");
    names = std::max(names, display_width(row.name));
    for (const std::string& got : row.got) gots = std::max(gots, display_width(got));
    rows.push_back(std::move(row));
  }
  constexpr int gap = 2, readable = 34;
  const int why_width = style.width - names - gots - 2 * gap;
  const bool beside = why_width >= readable;
  std::string text;
  for (Row& row : rows) {
    std::vector<std::string> why = wrapped(row.why, beside ? why_width : std::max(20, style.width - 4));
    if (!beside)
      for (std::string& line : why) line = "    " + line;
    const std::size_t lines = beside ? std::max(row.got.size(), why.size()) : row.got.size();
    for (std::size_t i = 0; i < lines; ++i) {
      std::string line = fitted(i == 0 ? row.name : "", names, Align::left, style) + repeated(" ", gap);
      line += fitted(i < row.got.size() ? row.got[i] : "", gots, Align::left, style);
      if (beside && i < why.size()) line += repeated(" ", gap) + why[i];
      text += line.erase(line.find_last_not_of(' ') + 1) + '\n';
    }
    if (!beside)
      for (const std::string& line : why) text += line + '\n';
  }
  return text;
}

}  // namespace

std::string report(const Plan& plan, const std::string& file, const Style& style) {
  const std::vector<Answer> answered = answers(plan, plan.findings);
  std::vector<Finding> told = plan.findings;
  // boards() and unplaced_text() say these with more detail.
  std::erase_if(told, [](const Finding& f) { return f.code == "card.assumed" || f.code == "unplaced"; });
  const std::string map = map_of(plan, style);
  std::string text = headline(plan, file, style) + boards(plan, style);
  for (const std::string& part :
       {map, workloads(plan, style), unplaced_text(plan, style), answers_text(answered, style),
        findings_text(told, Detail::brief, style), proof_text(plan, style)})
    if (!part.empty()) text += '\n' + part;
  return text;
}

}  // namespace carve
