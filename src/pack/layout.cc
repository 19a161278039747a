#include "pack/layout.h"

#include <algorithm>

#include "pack/trim.h"

namespace carve::packing {

namespace {

// What an MPS client may take beyond its peak, at most: so that a small overrun is no out-of-memory.
constexpr Mib limit_margin{256};

std::optional<Permille> compute_asked(const Workload& workload, const CardModel& card) {
  if (const auto* share = std::get_if<ComputeShare>(&workload.compute)) return share->of_card;
  if (const auto* per_model = std::get_if<ComputePerModel>(&workload.compute))
    for (const auto& [model, share] : per_model->of_card)
      if (card.answers_to(model)) return share;
  return std::nullopt;
}

Share share_of(const Problem& problem, const Board& board, const Member& member) {
  const Workload& workload = *problem.demands[static_cast<std::size_t>(member.demand)].workload;
  Share share;
  share.workload = workload.name;
  share.tenant = workload.tenant;
  share.tenant_each = workload.tenant_each;
  share.count = member.count;
  share.compute = compute_asked(workload, *board.card);
  share.processes = workload.processes;
  return share;
}

void set_memory_limits(Partition& partition) {
  Mib spare = partition.memory;
  std::int64_t clients = 0;
  for (const Share& share : partition.shares) {
    spare -= share.memory * share.count;
    clients += share.count;
  }
  const Mib margin = std::min(limit_margin, Mib{spare.value / clients});
  for (Share& share : partition.shares) share.memory_limit = share.memory + margin;
}

Partition partition_of(const Problem& problem, const Content& content) {
  const Board& board = problem.boards[static_cast<std::size_t>(content.board)];
  const PartitionKind& kind = board.kinds[static_cast<std::size_t>(content.kind)];
  Partition partition;
  partition.wall = kind.wall;
  partition.profile = kind.name;
  partition.mechanism = content.mechanism;
  partition.memory = kind.memory;
  for (const Member& member : content.members) {
    const Item& item = *board.find_item(content.kind, member.demand);
    Share share = share_of(problem, board, member);
    share.memory = item.memory;
    if (item.row) {
      share.memory = item.row->memory.value_or(kind.memory);
      share.processes = item.row->processes;
      share.batch = item.row->batch;
      share.throughput = item.row->throughput;
    }
    if (partition.mechanism == Mechanism::mps) share.thread_percent = item.load;
    partition.shares.push_back(std::move(share));
  }
  if (partition.mechanism == Mechanism::mps) set_memory_limits(partition);
  return partition;
}

// Places of the layout for one profile, from the left.
std::vector<Placement> places_for(const Geometry& geometry, Layout layout, int profile) {
  std::vector<Placement> places;
  for (std::size_t i = 0; i < geometry.places().size(); ++i)
    if ((layout >> i & 1) != 0 && geometry.places()[i].profile == profile)
      places.push_back(geometry.places()[i].placement);
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace

std::vector<Partition> partitions_of(const Problem& problem, const FilledCards& cards) {
  const Board& board = problem.boards[static_cast<std::size_t>(cards.board)];
  ProfileCounts counts(board.card->profiles.size(), 0);
  std::vector<std::vector<Content>> by_profile(counts.size());
  std::vector<Partition> partitions;
  for (Content content : cards.slots) {
    content.kind = smallest_kind(problem, content);
    const PartitionKind& kind = board.kinds[static_cast<std::size_t>(content.kind)];
    if (kind.wall == Wall::card) {
      partitions.push_back(partition_of(problem, content));
    } else {
      ++counts[static_cast<std::size_t>(kind.profile)];
      by_profile[static_cast<std::size_t>(kind.profile)].push_back(std::move(content));
    }
  }
  if (!partitions.empty()) return partitions;  // a whole card holds nothing else

  const Layout layout = *board.geometry->best_layout(counts);  // smaller profiles take the places of larger ones
  for (std::size_t profile = 0; profile < counts.size(); ++profile) {
    const std::vector<Placement> places = places_for(*board.geometry, layout, static_cast<int>(profile));
    for (std::size_t i = 0; i < places.size(); ++i) {
      partitions.push_back(partition_of(problem, by_profile[profile][i]));
      partitions.back().placement = places[i];
    }
  }
  std::sort(partitions.begin(), partitions.end(),
            [](const Partition& a, const Partition& b) { return a.placement < b.placement; });
  return partitions;
}

Partition whole_card_of(const Problem& problem, int b, int demand) {
  const Board& board = problem.boards[static_cast<std::size_t>(b)];
  Partition partition;
  partition.memory = board.kinds[static_cast<std::size_t>(*board.whole_kind())].memory;
  Share share = share_of(problem, board, {demand, 1});
  const Workload& workload = *problem.demands[static_cast<std::size_t>(demand)].workload;
  share.memory = workload.memory ? Mib{ceil_div(workload.replica_memory().value, workload.cards)} : partition.memory;
  partition.shares.push_back(std::move(share));
  return partition;
}

}  // namespace carve::packing
