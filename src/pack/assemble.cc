#include "pack/assemble.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>

#include "pack/layout.h"

namespace carve::packing {

namespace {

// Contents of one kind of slot, handed out run by run.
class Stock {
 public:
  void add(const ContentRun& run) { runs_.push_back(run); }
  void sort() {
    std::sort(runs_.begin(), runs_.end(),
              [](const ContentRun& a, const ContentRun& b) { return a.content < b.content; });
  }

  // For how many cards in a row, `slots` contents each, the next contents are the same; at least 1.
  std::int64_t alike(int slots) const {
    if (slots == 0 || at_ == runs_.size()) return std::numeric_limits<std::int64_t>::max();
    return std::max<std::int64_t>(1, runs_[at_].count / slots);
  }

  // The contents of one card out of `cards` that are alike.
  void take(int slots, std::int64_t cards, std::vector<Content>& into) {
    for (; slots > 0 && at_ < runs_.size(); --slots) {
      into.push_back(runs_[at_].content);
      runs_[at_].count -= cards;
      if (runs_[at_].count == 0) ++at_;
    }
  }

 private:
  std::vector<ContentRun> runs_;
  std::size_t at_ = 0;
};

// Slots are filled card by card, so that what stays empty is together on the last cards.
std::vector<FilledCards> fill(const Problem& problem, const Solution& solution) {
  std::map<std::pair<int, int>, Stock> stock;  // by board and kind
  for (const ContentRun& run : solution.contents) stock[{run.content.board, run.content.kind}].add(run);
  for (auto& [key, contents] : stock) contents.sort();

  std::vector<FilledCards> filled;
  for (const CardRun& run : solution.cards) {
    const Cut& cut = problem.boards[static_cast<std::size_t>(run.board)].cuts[static_cast<std::size_t>(run.cut)];
    for (std::int64_t left = run.count; left > 0;) {
      std::int64_t alike = left;
      for (std::size_t k = 0; k < cut.slots.size(); ++k)
        alike = std::min(alike, stock[{run.board, static_cast<int>(k)}].alike(cut.slots[k]));
      FilledCards cards{run.board, run.supply, {}, alike};
      for (std::size_t k = 0; k < cut.slots.size(); ++k)
        stock[{run.board, static_cast<int>(k)}].take(cut.slots[k], alike, cards.slots);
      left -= alike;
      if (!cards.slots.empty()) filled.push_back(std::move(cards));
    }
  }
  return filled;
}

// Hands out the cards of one supply: whole groups by host first, then the rest in order.
class Positions {
 public:
  Positions(const std::vector<FleetEntry>& fleet, const Supply& supply) : fleet_(fleet), supply_(supply) {}

  // Makes room for groups of these sizes on the next host.
  void reserve(const std::vector<int>& sizes) {
    std::int64_t card = hosts_reserved_++ * supply_.per_node;
    for (const int size : sizes) {
      groups_[size].push_back(card);
      card += size;
    }
  }

  // The first card of a host's group of this size.
  std::int64_t take_group(int size) {
    std::deque<std::int64_t>& free = groups_[size];
    const std::int64_t first = free.front();
    free.pop_front();
    for (int i = 0; i < size; ++i) taken_.push_back(first + i);
    return first;
  }

  void groups_are_taken() { std::sort(taken_.begin(), taken_.end()); }

  std::int64_t next() {
    while (skip_ < taken_.size() && taken_[skip_] == next_) {
      ++skip_;
      ++next_;
    }
    return next_++;
  }

  std::size_t entry() const { return supply_.entry; }
  Position at(std::int64_t card) const { return position_in_fleet(fleet_, supply_.entry, card); }

 private:
  const std::vector<FleetEntry>& fleet_;
  const Supply& supply_;
  std::int64_t hosts_reserved_ = 0;
  std::map<int, std::deque<std::int64_t>> groups_;
  std::vector<std::int64_t> taken_;
  std::size_t skip_ = 0;
  std::int64_t next_ = 0;
};

// A class with the place in the fleet of its first card.
struct Placed {
  std::pair<std::size_t, std::int64_t> first;
  CardClass cards;
};

class Assembly {
 public:
  Assembly(const std::vector<FleetEntry>& fleet, const Problem& problem, const Solution& solution)
      : problem_(problem), solution_(solution) {
    for (std::size_t b = 0; b < problem.boards.size(); ++b)
      for (std::size_t s = 0; s < problem.boards[b].supplies.size(); ++s)
        positions_.try_emplace({static_cast<int>(b), static_cast<int>(s)}, fleet, problem.boards[b].supplies[s]);
  }

  std::vector<CardClass> run() {
    for (const HostRun& run : solution_.hosts)
      for (std::int64_t i = 0; i < run.count; ++i) positions_.at({run.board, run.supply}).reserve(run.sizes);
    for (const WholeRun& run : solution_.whole) place_whole(run);
    for (auto& [key, positions] : positions_) positions.groups_are_taken();
    for (const FilledCards& cards : fill(problem_, solution_)) place(cards);
    std::sort(placed_.begin(), placed_.end(), [](const Placed& a, const Placed& b) { return a.first < b.first; });
    std::vector<CardClass> classes;
    for (Placed& placed : placed_) classes.push_back(std::move(placed.cards));
    return classes;
  }

 private:
  // N classes of one card each per replica, so that a class has one replica per card like any other.
  void place_whole(const WholeRun& run) {
    const int size = problem_.demands[static_cast<std::size_t>(run.demand)].workload->cards;
    Positions& positions = positions_.at({run.board, run.supply});
    std::vector<Placed> classes(static_cast<std::size_t>(size));
    for (std::int64_t replica = 0; replica < run.count; ++replica) {
      const std::int64_t first = positions.take_group(size);
      for (int i = 0; i < size; ++i) {
        Placed& placed = classes[static_cast<std::size_t>(i)];
        if (replica == 0) placed.first = {positions.entry(), first + i};
        placed.cards.positions.push_back(positions.at(first + i));
      }
    }
    Partition partition = whole_card_of(problem_, run.board, run.demand);
    partition.shares.front().first = take_replicas(partition.shares.front().workload, run.count);
    for (Placed& placed : classes) {
      placed.cards.model = problem_.boards[static_cast<std::size_t>(run.board)].card->id;
      placed.cards.partitions = {partition};
      placed_.push_back(std::move(placed));
    }
  }

  void place(const FilledCards& filled) {
    Positions& positions = positions_.at({filled.board, filled.supply});
    Placed placed;
    CardClass& cards = placed.cards;
    cards.model = problem_.boards[static_cast<std::size_t>(filled.board)].card->id;
    cards.partitions = partitions_of(problem_, filled);
    cards.mig = cards.partitions.front().wall == Wall::mig;
    for (std::int64_t i = 0; i < filled.count; ++i) {
      const std::int64_t card = positions.next();
      if (i == 0) placed.first = {positions.entry(), card};
      cards.positions.push_back(positions.at(card));
    }
    for (Partition& partition : cards.partitions)
      for (Share& share : partition.shares) share.first = take_replicas(share.workload, share.count * filled.count);
    placed_.push_back(std::move(placed));
  }

  std::int64_t take_replicas(const std::string& workload, std::int64_t count) {
    std::int64_t& next = next_replica_[workload];
    const std::int64_t first = next;
    next += count;
    return first;
  }

  const Problem& problem_;
  const Solution& solution_;
  std::map<std::pair<int, int>, Positions> positions_;  // by board and supply
  std::map<std::string, std::int64_t> next_replica_;
  std::vector<Placed> placed_;
};

}  // namespace

std::vector<CardClass> assemble(const std::vector<FleetEntry>& fleet, const Problem& problem,
                                const Solution& solution) {
  return Assembly(fleet, problem, solution).run();
}

}  // namespace carve::packing
