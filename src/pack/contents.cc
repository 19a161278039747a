#include "pack/contents.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "pack/solver/solver.h"

namespace carve::packing {

namespace {

constexpr int pricing_nodes = 2000;

struct Room {
  Mib memory;
  int load;
  std::int64_t replicas;
};

Room room_of(const Group& group) { return {group.memory, group.load, group.replicas}; }

// How many of `item` still fit. A replica that is alone needs no room for its load: it is exclusive then.
std::int64_t more(const Group& group, std::size_t i, const Room& room, std::int64_t held) {
  const Item& item = *group.items[i];
  std::int64_t count = std::min(group.most[i], room.replicas);
  if (item.memory.value > 0) count = std::min(count, room.memory.value / item.memory.value);
  if (item.load > 0) {
    std::int64_t by_load = std::max(0, room.load) / item.load;
    if (held == 0) by_load = std::max<std::int64_t>(by_load, 1);
    count = std::min(count, by_load);
  }
  return count;
}

void take(Room& room, const Item& item, std::int64_t count) {
  room.memory -= item.memory * count;
  room.load -= static_cast<int>(item.load * count);
  room.replicas -= count;
}

Content content_of(const Group& group, const std::vector<std::int64_t>& counts) {
  Content content{group.board, group.kind, group.mechanism, {}};
  std::int64_t total = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) {
      content.members.push_back({group.items[i]->demand, counts[i]});
      total += counts[i];
    }
  if (total == 1) content.mechanism = Mechanism::exclusive;
  return content;
}

// Walks all choices of counts, first item first, most first, and keeps those to which nothing can be added.
class Enumeration {
 public:
  Enumeration(const Group& group, std::size_t limit, std::vector<Content>& found)
      : group_(group), limit_(limit), found_(found), counts_(group.items.size(), 0) {}

  bool run() { return visit(0, room_of(group_), 0); }

 private:
  // False when there are too many. `steps_` bounds the walk too: most of its leaves may be no full contents.
  bool visit(std::size_t i, Room room, std::int64_t held) {
    if (++steps_ > limit_ * 20) return false;
    if (i == group_.items.size()) return held == 0 || !full(room, held) || keep();
    for (std::int64_t count = more(group_, i, room, held); count >= 0; --count) {
      Room rest = room;
      take(rest, *group_.items[i], count);
      counts_[i] = count;
      if (!visit(i + 1, rest, held + count)) return false;
    }
    counts_[i] = 0;
    return true;
  }

  bool full(const Room& room, std::int64_t held) const {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] == group_.most[i]) continue;
      // An exclusive replica whose load alone overflows leaves negative room, so more() is 0 as it must be.
      if (more(group_, i, room, held) > 0) return false;
    }
    return true;
  }

  bool keep() {
    if (found_.size() >= limit_) return false;
    found_.push_back(content_of(group_, counts_));
    return true;
  }

  const Group& group_;
  std::size_t limit_;
  std::vector<Content>& found_;
  std::vector<std::int64_t> counts_;
  std::size_t steps_ = 0;
};

// Rows of the program that fills one partition.
enum : int { memory_row, load_row, replicas_row };

}  // namespace

std::vector<Group> groups_of(const Problem& problem) {
  std::vector<Group> groups;
  for (std::size_t b = 0; b < problem.boards.size(); ++b)
    for (std::size_t k = 0; k < problem.boards[b].kinds.size(); ++k) {
      const Board& board = problem.boards[b];
      const PartitionKind& kind = board.kinds[k];
      // Keyed by mechanism and tenant; what is exclusive stays apart, by demand.
      std::map<std::tuple<Mechanism, std::string, int>, Group> by_key;
      for (const Item& item : board.items[k]) {
        const Demand& demand = problem.demands[static_cast<std::size_t>(item.demand)];
        const bool exclusive = item.mechanism == Mechanism::exclusive;
        Group& group = by_key[{item.mechanism, demand.workload->tenant, exclusive ? item.demand : -1}];
        group.board = static_cast<int>(b);
        group.kind = static_cast<int>(k);
        group.mechanism = item.mechanism;
        group.memory = kind.memory;
        group.load = item.mechanism == Mechanism::mps ? problem.limits.thread_percent
                                                      : static_cast<int>(problem.limits.duty.value);
        group.replicas = exclusive ? 1
                         : item.mechanism == Mechanism::mps
                             ? mps_client_limit(problem.limits, kind.compute_slices, kind.of_slices)
                             : std::numeric_limits<int>::max();
        group.items.push_back(&item);
        group.most.push_back(demand.amount);
      }
      for (auto& [key, group] : by_key) groups.push_back(std::move(group));
    }
  return groups;
}

std::optional<std::vector<Content>> all_full_contents(const std::vector<Group>& groups, std::size_t limit) {
  std::vector<Content> found;
  for (const Group& group : groups)
    if (!Enumeration(group, limit, found).run()) return std::nullopt;
  return found;
}

std::vector<Content> uniform_contents(const std::vector<Group>& groups) {
  std::vector<Content> contents;
  for (const Group& group : groups)
    for (std::size_t i = 0; i < group.items.size(); ++i) {
      std::vector<std::int64_t> counts(group.items.size(), 0);
      counts[i] = more(group, i, room_of(group), 0);
      contents.push_back(content_of(group, counts));
    }
  return contents;
}

Priced dearest_content(const Group& group, const std::vector<double>& prices) {
  std::vector<double> values;
  Priced best;
  std::vector<std::int64_t> counts(group.items.size(), 0);
  for (std::size_t i = 0; i < group.items.size(); ++i) {
    const Item& item = *group.items[i];
    values.push_back(prices[static_cast<std::size_t>(item.demand)] * static_cast<double>(item.yield()));
    if (values[i] <= best.value) continue;
    best.value = values[i];  // alone, whatever its load
    counts.assign(counts.size(), 0);
    counts[i] = 1;
  }
  best.at_most = best.value;
  if (group.replicas > 1 && best.value > 0) {
    solver::Program program;
    program.rows = {{-solver::infinity, static_cast<double>(group.memory.value)},
                    {-solver::infinity, static_cast<double>(group.load)},
                    {-solver::infinity, static_cast<double>(group.replicas)}};
    for (std::size_t i = 0; i < group.items.size(); ++i) {
      const Item& item = *group.items[i];
      program.columns.push_back({-values[i] / best.value,  // the best alone is worth 1
                                 static_cast<double>(group.most[i]),
                                 true,
                                 {{memory_row, static_cast<double>(item.memory.value)},
                                  {load_row, static_cast<double>(item.load)},
                                  {replicas_row, 1}}});
    }
    const auto filled = solver::solve_integer(program, {pricing_nodes, 1e-9}, std::nullopt);
    best.at_most = std::max(best.at_most, -filled.bound * best.value);
    if (filled.feasible && -filled.objective > 1) {
      best.value = 0;
      for (std::size_t i = 0; i < counts.size(); ++i) {
        counts[i] = static_cast<std::int64_t>(filled.values[i]);
        best.value += values[i] * filled.values[i];
      }
    }
    if (filled.complete) best.at_most = best.value;
  }
  best.content = content_of(group, counts);
  return best;
}

bool fits_in(const Problem& problem, const Content& content, int kind) {
  const Board& board = problem.boards[static_cast<std::size_t>(content.board)];
  const PartitionKind& partition = board.kinds[static_cast<std::size_t>(kind)];
  Mib memory;
  std::int64_t load = 0, replicas = 0;
  for (const Member& member : content.members) {
    const Item* item = board.find_item(kind, member.demand);
    if (item == nullptr) return false;
    memory += item->memory * member.count;
    load += item->load * member.count;
    replicas += member.count;
  }
  if (memory > partition.memory) return false;
  if (replicas == 1) return true;
  if (content.mechanism == Mechanism::time_slicing) return load <= problem.limits.duty.value;
  return content.mechanism == Mechanism::mps && load <= problem.limits.thread_percent &&
         replicas <= mps_client_limit(problem.limits, partition.compute_slices, partition.of_slices);
}

}  // namespace carve::packing
