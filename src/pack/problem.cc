#include "pack/problem.h"

#include <algorithm>

namespace carve::packing {

namespace {

Board new_board(const CardModel& card) {
  Board board;
  board.card = &card;
  board.kinds = partition_kinds(card);
  std::vector<int> profiles;
  for (const PartitionKind& kind : board.kinds)
    if (kind.wall == Wall::mig) profiles.push_back(kind.profile);
  if (profiles.empty()) return board;
  board.geometry = std::make_shared<const Geometry>(card, std::move(profiles));
  return board;
}

bool within(const Cut& small, const Cut& large) {
  for (std::size_t k = 0; k < small.slots.size(); ++k)
    if (small.slots[k] > large.slots[k]) return false;
  return true;
}

// A slot may stay empty, so only cuts that are contained in no other are needed.
void keep_largest(std::vector<Cut>& cuts) {
  std::vector<Cut> largest;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    bool needed = true;
    for (std::size_t j = 0; j < cuts.size() && needed; ++j)
      if (i != j && within(cuts[i], cuts[j])) needed = cuts[i].slots == cuts[j].slots && i < j;
    if (needed) largest.push_back(cuts[i]);
  }
  cuts = std::move(largest);
}

// Slots of a kind that nothing fits are left out, which makes many cuts alike.
void add_cuts(Board& board) {
  if (board.geometry)
    for (const ProfileCounts& counts : board.geometry->largest_multisets()) {
      Cut cut;
      for (std::size_t k = 0; k < board.kinds.size(); ++k) {
        const PartitionKind& kind = board.kinds[k];
        const bool useful = kind.wall == Wall::mig && !board.items[k].empty();
        cut.slots.push_back(useful ? counts[static_cast<std::size_t>(kind.profile)] : 0);
      }
      board.cuts.push_back(std::move(cut));
    }
  if (const auto whole = board.whole_kind()) {
    Cut cut{std::vector<int>(board.kinds.size(), 0)};
    cut.slots[static_cast<std::size_t>(*whole)] = board.items[static_cast<std::size_t>(*whole)].empty() ? 0 : 1;
    board.cuts.push_back(std::move(cut));
  }
  keep_largest(board.cuts);
}

int load_of(const Workload& workload, const Board& board, const PartitionKind& kind, Mechanism mechanism) {
  switch (mechanism) {
    case Mechanism::exclusive:
      return 0;
    case Mechanism::mps:
      return thread_percent(workload, *board.card, kind);
    case Mechanism::time_slicing:
      return static_cast<int>(workload.duty.value_or(Permille{1000}).value);
  }
  return 0;
}

Mechanism mechanism_of(Choice choice) {
  switch (choice) {
    case Choice::time_slicing:
      return Mechanism::time_slicing;
    case Choice::mps:
      return Mechanism::mps;
    case Choice::mig:
    case Choice::card:
      break;
  }
  return Mechanism::exclusive;
}

// The kinds of partition that a demand may take on a board, given its choice there: MPS and time slicing live inside
// any wall, MIG takes a profile, and the card what no profile holds.
std::vector<bool> allowed_kinds(const Workload& workload, const Board& board, Choice choice, const Limits& limits) {
  std::vector<bool> allowed;
  for (const PartitionKind& kind : board.kinds)
    allowed.push_back((choice != Choice::card || kind.wall == Wall::card) &&
                      fit(workload, *board.card, kind, limits).fits());
  const auto whole = board.whole_kind();
  if (choice == Choice::mig && whole && !workload.is_measured() &&
      std::count(allowed.begin(), allowed.end(), true) > (allowed[static_cast<std::size_t>(*whole)] ? 1 : 0))
    allowed[static_cast<std::size_t>(*whole)] = false;
  return allowed;
}

void add_items(Board& board, const std::vector<Demand>& demands, const Limits& limits) {
  board.items.resize(board.kinds.size());
  for (std::size_t d = 0; d < demands.size(); ++d) {
    const Workload& workload = *demands[d].workload;
    board.decisions.push_back(decide(workload, *board.card));
    if (workload.cards > 0) continue;  // takes whole cards by the node, see master.cc
    const Mechanism mechanism = mechanism_of(board.decisions.back().choice);
    const std::vector<bool> allowed = allowed_kinds(workload, board, board.decisions.back().choice, limits);
    for (std::size_t k = 0; k < board.kinds.size(); ++k) {
      if (!allowed[k]) continue;
      const PartitionKind& kind = board.kinds[k];
      Item item{static_cast<int>(d), mechanism, kind.memory, load_of(workload, board, kind, mechanism), {}};
      if (workload.is_measured())
        item.row = best_row(workload, *board.card, kind, limits);
      else
        item.memory = workload.replica_memory();
      board.items[k].push_back(std::move(item));
    }
  }
}

}  // namespace

std::optional<int> Board::whole_kind() const {
  for (std::size_t k = 0; k < kinds.size(); ++k)
    if (kinds[k].wall == Wall::card) return static_cast<int>(k);
  return std::nullopt;
}

const Item* Board::find_item(int kind, int demand) const {
  for (const Item& item : items[static_cast<std::size_t>(kind)])
    if (item.demand == demand) return &item;
  return nullptr;
}

Problem state_problem(const WorkloadFile& file) {
  Problem problem;
  problem.limits = file.limits;
  for (const Workload& workload : file.workloads)
    problem.demands.push_back({&workload, workload.is_measured() ? workload.rate->value : workload.replicas});
  std::sort(problem.demands.begin(), problem.demands.end(),
            [](const Demand& a, const Demand& b) { return a.workload->name < b.workload->name; });

  for (std::size_t entry = 0; entry < file.fleet.size(); ++entry) {
    const FleetEntry& cards = file.fleet[entry];
    const CardModel* model = find_model(cards.card)->model;  // the reader has resolved it
    auto board = std::find_if(problem.boards.begin(), problem.boards.end(),
                              [&](const Board& known) { return known.card->id == model->id; });
    if (board == problem.boards.end()) board = problem.boards.insert(board, new_board(*model));
    board->supplies.push_back({entry, cards.count, cards.cost, cards.count / cards.nodes});
  }
  std::sort(problem.boards.begin(), problem.boards.end(),
            [](const Board& a, const Board& b) { return a.card->id < b.card->id; });
  for (Board& board : problem.boards) {
    add_items(board, problem.demands, problem.limits);
    add_cuts(board);
  }
  return problem;
}

}  // namespace carve::packing
