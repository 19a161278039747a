// Every replica exactly once: on the card or cards that it asks for, or among the unplaced. Classes hold ranges of
// replicas, so the count is a sweep over the ends of ranges and does not look at single replicas.
#include <algorithm>

#include <fmt/format.h>

#include "check/subject.h"
#include "check/verifier.h"

namespace carve {

namespace {

// Replicas first .. end - 1.
struct Range {
  std::int64_t first;
  std::int64_t end;
};

// How often the replicas of one workload are on a card, and among the unplaced.
struct Held {
  std::vector<Range> placed;
  std::vector<Range> unplaced;
  std::int64_t throughput = 0;  // thousandths per second
  std::int64_t missing = 0;     // the same, of the unplaced part of a rate
};
using HeldByName = std::map<std::string_view, Held>;

HeldByName held_by_workload(const Plan& plan) {
  HeldByName result;
  for (const Workload& workload : plan.workloads) result[workload.name];
  for (const CardClass& cards : plan.cards) {
    for (const Partition& partition : cards.partitions) {
      for (const Share& share : partition.shares) {
        Held& held = result[share.workload];
        held.placed.push_back({share.first, share.first + share.count * cards.count()});
        held.throughput += share.throughput.value_or(MilliPerSecond{}).value * share.count * cards.count();
      }
    }
  }
  for (const Unplaced& unplaced : plan.unplaced) {
    Held& held = result[unplaced.workload];
    if (unplaced.count > 0) held.unplaced.push_back({unplaced.first, unplaced.first + unplaced.count});
    held.missing += unplaced.rate.value_or(MilliPerSecond{}).value;
  }
  return result;
}

// The ends of all ranges in order, with what changes there.
struct Edge {
  std::int64_t at;
  std::int64_t placed;
  std::int64_t unplaced;
};
std::vector<Edge> edges_of(const Held& held) {
  std::vector<Edge> edges;
  for (const Range& range : held.placed) {
    edges.push_back({range.first, 1, 0});
    edges.push_back({range.end, -1, 0});
  }
  for (const Range& range : held.unplaced) {
    edges.push_back({range.first, 0, 1});
    edges.push_back({range.end, 0, -1});
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.at < b.at; });
  return edges;
}

// What is wrong with replicas that are on `placed` cards and `unplaced` times in the list of the unplaced.
std::string wrong_with(std::int64_t placed, std::int64_t unplaced, std::int64_t wanted) {
  if (placed == 0 && unplaced == 0) return "is neither placed nor named as unplaced";
  if (unplaced > 1) return "is named as unplaced more than once";
  if (placed > 0 && unplaced > 0) return "is both placed and named as unplaced";
  if (unplaced == 1 || placed == wanted) return {};
  if (wanted == 1) return fmt::format("is placed {} times", placed);
  return fmt::format("has {} and asks for {}", counted(placed, "card"), wanted);
}

// Stretches of replicas that are all held alike, each judged once; `end` is one past the last that must exist.
void sweep(const Workload& workload, const Held& held, std::int64_t end, Violations& found) {
  const std::int64_t wanted = std::max(1, workload.cards);
  std::int64_t placed = 0;
  std::int64_t unplaced = 0;
  std::int64_t at = 0;
  const auto judge = [&](std::int64_t until) {
    if (until <= at) return;
    const std::string wrong = wrong_with(placed, unplaced, wanted);
    if (!wrong.empty())
      found.add(workload.name, fmt::format("{} {}", replica_names(workload.name, at, until - at), wrong));
  };
  for (const Edge& edge : edges_of(held)) {
    judge(std::min(edge.at, end));
    at = std::max(at, edge.at);
    placed += edge.placed;
    unplaced += edge.unplaced;
  }
  judge(end);
}

std::int64_t highest(const Held& held) {
  std::int64_t end = 0;
  for (const Range& range : held.placed) end = std::max(end, range.end);
  for (const Range& range : held.unplaced) end = std::max(end, range.end);
  return end;
}

bool by_rate(const Workload& workload) { return workload.is_measured() && workload.rate && workload.replicas == 0; }

void verify_workload(const Workload& workload, const Held& held, Violations& found) {
  if (by_rate(workload)) {
    sweep(workload, held, highest(held), found);
    if (held.throughput + held.missing < workload.rate->value) {
      found.add(workload.name, fmt::format("its partitions carry {} and {} is named as unplaced; {} is asked for",
                                           to_string(MilliPerSecond{held.throughput}),
                                           to_string(MilliPerSecond{held.missing}), to_string(*workload.rate)));
    }
    return;
  }
  if (highest(held) > workload.replicas) {
    found.add(workload.name,
              fmt::format("replica {} is beyond the {} that exist", highest(held) - 1, workload.replicas));
  }
  sweep(workload, held, workload.replicas, found);
}

// ---------------------------------------------------------------------------------------------------- `cards: N`

// The host and the model of each card that a replica holds; the first of them speaks for it.
struct Together {
  std::string_view node;
  std::string_view model;
};

void verify_together(const Workload& workload, const Plan& plan, Violations& found) {
  std::map<std::int64_t, Together> by_replica;
  for (const CardClass& cards : plan.cards) {
    for (const Partition& partition : cards.partitions) {
      for (const Share& share : partition.shares) {
        if (share.workload != workload.name) continue;
        for (std::int64_t i = 0; i < cards.count(); ++i) {
          const std::string_view node = cards.positions[static_cast<std::size_t>(i)].node;
          const std::int64_t replica = replica_range(share, i).first;
          const auto [held, is_new] = by_replica.try_emplace(replica, Together{node, cards.model});
          if (is_new || (held->second.node == node && held->second.model == cards.model)) continue;
          found.add(workload.name,
                    fmt::format("{}/{} needs {} cards of one model on one host and has them on {} and {}",
                                workload.name, replica, workload.cards, held->second.node, node));
          return;  // one replica is enough to refuse the plan
        }
      }
    }
  }
}

}  // namespace

void verify_replicas(const Plan& plan, Violations& found) {
  const HeldByName held = held_by_workload(plan);
  for (std::size_t i = 1; i < plan.workloads.size(); ++i) {
    if (plan.workloads[i - 1].name >= plan.workloads[i].name) {
      found.add(plan.workloads[i].name, "workloads must be ordered by name, each once");
    }
  }
  for (const Unplaced& unplaced : plan.unplaced) {
    if (find_workload(plan, unplaced.workload) == nullptr) {
      found.add(unplaced.workload, "is named as unplaced and is no workload of the plan");
    }
  }
  for (const Workload& workload : plan.workloads) {
    verify_workload(workload, held.at(workload.name), found);
    if (workload.cards > 1) verify_together(workload, plan, found);
  }
}

std::map<std::string_view, std::int64_t> placed_replicas(const Plan& plan) {
  std::map<std::string_view, std::int64_t> result;
  for (const CardClass& cards : plan.cards) {
    for (const Partition& partition : cards.partitions) {
      for (const Share& share : partition.shares) result[share.workload] += share.count * cards.count();
    }
  }
  for (auto& [name, count] : result) {
    const Workload* workload = find_workload(plan, name);
    if (workload != nullptr && workload->cards > 1) count /= workload->cards;
  }
  return result;
}

}  // namespace carve
