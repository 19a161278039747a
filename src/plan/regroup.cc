#include "plan/regroup.h"

#include <functional>

namespace carve::plan_file {

namespace {

std::size_t mix(std::size_t hash, std::size_t value) {
  return (hash ^ value) * std::size_t{0x9e3779b97f4a7c15u} + (hash >> 29);
}
std::size_t mix(std::size_t hash, const std::string& text) { return mix(hash, std::hash<std::string>{}(text)); }
std::size_t mix(std::size_t hash, std::int64_t number) { return mix(hash, static_cast<std::size_t>(number)); }

// Of what a class would take as card number `card`.
std::size_t hash_of(const std::string& model, const std::vector<Partition>& partitions, std::int64_t card) {
  std::size_t hash = mix(std::size_t{1}, model);
  for (const Partition& partition : partitions) {
    hash = mix(mix(hash, partition.profile),
               static_cast<std::int64_t>(partition.placement ? partition.placement->start : -1));
    for (const Share& share : partition.shares) {
      hash = mix(mix(mix(hash, share.workload), share.count), replica_range(share, card).first);
    }
  }
  return hash;
}

// Equal but for the replicas, and those are the ones that the class would take as card number `card`.
bool continues(const CardClass& cards, const std::string& model, bool mig, const std::vector<Partition>& partitions) {
  if (cards.model != model || cards.mig != mig || cards.partitions.size() != partitions.size()) return false;
  for (std::size_t p = 0; p < partitions.size(); ++p) {
    Partition expected = cards.partitions[p];
    for (Share& share : expected.shares) share.first = replica_range(share, cards.count()).first;
    if (expected != partitions[p]) return false;
  }
  return true;
}

}  // namespace

void Regroup::add(std::string model, bool mig, Position position, std::vector<Partition> partitions) {
  const auto [first, last] = next_.equal_range(hash_of(model, partitions, 0));
  for (auto candidate = first; candidate != last; ++candidate) {
    const std::size_t index = candidate->second;
    CardClass& cards = classes_[index];
    if (!continues(cards, model, mig, partitions)) continue;
    cards.positions.push_back(std::move(position));
    next_.erase(candidate);
    next_.emplace(hash_of(cards.model, cards.partitions, cards.count()), index);
    return;
  }
  classes_.push_back({std::move(model), mig, {std::move(position)}, std::move(partitions)});
  next_.emplace(hash_of(classes_.back().model, classes_.back().partitions, 1), classes_.size() - 1);
}

std::vector<CardClass> Regroup::take() { return std::move(classes_); }

std::vector<Share> joined(std::vector<Share> single) {
  std::vector<Share> result;
  for (Share& share : single) {
    if (!result.empty()) {
      Share& last = result.back();
      Share alike = share;
      alike.first = last.first;
      alike.count = last.count;
      if (alike == last && share.first == last.first + last.count) {
        ++last.count;
        continue;
      }
    }
    result.push_back(std::move(share));
  }
  return result;
}

}  // namespace carve::plan_file
