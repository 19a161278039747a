// Random small instances: the packer's cost equals that of trying everything, and the checker accepts every plan.
// Failing instances are shrunk. RC_PARAMS="max_success=2000" runs the long suite.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "check/check.h"
#include "pack/exhaustive.h"
#include "pack/pack.h"

namespace carve {

namespace {

struct Spec {
  int replicas = 1;
  int memory_gib = 1;
  int compute_percent = 0;  // 0: none
  int objective = 0;
  int tenant = 0;
  int isolation = 0;
  int duty_percent = 10;
};

std::ostream& operator<<(std::ostream& out, const Spec& s) {
  return out << "{replicas " << s.replicas << ", " << s.memory_gib << " GiB, " << s.compute_percent << " %, objective "
             << s.objective << ", tenant " << s.tenant << ", isolation " << s.isolation << ", duty " << s.duty_percent
             << "}";
}

rc::Gen<Spec> spec() {
  return rc::gen::build<Spec>(
      rc::gen::set(&Spec::replicas, rc::gen::inRange(1, 5)),
      rc::gen::set(&Spec::memory_gib,
                   rc::gen::weightedElement<int>({{4, 2}, {4, 5}, {3, 9}, {3, 18}, {2, 30}, {1, 70}, {1, 90}})),
      rc::gen::set(&Spec::compute_percent, rc::gen::element(0, 0, 8, 15, 20, 40, 95)),
      rc::gen::set(&Spec::objective, rc::gen::inRange(0, 4)), rc::gen::set(&Spec::tenant, rc::gen::inRange(0, 3)),
      rc::gen::set(&Spec::isolation, rc::gen::weightedElement<int>({{5, 0}, {2, 1}, {1, 2}, {1, 3}})),
      rc::gen::set(&Spec::duty_percent, rc::gen::element(5, 20, 30, 50, 100)));
}

Workload workload_of(const Spec& spec, int number) {
  Workload w;
  w.name = std::string("w") + static_cast<char>('a' + number);
  w.tenant_each = spec.tenant == 2;
  if (!w.tenant_each) w.tenant = spec.tenant == 0 ? "red" : "blue";
  w.replicas = spec.replicas;
  w.memory = Mib{spec.memory_gib * 1024};
  if (spec.compute_percent > 0) w.compute = ComputeShare{Permille{spec.compute_percent * 10}};
  switch (spec.objective) {
    case 0:
      w.objective = {ObjectiveKind::p99, Micros{60000}};
      break;
    case 1:
      w.objective = {ObjectiveKind::throughput, {}};
      break;
    default:
      w.objective = {ObjectiveKind::best_effort, {}};
      break;
  }
  w.interruptible = spec.objective == 3;
  w.duty = Permille{spec.duty_percent * 10};
  constexpr Isolation isolations[] = {Isolation::derived, Isolation::cooperative, Isolation::hard, Isolation::card};
  w.isolation = isolations[spec.isolation];
  if (w.tenant_each && w.isolation == Isolation::cooperative) w.isolation = Isolation::derived;
  return w;
}

// At most four cards and twelve replicas.
WorkloadFile file_of(const std::vector<Spec>& specs, const std::vector<int>& cards) {
  WorkloadFile file;
  std::int64_t replicas = 0;
  for (const Spec& spec : specs) {
    if (file.workloads.size() == 5 || replicas + spec.replicas > 12) break;
    replicas += spec.replicas;
    file.workloads.push_back(workload_of(spec, static_cast<int>(file.workloads.size())));
  }
  struct Offer {
    const char* card;
    std::int64_t cost;
  };
  constexpr Offer offers[] = {{"h100-sxm5-80gb", 1000}, {"a100-80gb", 700}, {"a30-24gb", 200}, {"t4-16gb", 100}};
  std::array<std::int64_t, 4> count{};
  for (std::size_t i = 0; i < cards.size() && i < 4; ++i) ++count[static_cast<std::size_t>(cards[i])];
  for (std::size_t i = 0; i < 4; ++i)
    if (count[i] > 0) file.fleet.push_back({offers[i].card, offers[i].card, {}, count[i], offers[i].cost, 1});
  return file;
}

}  // namespace

RC_GTEST_PROP(Pack, CostsWhatTryingEverythingCosts, ()) {
  const auto specs = *rc::gen::nonEmpty(rc::gen::container<std::vector<Spec>>(spec()));
  const auto cards = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<int>>(rc::gen::weightedElement<int>({{4, 0}, {3, 1}, {2, 2}, {1, 3}})));
  const WorkloadFile file = file_of(specs, cards);
  RC_PRE(!file.workloads.empty());

  const auto plan = pack(file);
  RC_ASSERT(plan.has_value());
  const exhaustive::Best best = exhaustive::best(file);
  RC_ASSERT(plan->summary.placed == best.placed);
  RC_ASSERT(plan->summary.cost == best.cost);
  RC_CLASSIFY(plan->summary.optimal, "proven to be the least");
  RC_ASSERT(plan->summary.cost_lower_bound <= best.cost);

  const Verification verification = verify(*plan);
  for (const Violation& violation : verification.violations)
    RC_LOG() << violation.subject << ": " << violation.message << "\n";
  RC_ASSERT(verification.violations.empty());
  RC_ASSERT(verification.cost_lower_bound == plan->summary.cost_lower_bound);
}

}  // namespace carve
