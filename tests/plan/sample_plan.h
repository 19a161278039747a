// One valid plan with everything that a plan can hold, made by hand: two models, MPS, time slicing, private daemons, a
// tenant of its own for each replica, whole cards, a measured row, classes of several cards.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plan/plan.h"

namespace carve::sample {

constexpr Mib gib(std::int64_t count) { return Mib{count * 1024}; }

inline Workload workload(std::string name, std::string tenant, std::int64_t replicas, Mib memory) {
  Workload w;
  w.name = std::move(name);
  w.tenant = std::move(tenant);
  w.replicas = replicas;
  w.memory = memory;
  return w;
}

inline std::vector<Workload> workloads() {
  std::vector<Workload> all;
  Workload big = workload("big", "search", 1, gib(100));
  big.cards = 2;
  all.push_back(big);
  Workload noise = workload("noise", "research", 1, gib(20));
  noise.isolation = Isolation::card;
  noise.compute = ComputeShare{Permille{100}};
  all.push_back(noise);
  Workload notebooks = workload("notebooks", "research", 6, gib(5));
  notebooks.interruptible = true;
  notebooks.duty = Permille{200};
  all.push_back(notebooks);
  Workload ranks = workload("ranks", "search", 2, gib(10));
  ranks.processes = 8;
  ranks.context = Mib{256};
  ranks.objective = {ObjectiveKind::throughput, {}};
  all.push_back(ranks);
  Workload reranker = workload("reranker", "search", 2, gib(18));
  reranker.compute = ComputeShare{Permille{200}};
  reranker.objective = {ObjectiveKind::p99, Micros{60'000}};
  all.push_back(reranker);
  Workload served = workload("served", "vision", 0, {});
  served.memory.reset();
  served.rate = MilliPerSecond{150'000};
  served.objective = {ObjectiveKind::p99, Micros{100'000}};
  served.latency_margin = Permille{500};
  served.max_processes = 3;
  served.measured_file = "served.csv";
  served.measured = {{"a100-80gb", "3g.40gb", 2, 4, MilliPerSecond{100'000}, Micros{40'000}, std::nullopt},
                     {"a100-80gb", "3g.40gb", 4, 4, MilliPerSecond{180'000}, Micros{49'000}, std::nullopt},
                     {"a100-80gb", "4g.40gb", 2, 8, MilliPerSecond{120'000}, Micros{60'000}, gib(12)}};
  all.push_back(served);
  Workload students = workload("students", "", 2, gib(5));
  students.tenant_each = true;
  students.compute = ComputeSlices{1};
  all.push_back(students);
  Workload trainer = workload("trainer", "search", 2, gib(9));
  trainer.compute = ComputePerModel{{{"a100-80gb", Permille{200}}, {"h100-sxm5-80gb", Permille{150}}}};
  trainer.objective = {ObjectiveKind::throughput, {}};
  all.push_back(trainer);
  return all;
}

inline Share share(const std::string& name, const std::string& tenant, std::int64_t count, Mib memory) {
  Share s;
  s.workload = name;
  s.tenant = tenant;
  s.count = count;
  s.memory = memory;
  return s;
}

inline Partition instance(std::string profile, Placement placement, Mib memory, std::vector<Share> shares) {
  return {Wall::mig, std::move(profile), placement, Mechanism::exclusive, memory, std::move(shares)};
}

inline Partition whole(Mib memory, std::vector<Share> shares) {
  return {Wall::card, "", std::nullopt, Mechanism::exclusive, memory, std::move(shares)};
}

// Reranker twice, two trainers under MPS.
inline CardClass serving_card() {
  Share first = share("reranker", "search", 1, gib(18));
  first.compute = Permille{200};
  Share second = first;
  second.first = 1;
  Share trainers = share("trainer", "search", 2, gib(9));
  trainers.compute = Permille{150};
  trainers.memory_limit = gib(9) + Mib{256};
  trainers.thread_percent = 34;  // 20 of 60 SMs
  Partition mps = instance("3g.40gb", {4, 4}, Mib{40448}, {trainers});
  mps.mechanism = Mechanism::mps;
  return {"h100-sxm5-80gb",
          true,
          {{"node-0", 0}},
          {instance("2g.20gb", {0, 2}, Mib{20096}, {first}), instance("2g.20gb", {2, 2}, Mib{20096}, {second}), mps}};
}

// Two cards alike: a student, ranks with a private daemon, three notebooks that take turns.
inline CardClass mixed_cards() {
  Share student = share("students", "", 1, gib(5));
  student.tenant_each = true;
  Share ranks = share("ranks", "search", 1, gib(10) + Mib{7 * 256});
  ranks.processes = 8;
  Partition notebooks = instance("3g.40gb", {4, 4}, Mib{40448}, {share("notebooks", "research", 3, gib(5))});
  notebooks.mechanism = Mechanism::time_slicing;
  return {
      "h100-sxm5-80gb",
      true,
      {{"node-0", 1}, {"node-1", 0}},
      {instance("1g.10gb", {0, 1}, Mib{9984}, {student}), instance("2g.20gb", {2, 2}, Mib{20096}, {ranks}), notebooks}};
}

inline Partition measured_partition() {
  Share served = share("served", "vision", 1, Mib{40192});
  served.processes = 2;
  served.batch = 4;
  served.throughput = MilliPerSecond{100'000};
  return instance("3g.40gb", {4, 4}, Mib{40192}, {served});
}

inline Summary summary_of(const Plan& plan) {
  Summary summary;
  for (const CardClass& cards : plan.cards) {
    summary.cards_used += cards.count();
    for (const Partition& partition : cards.partitions) summary.stranded_memory += stranded(partition) * cards.count();
  }
  summary.cost = summary.cards_used * 1000;
  for (const Workload& w : plan.workloads) summary.replicas += w.replicas;
  summary.placed = summary.replicas;
  return summary;
}

inline Plan plan() {
  Plan plan;
  plan.fleet = {{"h100-80gb", "h100-sxm5-80gb", {"h100-pcie-80gb"}, 4, 1000, 2},
                {"a100-80gb", "a100-80gb", {}, 4, 1000, 1}};
  plan.workloads = workloads();
  Share noise = share("noise", "research", 1, gib(20));
  noise.compute = Permille{100};
  const Share big = share("big", "search", 1, gib(50));
  plan.cards = {serving_card(),
                mixed_cards(),
                {"h100-sxm5-80gb", false, {{"node-1", 1}}, {whole(Mib{81559}, {noise})}},
                {"a100-80gb", false, {{"node-2", 0}}, {whole(Mib{81920}, {big})}},
                {"a100-80gb", false, {{"node-2", 1}}, {whole(Mib{81920}, {big})}},
                {"a100-80gb", true, {{"node-2", 2}}, {measured_partition()}}};
  plan.unplaced = {{"served", 0, 0, MilliPerSecond{50'000}, "the rest fills all 4 a100-80gb", "1 more a100-80gb"}};
  plan.summary = summary_of(plan);
  return plan;
}

}  // namespace carve::sample
