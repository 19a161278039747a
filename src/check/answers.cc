// The four questions. Each is answered from the findings behind it: no error and no warning means yes; the figures are
// counted from the plan. Trust that a file weakens on purpose is matched by what it gets, so there only errors mean no.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/asks.h"
#include "check/check.h"

namespace carve {

namespace {

bool concerns(const Finding& finding, std::initializer_list<std::string_view> areas) {
  return finding.severity != Severity::info &&
         std::any_of(areas.begin(), areas.end(), [&](std::string_view area) { return finding.code.starts_with(area); });
}

// The codes of what speaks against a yes, each once with its count.
std::string against(const std::vector<Finding>& findings, std::initializer_list<std::string_view> areas) {
  std::map<std::string_view, int> codes;
  for (const Finding& finding : findings) {
    if (concerns(finding, areas)) ++codes[finding.code];
  }
  std::vector<std::string> parts;
  for (const auto& [code, count] : codes)
    parts.push_back(count == 1 ? std::string(code) : fmt::format("{} ×{}", code, count));
  return fmt::format("{}", fmt::join(parts, ", "));
}

Answer answer(std::string key, std::string question, const std::string& reasons, const std::string& figures) {
  const bool yes = reasons.empty();
  return {std::move(key), std::move(question), yes,
          yes ? fmt::format("yes: {}", figures) : fmt::format("no: {} ({})", figures, reasons)};
}

// Calls the function with every partition and the number of cards that have it.
template <class Function>
void each_partition(const Plan& plan, const Function& function) {
  for (const CardClass& cards : plan.cards) {
    for (const Partition& partition : cards.partitions) function(partition, cards.count());
  }
}

std::string trust_figures(const Plan& plan) {
  std::set<std::string_view> tenants;
  std::map<std::string_view, std::int64_t> own;  // shares of replicas that are tenants of their own, by workload
  std::int64_t shared = 0;                       // partitions with several replicas
  std::int64_t all = 0;
  each_partition(plan, [&](const Partition& partition, std::int64_t count) {
    all += count;
    if (partition.mechanism != Mechanism::exclusive) shared += count;
    for (const Share& share : partition.shares) {
      if (share.tenant_each)
        own[share.workload] += share.count * count;
      else
        tenants.insert(share.tenant);
    }
  });
  std::int64_t single = 0;
  for (const auto& [name, shares] : own) {
    const Workload* workload = find_workload(plan, name);
    single += workload != nullptr && workload->cards > 1 ? shares / workload->cards : shares;
  }
  std::string who = counted(static_cast<std::int64_t>(tenants.size()), "tenant");
  if (single > 0) who += fmt::format(" and {} on their own", counted(single, "replica"));
  return fmt::format("{} on {}, {} of them shared", who, counted(all, "partition"), shared);
}

// A measured row without memory counts as all of its partition, for want of a figure.
bool fills_by_measurement(const Plan& plan, const Partition& partition) {
  const Workload* workload = find_workload(plan, partition.shares.front().workload);
  return workload != nullptr && workload->is_measured() && partition.shares.front().memory == partition.memory;
}

std::string memory_figures(const Plan& plan) {
  Mib all;
  Mib left;
  std::int64_t fullest = 0;  // percent
  each_partition(plan, [&](const Partition& partition, std::int64_t count) {
    all += partition.memory * count;
    left += stranded(partition) * count;
    if (partition.memory.value > 0 && !partition.shares.empty() && !fills_by_measurement(plan, partition)) {
      fullest = std::max(fullest, 100 * (partition.memory - stranded(partition)).value / partition.memory.value);
    }
  });
  if (all == Mib{}) return "nothing is placed";
  const std::string use = fullest == 0 ? "how full the partitions are was not measured"
                                       : fmt::format("the fullest partition is at {} %", fullest);
  return fmt::format("{}, {} of {} are stranded", use, to_string(left), to_string(all));
}

std::string stall_figures(const Plan& plan) {
  std::int64_t partitions = 0;
  std::int64_t replicas = 0;
  Permille busiest;
  each_partition(plan, [&](const Partition& partition, std::int64_t count) {
    if (partition.mechanism != Mechanism::time_slicing) return;
    partitions += count;
    Permille duty;
    for (const Share& share : partition.shares) {
      replicas += share.count * count;
      const Workload* workload = find_workload(plan, share.workload);
      if (workload != nullptr) duty += duty_asked(*workload) * share.count;
    }
    busiest = std::max(busiest, duty);
  });
  if (partitions == 0) return "nothing is time-sliced";
  return fmt::format("{} take turns on {}, the busiest with duties of {}; {} is the limit",
                     counted(replicas, "replica"), counted(partitions, "time-sliced partition"), to_string(busiest),
                     to_string(plan.limits.duty));
}

std::string scheduler_figures(const Plan& plan) {
  std::set<std::string> names;
  std::set<std::string_view> hosts;
  std::int64_t all = 0;
  each_partition(plan, [&](const Partition& partition, std::int64_t count) {
    all += count;
    std::string name = resource_name(partition.profile);
    if (partition.mechanism != Mechanism::exclusive && !partition.shares.empty()) {
      name += fmt::format(".shared.{}", partition.shares.front().tenant);
    }
    names.insert(std::move(name));
  });
  for (const CardClass& cards : plan.cards) {
    for (const Position& position : cards.positions) hosts.insert(position.node);
  }
  return fmt::format("{} under {} on {}", counted(all, "partition"),
                     counted(static_cast<std::int64_t>(names.size()), "resource name"),
                     counted(static_cast<std::int64_t>(hosts.size()), "host"));
}

Answer trust_answer(const Plan& plan, const std::vector<Finding>& findings) {
  constexpr std::string_view question = "does each tenant's mechanism match its trust level?";
  const bool error = std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.severity == Severity::error && concerns(finding, {"trust.", "objective."});
  });
  const std::string reasons = against(findings, {"trust.", "objective."});
  if (error || reasons.empty()) return answer("trust", std::string(question), reasons, trust_figures(plan));
  return {"trust", std::string(question), true,
          fmt::format("yes, as far as the file asks for it: {} ({})", trust_figures(plan), reasons)};
}

}  // namespace

std::vector<Answer> answers(const Plan& plan, const std::vector<Finding>& findings) {
  return {trust_answer(plan, findings),
          answer("memory", "do the profiles fit, with neither out-of-memory nor tens of GB stranded?",
                 against(findings, {"memory.", "unplaced"}), memory_figures(plan)),
          answer("stall", "is a stall accepted wherever time slicing is used?", against(findings, {"stall."}),
                 stall_figures(plan)),
          answer("scheduler", "can a scheduler see and place each partition?", against(findings, {"scheduler."}),
                 scheduler_figures(plan))};
}

}  // namespace carve
