#include "check/subject.h"

#include <fmt/format.h>

namespace carve {

std::string subject_of(const Position& position) { return fmt::format("{}/{}", position.node, position.index); }

std::string subject_of(const CardClass& cards) {
  return cards.positions.empty() ? std::string("a card without a position") : subject_of(cards.positions.front());
}

std::string subject_of(const CardClass& cards, const Partition& partition) {
  if (partition.wall == Wall::card) return subject_of(cards);
  const std::string place = partition.placement ? fmt::format("@{}", partition.placement->start) : std::string();
  return fmt::format("{}/{}{}", subject_of(cards), partition.profile, place);
}

std::string replica_names(std::string_view workload, std::int64_t first, std::int64_t count) {
  if (count == 1) return fmt::format("{}/{}", workload, first);
  return fmt::format("{}/{}..{}", workload, first, first + count - 1);
}

}  // namespace carve
