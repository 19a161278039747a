#include "check/rights.h"

#include <array>
#include <string_view>

namespace carve {

namespace {

enum Right : unsigned {
  fault = 1,
  oom = 2,
  memory = 4,
  compute = 8,
  bandwidth = 16,
  power = 32,
  concurrent = 64,
};

struct Named {
  Right right;
  std::string_view words;
};
constexpr std::array<Named, 7> names{{{fault, "fault containment"},
                                      {oom, "out-of-memory containment"},
                                      {memory, "memory no other can take"},
                                      {compute, "compute no other can take"},
                                      {bandwidth, "cache and bandwidth of its own"},
                                      {power, "power, clock and PCIe of its own"},
                                      {concurrent, "running at the same time as its neighbours"}}};

// The columns. MPS keeps memory apart because verify() insists on a limit for each client and on their sum.
constexpr unsigned of_mig = fault | oom | memory | compute | bandwidth | concurrent;
constexpr unsigned of_card = of_mig | power;
constexpr unsigned of_mps = oom | memory | concurrent;
constexpr unsigned of_time_slicing = fault;

struct Column {
  Mechanism mechanism;
  Wall wall;
  unsigned gives;
};
constexpr std::array<Column, 6> columns{{{Mechanism::exclusive, Wall::card, of_card},
                                         {Mechanism::exclusive, Wall::mig, of_mig},
                                         {Mechanism::mps, Wall::card, of_mps},
                                         {Mechanism::mps, Wall::mig, of_mps},
                                         {Mechanism::time_slicing, Wall::card, of_time_slicing},
                                         {Mechanism::time_slicing, Wall::mig, of_time_slicing}}};

unsigned given(const Partition& partition) {
  for (const Column& column : columns) {
    if (column.mechanism == partition.mechanism && column.wall == partition.wall) return column.gives;
  }
  return 0;
}

unsigned of_objective(const Workload& workload) {
  if (workload.objective.is_latency()) return memory | compute | bandwidth;
  if (workload.objective.kind == ObjectiveKind::throughput) return concurrent;
  return workload.interruptible ? fault : fault | concurrent;
}

constexpr unsigned team_trust = fault | compute | bandwidth;
constexpr unsigned own_wall = fault | oom | memory | compute;

// A replica of several processes has a private MPS daemon, a measured row the partition that it was measured in.
bool needs_own_wall(const Workload& workload) {
  return workload.isolation == Isolation::hard || workload.tenant_each || workload.processes > 1 ||
         workload.is_measured();
}

unsigned needed(const Workload& workload) {
  if (workload.cards > 0 || workload.isolation == Isolation::card) return of_card;
  unsigned needs = of_objective(workload);
  if (workload.isolation == Isolation::cooperative) needs &= ~team_trust;
  return needs_own_wall(workload) ? needs | own_wall : needs;
}

std::vector<std::string> words_of(unsigned rights) {
  std::vector<std::string> result;
  for (const Named& name : names) {
    if ((rights & name.right) != 0) result.emplace_back(name.words);
  }
  return result;
}

}  // namespace

std::vector<std::string> lacking(const Workload& workload, const Partition& partition) {
  return words_of(needed(workload) & ~given(partition));
}

std::vector<std::string> given_up(const Workload& workload) {
  if (workload.isolation != Isolation::cooperative) return {};
  return words_of(of_objective(workload) & team_trust);
}

std::optional<Mechanism> sharing_mechanism(const Workload& workload) {
  const unsigned needs = needed(workload);
  if ((needs & ~of_time_slicing) == 0) return Mechanism::time_slicing;
  if ((needs & ~of_mps) == 0) return Mechanism::mps;
  return std::nullopt;
}

bool needs_whole_card(const Workload& workload) { return (needed(workload) & ~of_mig) != 0; }

}  // namespace carve
