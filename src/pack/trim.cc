#include "pack/trim.h"

#include <algorithm>
#include <tuple>

namespace carve::packing {

namespace {

const Board& board_of(const Problem& problem, const Content& content) {
  return problem.boards[static_cast<std::size_t>(content.board)];
}

const PartitionKind& kind_of(const Problem& problem, const Content& content) {
  return board_of(problem, content).kinds[static_cast<std::size_t>(content.kind)];
}

// Of a demand that the content holds.
std::int64_t yield_of(const Problem& problem, const Content& content, int demand) {
  return board_of(problem, content).find_item(content.kind, demand)->yield();
}

std::int64_t count_of(const Content& content, int demand) {
  for (const Member& member : content.members)
    if (member.demand == demand) return member.count;
  return 0;
}

std::int64_t supplied(const Problem& problem, const Solution& solution, int demand) {
  std::int64_t total = 0;
  for (const ContentRun& run : solution.contents)
    if (const std::int64_t held = count_of(run.content, demand); held > 0)
      total += run.count * held * yield_of(problem, run.content, demand);
  for (const WholeRun& run : solution.whole)
    if (run.demand == demand) total += run.count;
  return total;
}

Content with_fewer(Content content, int demand, std::int64_t fewer) {
  for (Member& member : content.members)
    if (member.demand == demand) member.count -= fewer;
  std::erase_if(content.members, [](const Member& member) { return member.count == 0; });
  std::int64_t replicas = 0;
  for (const Member& member : content.members) replicas += member.count;
  if (replicas == 1) content.mechanism = Mechanism::exclusive;
  return content;
}

// The runs that hold the demand, in the order in which they lose it.
std::vector<std::size_t> runs_to_shorten(const Problem& problem, const Solution& solution, int demand) {
  std::vector<std::size_t> order;
  for (std::size_t r = 0; r < solution.contents.size(); ++r)
    if (count_of(solution.contents[r].content, demand) > 0) order.push_back(r);
  const auto key = [&](std::size_t r) {
    const Content& content = solution.contents[r].content;
    return std::tuple(content.members.size(), -kind_of(problem, content).memory.value, count_of(content, demand), r);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return order;
}

void take_out(const Problem& problem, Solution& solution, int demand, std::int64_t excess) {
  for (const std::size_t r : runs_to_shorten(problem, solution, demand)) {
    const Content content = solution.contents[r].content;
    const std::int64_t yield = yield_of(problem, content, demand);
    const std::int64_t held = count_of(content, demand);
    const auto shorten = [&](std::int64_t copies, std::int64_t fewer) {
      if (copies == 0 || fewer == 0) return;
      solution.contents[r].count -= copies;
      const Content rest = with_fewer(content, demand, fewer);
      if (!rest.members.empty()) solution.contents.push_back({rest, copies});
      excess -= copies * fewer * yield;
    };
    shorten(std::min(solution.contents[r].count, excess / (held * yield)), held);
    if (solution.contents[r].count > 0) shorten(1, std::min(held - 1, excess / yield));
  }
}

}  // namespace

void trim(const Problem& problem, Solution& solution) {
  for (std::size_t d = 0; d < problem.demands.size(); ++d) {
    const std::int64_t wanted = problem.demands[d].amount - solution.missing[d];
    const std::int64_t excess = supplied(problem, solution, static_cast<int>(d)) - wanted;
    if (excess > 0) take_out(problem, solution, static_cast<int>(d), excess);
  }
  std::erase_if(solution.contents, [](const ContentRun& run) { return run.count == 0; });
}

int smallest_kind(const Problem& problem, const Content& content) {
  const Board& board = board_of(problem, content);
  if (problem.demands[static_cast<std::size_t>(content.members.front().demand)].workload->is_measured())
    return content.kind;
  int best = content.kind;
  for (std::size_t k = 0; k < board.kinds.size(); ++k) {
    const PartitionKind& kind = board.kinds[k];
    const PartitionKind& place = kind_of(problem, content);
    const bool in_place =
        place.wall == Wall::card || (kind.wall == Wall::mig && kind.compute_slices <= place.compute_slices &&
                                     board.card->profiles[static_cast<std::size_t>(kind.profile)].memory_slices <=
                                         board.card->profiles[static_cast<std::size_t>(place.profile)].memory_slices);
    if (in_place && kind.memory < board.kinds[static_cast<std::size_t>(best)].memory &&
        fits_in(problem, content, static_cast<int>(k)))
      best = static_cast<int>(k);
  }
  return best;
}

}  // namespace carve::packing
