// The two tables and the limits beside them, as data. Their text is what `carve mechanisms` and the docs print.

#include <algorithm>

#include "policy/policy.h"

namespace carve {

namespace {

constexpr Cell yes{true, ""};
constexpr Cell no{false, ""};
constexpr Cell only(std::string_view condition) { return {true, condition}; }
constexpr Cell not_quite(std::string_view why) { return {false, why}; }

constexpr std::string_view client_limit_set = "with a limit on every client, which carve sets";

//                    key, meaning,                                  time slicing, MPS, MIG, card
constexpr std::array<GuaranteeRow, guarantee_count> guarantee_rows{{
    {Guarantee::fault,
     "fault",
     "fault containment: a neighbour's crash stays his",
     {only("normally"), not_quite("a fatal fault ends all clients of the server"),
      only("but for Xids that take the card"), yes}},
    {Guarantee::oom, "oom", "out-of-memory containment", {no, only(client_limit_set), yes, yes}},
    {Guarantee::memory, "memory", "memory no other can take", {no, only(client_limit_set), yes, yes}},
    {Guarantee::compute,
     "compute",
     "compute no other can take",
     {no, not_quite("a percentage caps, it does not reserve"), yes, yes}},
    {Guarantee::bandwidth, "bandwidth", "cache and bandwidth of its own", {no, no, yes, yes}},
    {Guarantee::power, "power", "power, clock and PCIe of its own", {no, no, no, yes}},
    {Guarantee::concurrent, "concurrent", "runs at the same time as its neighbours", {no, yes, yes, yes}},
}};

constexpr Guarantees wall_of_its_own{Guarantee::fault, Guarantee::oom, Guarantee::memory, Guarantee::compute};
constexpr Guarantees latency_needs{Guarantee::memory, Guarantee::compute, Guarantee::bandwidth};
constexpr Guarantees team_trust{Guarantee::fault, Guarantee::compute, Guarantee::bandwidth};

bool best_effort(const Workload& w) { return w.objective.kind == ObjectiveKind::best_effort; }

}  // namespace

const std::array<GuaranteeRow, guarantee_count>& guarantee_table() { return guarantee_rows; }

// Folded from top to bottom: needs are added, then drops taken away. So `cooperative` gives up only what the objective
// asked for, and the rows below it stand whatever the team agreed on.
const std::vector<NeedRow>& need_table() {
  static const std::vector<NeedRow> rows{
      {"a latency objective",
       latency_needs,
       {},
       "needs memory, compute, cache and bandwidth of its own",
       [](const Workload& w) { return w.objective.is_latency() && w.cards == 0; }},
      {"throughput",
       {Guarantee::concurrent},
       {},
       "needs to run at the same time as its neighbours",
       [](const Workload& w) { return w.objective.kind == ObjectiveKind::throughput && w.cards == 0; }},
      {"best effort",
       {Guarantee::fault},
       {},
       "needs only that a neighbour's crash stays his",
       [](const Workload& w) { return best_effort(w) && w.cards == 0; }},
      {"best effort without `interruptible`",
       {Guarantee::concurrent},
       {},
       "has not accepted a stall, so it runs at the same time as its neighbours",
       [](const Workload& w) { return best_effort(w) && !w.interruptible && w.cards == 0; }},
      {"`isolation: cooperative`",
       {},
       team_trust,
       "drops fault containment, reserved compute and bandwidth towards its own tenant",
       [](const Workload& w) { return w.isolation == Isolation::cooperative; }},
      {"`isolation: hard`",
       wall_of_its_own,
       {},
       "asks for a wall of its own",
       [](const Workload& w) { return w.isolation == Isolation::hard; }},
      {"anyone, towards another tenant (`tenant: each`)",
       wall_of_its_own,
       {},
       "has only other tenants for neighbours, so a wall stands around every replica",
       [](const Workload& w) { return w.tenant_each; }},
      {"a replica of several processes",
       wall_of_its_own,
       {},
       "gets a private MPS daemon in a partition of its own",
       [](const Workload& w) { return w.processes > 1; }},
      {"a measured table",
       wall_of_its_own,
       {},
       "holds for the only user of a partition",
       [](const Workload& w) { return w.is_measured(); }},
      {"`isolation: card`",
       wall_of_its_own | Guarantees{Guarantee::bandwidth, Guarantee::power},
       {},
       "asks for power and clock of its own too",
       [](const Workload& w) { return w.isolation == Isolation::card; }},
      {"`cards:`",
       wall_of_its_own | Guarantees{Guarantee::bandwidth, Guarantee::power},
       {},
       "asks for whole cards",
       [](const Workload& w) { return w.cards > 0; }},
  };
  return rows;
}

const std::vector<MechanismLimit>& limit_table() {
  static const std::vector<MechanismLimit> rows{
      {"MIG", "as many devices as the profile allows, at most seven on most cards; fixed shapes"},
      {"MIG", "a partition is resized by draining it, and it cannot grow over an occupied neighbour"},
      {"MPS",
       "48 clients per card (60 from CUDA 13.1), fewer inside a MIG device: scaled by compute slices (inferred)"},
      {"MPS", "a changed share holds for new clients; running ones keep theirs"},
      {"MPS", "one server per partition, for one tenant only"},
      {"time slicing", "duties in a partition sum to at most 70 %, unless `limits:` says otherwise"},
      {"time slicing", "memory peaks add up; on most drivers nothing else holds them below what there is"},
      {"card", "who wants 90 % of a card's memory or SMs has it alone: sharing has nothing for it"},
      {"card", "whole cards are placed by your scheduler; carve keeps them out of what it cuts"},
  };
  return rows;
}

std::string_view to_string(Guarantee g) { return guarantee_rows[static_cast<std::size_t>(g)].key; }

Guarantees given_by(Choice choice) {
  Guarantees given;
  for (const GuaranteeRow& row : guarantee_rows)
    if (row.by_choice[static_cast<std::size_t>(choice)].given) given = given | Guarantees{row.guarantee};
  return given;
}

std::vector<Guarantee> Guarantees::list() const {
  std::vector<Guarantee> members;
  for (const GuaranteeRow& row : guarantee_rows)
    if (has(row.guarantee)) members.push_back(row.guarantee);
  return members;
}

std::string_view to_string(Wall wall) { return wall == Wall::card ? "card" : "mig"; }

std::string_view to_string(Mechanism mechanism) {
  constexpr std::array<std::string_view, 3> names{"exclusive", "mps", "time-slicing"};
  return names[static_cast<std::size_t>(mechanism)];
}

std::string_view to_string(Choice choice) {
  constexpr std::array<std::string_view, 4> names{"time-slicing", "mps", "mig", "card"};
  return names[static_cast<std::size_t>(choice)];
}

std::string_view title(Choice choice) {
  constexpr std::array<std::string_view, 4> names{"time slicing", "MPS", "MIG, exclusive", "card, exclusive"};
  return names[static_cast<std::size_t>(choice)];
}

int mps_client_limit(const Limits& limits, int compute_slices, int of_slices) {
  return std::max(1, limits.mps_clients * compute_slices / of_slices);
}

}  // namespace carve
