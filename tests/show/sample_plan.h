// Plans made by hand for the tests of what people see.
#pragma once

#include "plan/plan.h"

namespace carve::sample {

inline Share share(std::string workload, std::string tenant, std::int64_t first, std::int64_t count, Mib memory) {
  Share result;
  result.workload = std::move(workload);
  result.tenant = std::move(tenant);
  result.first = first;
  result.count = count;
  result.memory = memory;
  return result;
}

inline Partition mig(std::string profile, Placement placement, Mib memory, Mechanism mechanism,
                     std::vector<Share> shares) {
  return {Wall::mig, std::move(profile), placement, mechanism, memory, std::move(shares)};
}

inline Partition whole(Mib memory, Mechanism mechanism, std::vector<Share> shares) {
  return {Wall::card, "", std::nullopt, mechanism, memory, std::move(shares)};
}

inline Workload workload(std::string name, std::string tenant, std::int64_t replicas, Mib memory) {
  Workload result;
  result.name = std::move(name);
  result.tenant = std::move(tenant);
  result.replicas = replicas;
  result.memory = memory;
  return result;
}

// One H100 that is shared by two tenants in three ways, and a class of three T4.
inline Plan team() {
  Plan plan;
  plan.fleet = {{"h100-80gb", "h100-sxm5-80gb", {"h100-pcie-80gb"}, 8, 1000, 1}, {"t4", "t4", {}, 3, 1000, 1}};
  plan.workloads = {workload("notebooks", "research", 2, Mib{4096}), workload("reranker", "search", 2, Mib{18432}),
                    workload("tower-train", "search", 4, Mib{9216}), workload("web", "vision", 6, Mib{3072})};
  const Share trainers = share("tower-train", "search", 0, 4, Mib{9216});
  plan.cards = {
      {"h100-sxm5-80gb",
       true,
       {{"node-0", 0}},
       {mig("3g.40gb", {0, 4}, Mib{40448}, Mechanism::mps, {trainers}),
        mig("2g.20gb", {4, 2}, Mib{20096}, Mechanism::exclusive, {share("reranker", "search", 0, 1, Mib{18432})}),
        mig("1g.10gb", {6, 1}, Mib{9984}, Mechanism::time_slicing, {share("notebooks", "research", 0, 2, Mib{4096})})}},
      {"t4",
       false,
       {{"node-1", 0}, {"node-1", 1}, {"node-1", 2}},
       {whole(Mib{15360}, Mechanism::mps, {share("web", "vision", 0, 2, Mib{3072})})}},
  };
  plan.summary = {4, 4, 4000, 4000, true, 14, 14, Mib{}, ""};
  for (const CardClass& card : plan.cards)
    for (const Partition& partition : card.partitions)
      plan.summary.stranded_memory += stranded(partition) * card.count();
  return plan;
}

}  // namespace carve::sample
