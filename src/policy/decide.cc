// The choice: fold the needs, take the first choice in the order of all_choices that gives them all. What would have to
// change for a refused choice is found by trying: the same table is asked again with one key changed, then with two,
// then with three.

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policy/policy.h"

namespace carve {

namespace {

Guarantees needs_of(const Workload& workload) {
  Guarantees needs;
  for (const NeedRow& row : need_table())
    if (row.applies(workload)) needs = (needs | row.needs) - row.drops;
  return needs;
}

std::string_view objective_name(ObjectiveKind kind) {
  switch (kind) {
    case ObjectiveKind::p50:
      return "p50";
    case ObjectiveKind::p95:
      return "p95";
    case ObjectiveKind::p99:
      return "p99";
    case ObjectiveKind::throughput:
      return "throughput";
    case ObjectiveKind::best_effort:
      return "best effort";
  }
  return "";
}

// "p99 60 ms", "throughput", "`isolation: hard`": who speaks in a reason.
std::string who(const NeedRow& row, const Workload& workload) {
  if (row.who == "a latency objective")
    return fmt::format("{} {}", objective_name(workload.objective.kind), to_string(workload.objective.target));
  return std::string(row.who);
}

std::vector<std::string> reasons(const Workload& workload) {
  std::vector<std::string> because;
  for (const NeedRow& row : need_table())
    if (row.applies(workload)) because.push_back(fmt::format("{} {}", who(row, workload), row.because));
  return because;
}

// One edit of a workload that a person could make.
struct Edit {
  std::string_view text;
  bool (*possible)(const Workload&);
  void (*make)(Workload&);
};

constexpr Edit edits[] = {
    {"`interruptible: true`", [](const Workload& w) { return !w.interruptible; },
     [](Workload& w) { w.interruptible = true; }},
    {"`isolation: cooperative`", [](const Workload& w) { return w.isolation != Isolation::cooperative; },
     [](Workload& w) { w.isolation = Isolation::cooperative; }},
    {"no `isolation:`",
     [](const Workload& w) { return w.isolation == Isolation::hard || w.isolation == Isolation::card; },
     [](Workload& w) { w.isolation = Isolation::derived; }},
    {"`objective: throughput`", [](const Workload& w) { return w.objective.kind != ObjectiveKind::throughput; },
     [](Workload& w) {
       w.objective = {ObjectiveKind::throughput, {}};
     }},
    {"`objective: best-effort`", [](const Workload& w) { return w.objective.kind != ObjectiveKind::best_effort; },
     [](Workload& w) {
       w.objective = {ObjectiveKind::best_effort, {}};
     }},
    {"one `tenant:` for all replicas, if they do trust each other", [](const Workload& w) { return w.tenant_each; },
     [](Workload& w) { w.tenant_each = false; }},
    {"`processes: 1`", [](const Workload& w) { return w.processes > 1; }, [](Workload& w) { w.processes = 1; }},
    {"`replicas:` and `memory:` in place of `rate:` and `measured:`", [](const Workload& w) { return w.is_measured(); },
     [](Workload& w) { w.measured.clear(); }},
    {"no `cards:`", [](const Workload& w) { return w.cards > 0; }, [](Workload& w) { w.cards = 0; }},
};

// A stall breaks a latency objective; the reader refuses the two together, so no advice may lead there.
bool contradictory(const Workload& w) {
  return (w.interruptible && w.objective.is_latency()) || (w.tenant_each && w.isolation == Isolation::cooperative) ||
         (w.cards > 0 && w.isolation == Isolation::cooperative);
}

bool allows(Choice choice, const Workload& workload) {
  return !contradictory(workload) && (needs_of(workload) - given_by(choice)).empty();
}

// The fewest edits after which the table allows the choice, as a sentence; at most three, then nothing short exists.
std::string edits_that_allow(Choice choice, const Workload& workload) {
  std::vector<std::pair<Workload, std::vector<std::string_view>>> tried{{workload, {}}};
  for (int depth = 0; depth < 3; ++depth) {
    std::vector<std::pair<Workload, std::vector<std::string_view>>> next;
    for (const auto& [base, texts] : tried)
      for (const Edit& edit : edits) {
        if (!edit.possible(base)) continue;
        auto [changed, with] = std::pair(base, texts);
        edit.make(changed);
        with.push_back(edit.text);
        if (allows(choice, changed)) return fmt::format("{}", fmt::join(with, " with "));
        next.emplace_back(std::move(changed), std::move(with));
      }
    tried = std::move(next);
  }
  return "";
}

// No smaller partition of the card holds the workload. How many clients an MPS server takes is settable, and no reason;
// a measured workload goes where its table says.
bool only_card_holds(const Workload& workload, const CardModel& card) {
  if (workload.is_measured()) return false;
  const std::vector<PartitionKind> kinds = partition_kinds(card);
  return std::none_of(kinds.begin(), kinds.end(), [&](const PartitionKind& kind) {
    const Misfit misfit = fit(workload, card, kind, Limits{}).misfit;
    return kind.wall == Wall::mig && (misfit == Misfit::none || misfit == Misfit::clients);
  });
}

bool available(Choice choice, const CardModel& card) { return choice != Choice::mig || card.can_be_cut(); }

constexpr std::string_view nothing_left = "wants 90 % of a card or more, so sharing has nothing for it";

Refusal refuse(Choice choice, Choice chosen, const Workload& workload, const CardModel& card) {
  Refusal refusal;
  refusal.choice = choice;
  refusal.missing = needs_of(workload) - given_by(choice);
  if (!available(choice, card)) {
    refusal.why = card.has_mig() ? fmt::format("where {} can be cut is not publicly known", card.id)
                                 : fmt::format("{} has no MIG", card.id);
    refusal.would_allow = card.has_mig() ? "a live card: its driver tells" : "a card with MIG in the fleet";
    return refusal;
  }
  if (refusal.missing.empty() && fills_card(workload, card)) {
    refusal.why = std::string(nothing_left);
    refusal.would_allow = "less `memory` and `compute` than 90 % of a card";
    return refusal;
  }
  if (refusal.missing.empty() && choice == Choice::mig && chosen == Choice::card) {
    refusal.why = fmt::format("no partition of {} that is smaller than the card holds it", card.id);
    return refusal;
  }
  if (refusal.missing.empty()) {
    refusal.why = fmt::format("would do too, but {} takes a smaller part of a card", title(chosen));
    return refusal;
  }
  std::vector<std::string> lacks;
  for (const Guarantee missing : refusal.missing.list()) {
    const GuaranteeRow& row = guarantee_table()[static_cast<std::size_t>(missing)];
    const Cell& cell = row.by_choice[static_cast<std::size_t>(choice)];
    lacks.push_back(cell.condition.empty() ? std::string(row.meaning)
                                           : fmt::format("{} ({})", row.meaning, cell.condition));
  }
  refusal.why = fmt::format("does not give: {}", fmt::join(lacks, "; "));
  refusal.would_allow = edits_that_allow(choice, workload);
  return refusal;
}

}  // namespace

Decision decide(const Workload& workload, const CardModel& card) {
  Decision decision;
  decision.workload = workload.name;
  decision.card = card.id;
  decision.because = reasons(workload);
  if (fills_card(workload, card)) decision.because.emplace_back(nothing_left);
  const Guarantees needs = needs_of(workload);
  for (const Choice choice : all_choices) {
    if (!available(choice, card) || !(needs - given_by(choice)).empty()) continue;
    if (choice != Choice::card && fills_card(workload, card)) continue;
    if (choice == Choice::mig && only_card_holds(workload, card)) {
      decision.because.push_back(fmt::format("no smaller partition of {} holds it", card.id));
      continue;
    }
    decision.choice = choice;
    break;  // Choice::card gives everything, so one is always found
  }
  for (const Choice choice : all_choices)
    if (choice != decision.choice) decision.refused.push_back(refuse(choice, decision.choice, workload, card));
  return decision;
}

}  // namespace carve
