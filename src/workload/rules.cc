// What contradicts itself in a workload: one row each. The first column is the key whose place is shown.
#include "workload/reader.h"

namespace carve {

namespace {

struct Rule {
  std::string_view key;
  bool (*broken)(const Draft&);
  std::string_view message;
  std::string_view help;
};

bool is_best_effort(const Draft& d) { return d.workload.objective.kind == ObjectiveKind::best_effort; }
bool is_latency(const Draft& d) { return d.workload.objective.is_latency(); }
bool wants_cards(const Draft& d) { return d.workload.cards > 0; }
bool is_measured(const Draft& d) { return d.has("measured"); }

constexpr Rule rules[] = {
    {"pin", [](const Draft& d) { return d.record.knows("pin") && d.has("pin"); }, "`pin` is not supported yet",
     "remove it: a plan chooses the cards"},
    {"spread", [](const Draft& d) { return d.record.knows("spread") && d.has("spread"); },
     "`spread` is not supported yet", "remove it: a plan chooses the cards"},

    // How many there are.
    {"replicas", [](const Draft& d) { return !d.has("replicas") && !d.has("rate"); },
     "neither `replicas` nor `rate`: how many is not said", "add `replicas: 2`, or `rate: 100/s` with `measured`"},
    {"rate", [](const Draft& d) { return d.has("replicas") && d.has("rate"); },
     "`replicas` and `rate` contradict each other: a rate decides how many there are", "remove one of the two"},
    {"rate", [](const Draft& d) { return d.has("rate") && !is_measured(d) && !d.has("replicas"); },
     "`rate` without `measured`: what one partition serves is not known",
     "name a measured table, or write `replicas` instead"},
    {"measured", [](const Draft& d) { return is_measured(d) && !d.has("rate") && d.has("replicas"); },
     "`measured` with `replicas`: a measured table is read against a rate", "write `rate` instead of `replicas`"},
    {"rate", [](const Draft& d) { return d.has("rate") && is_best_effort(d); },
     "`rate` contradicts `objective: best-effort`: a rate is promised, and best effort promises nothing",
     "write `objective: throughput`, or a latency such as {p99: 60ms}"},

    // A measured row says what a whole partition does; nothing may say it again.
    {"memory", [](const Draft& d) { return is_measured(d) && d.has("memory"); },
     "`memory` contradicts `measured`: the table's memory_mib decides", "remove `memory`"},
    {"compute", [](const Draft& d) { return is_measured(d) && d.has("compute"); },
     "`compute` contradicts `measured`: the table's profiles decide", "remove `compute`"},
    {"processes", [](const Draft& d) { return is_measured(d) && d.has("processes") && d.workload.processes > 1; },
     "`processes` contradicts `measured`: the table's processes decide", "write `max_processes` to cap them"},
    {"duty", [](const Draft& d) { return is_measured(d) && d.has("duty"); },
     "`duty` contradicts `measured`: a measured row fills its partition", "remove `duty`"},
    {"interruptible", [](const Draft& d) { return is_measured(d) && d.workload.interruptible; },
     "`interruptible` contradicts `measured`: a measured row fills its partition", "remove `interruptible`"},
    {"max_processes", [](const Draft& d) { return !is_measured(d) && d.has("max_processes"); },
     "`max_processes` without `measured`: it caps the rows of a measured table", "remove it, or name the table"},
    {"latency_margin", [](const Draft& d) { return !is_measured(d) && d.has("latency_margin"); },
     "`latency_margin` without `measured`: it compares measured latencies", "remove it, or name the table"},
    {"latency_margin",
     [](const Draft& d) { return is_measured(d) && d.workload.latency_margin < Permille{1000} && !is_latency(d); },
     "`latency_margin` without a latency objective", "remove it, or write an objective such as {p99: 60ms}"},

    // Whole cards are not shared, so nothing says how.
    {"compute", [](const Draft& d) { return wants_cards(d) && d.has("compute"); },
     "`compute` contradicts `cards`: whole cards have all their SMs", "remove one of the two"},
    {"measured", [](const Draft& d) { return wants_cards(d) && is_measured(d); },
     "`measured` contradicts `cards`: a table measures parts of one card", "remove one of the two"},
    {"processes", [](const Draft& d) { return wants_cards(d) && d.workload.processes > 1; },
     "`processes` contradicts `cards`: whole cards are not divided between processes", "remove one of the two"},
    {"isolation",
     [](const Draft& d) {
       return wants_cards(d) && d.workload.isolation != Isolation::derived && d.workload.isolation != Isolation::card;
     },
     "`isolation` contradicts `cards`: whole cards are isolated as cards", "remove `isolation`"},
    {"interruptible", [](const Draft& d) { return wants_cards(d) && d.workload.interruptible; },
     "`interruptible` contradicts `cards`: whole cards are not time-sliced", "remove one of the two"},
    {"duty", [](const Draft& d) { return wants_cards(d) && d.has("duty"); },
     "`duty` contradicts `cards`: whole cards are not time-sliced", "remove one of the two"},

    {"memory", [](const Draft& d) { return !d.has("memory") && !is_measured(d) && !wants_cards(d); },
     "no `memory`: whether it fits cannot be told",
     "add `memory`, the peak of one replica as `nvidia-smi` shows it, as in 18GiB"},
    {"context", [](const Draft& d) { return d.has("context") && d.workload.processes == 1; },
     "`context` without `processes`: it is memory for processes beyond the first", "add `processes: 2` or more"},
    {"interruptible", [](const Draft& d) { return d.workload.interruptible && is_latency(d); },
     "`interruptible` contradicts a latency objective: a stall of one time slice breaks it",
     "remove `interruptible`, or write `objective: best-effort`"},
    {"isolation",
     [](const Draft& d) { return d.workload.isolation == Isolation::cooperative && d.workload.tenant_each; },
     "`isolation: cooperative` contradicts `tenant: each`: replicas that do not trust each other do not cooperate",
     "name the tenant, or remove `isolation`"},
};

}  // namespace

void check_rules(const Draft& draft, Errors& errors) {
  for (const Rule& rule : rules)
    if (rule.broken(draft))
      errors.add(error_at(draft.record, rule.key, std::string(rule.message), std::string(rule.help)));
  if (const auto service = draft.record.record("service");
      service && service->has("clients") && service->has("arrivals"))
    errors.add(error_at(*service, "arrivals", "`arrivals` contradicts `clients`: clients ask when they were answered",
                        "remove one of the two"));
}

}  // namespace carve
