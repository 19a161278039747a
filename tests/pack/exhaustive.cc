#include "pack/exhaustive.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace carve::exhaustive {

namespace {

using Counts = std::vector<int>;  // replicas by workload
using Held = std::set<Counts>;

struct Piece {  // a kind of partition
  std::int64_t memory = 0;
  int sms = 0, card_sms = 0;
  int slices = 1, of = 1;
  bool whole = false;
};

// Every multiset of pieces that a card can be cut into, found by placing profiles on an array of memory slices.
std::set<std::vector<int>> cuts(const CardModel& card, const std::vector<int>& profiles) {
  std::set<std::vector<int>> found;
  std::vector<bool> used(static_cast<std::size_t>(*card.memory_slices), false);
  std::vector<int> counts(profiles.size(), 0);
  std::function<void(std::size_t, std::size_t, int)> place = [&](std::size_t p, std::size_t from, int compute) {
    found.insert(counts);
    for (std::size_t i = p; i < profiles.size(); ++i) {
      const Profile& profile = card.profiles[static_cast<std::size_t>(profiles[i])];
      for (std::size_t j = i == p ? from : 0; j < profile.placements.size(); ++j) {
        const Placement at = profile.placements[j];
        bool free = compute + profile.compute_slices <= card.compute_slices && counts[i] < profile.max_instances;
        for (int s = at.start; s < at.start + at.size; ++s) free = free && !used[static_cast<std::size_t>(s)];
        if (!free) continue;
        for (int s = at.start; s < at.start + at.size; ++s) used[static_cast<std::size_t>(s)] = true;
        ++counts[i];
        place(i, j + 1, compute + profile.compute_slices);
        --counts[i];
        for (int s = at.start; s < at.start + at.size; ++s) used[static_cast<std::size_t>(s)] = false;
      }
    }
  };
  place(0, 0, 0);
  return found;
}

std::int64_t permille_of(const Workload& w) {
  if (const auto* share = std::get_if<ComputeShare>(&w.compute)) return share->of_card.value;
  return 0;
}

int sms_for(const Workload& w, const Piece& piece) {
  return static_cast<int>((permille_of(w) * piece.card_sms + 999) / 1000);
}

bool one_fits(const Workload& w, Choice choice, const Piece& piece, const Limits& limits) {
  if (choice == Choice::card && !piece.whole) return false;
  if (w.memory->value > piece.memory) return false;
  if (!piece.whole && sms_for(w, piece) > piece.sms) return false;
  return w.processes == 1 || w.processes <= std::max(1, limits.mps_clients * piece.slices / piece.of);
}

int percent(const Workload& w, const Piece& piece) {
  if (permille_of(w) > 0) return (100 * sms_for(w, piece) + piece.sms - 1) / piece.sms;
  return std::max<int>(1, static_cast<int>(100 * w.memory->value / piece.memory));
}

struct Card {
  const CardModel* model;
  std::vector<Piece> pieces;        // plain profiles but the full one, then the whole card
  std::set<std::vector<int>> cuts;  // of the profiles
  std::vector<Choice> choices;      // by workload
};

Card describe(const CardModel& model, const std::vector<Workload>& workloads) {
  Card card{&model, {}, {}, {}};
  std::vector<int> profiles;
  if (model.can_be_cut())
    for (const int p : plain_profiles(model)) {
      const Profile& profile = model.profiles[static_cast<std::size_t>(p)];
      if (profile.memory_slices == model.memory_slices) continue;
      const std::int64_t smallest =
          model.profiles[static_cast<std::size_t>(plain_profiles(model).front())].memory->value;
      card.pieces.push_back({profile.memory ? profile.memory->value : smallest * *profile.memory_slices, *profile.sms,
                             *model.sms, profile.compute_slices, model.compute_slices, false});
      profiles.push_back(p);
    }
  if (!profiles.empty()) card.cuts = cuts(model, profiles);
  card.pieces.push_back({model.total_memory->value, *model.sms, *model.sms, 1, 1, true});
  for (const Workload& w : workloads) card.choices.push_back(decide(w, model).choice);
  return card;
}

bool together(const std::vector<Workload>& ws, const Card& card, const Piece& piece, const Counts& counts,
              const Limits& limits) {
  std::int64_t memory = 0;
  int load = 0, total = 0;
  std::set<std::pair<std::string, Choice>> groups;
  for (std::size_t i = 0; i < ws.size(); ++i) {
    if (counts[i] == 0) continue;
    if (!one_fits(ws[i], card.choices[i], piece, limits)) return false;
    memory += ws[i].memory->value * counts[i];
    total += counts[i];
    groups.insert({ws[i].tenant, card.choices[i]});
    load += counts[i] * (card.choices[i] == Choice::mps ? percent(ws[i], piece)
                                                        : static_cast<int>(ws[i].duty.value_or(Permille{1000}).value));
  }
  if (total == 1) return true;
  if (groups.size() != 1 || memory > piece.memory) return false;
  const Choice choice = groups.begin()->second;
  if (choice == Choice::time_slicing) return load <= limits.duty.value;
  return choice == Choice::mps && load <= limits.thread_percent &&
         total <= std::max(1, limits.mps_clients * piece.slices / piece.of);
}

Held partition_contents(const std::vector<Workload>& ws, const Card& card, const Piece& piece, const Counts& wanted,
                        const Limits& limits) {
  Held held;
  Counts counts(ws.size(), 0);
  std::function<void(std::size_t)> choose = [&](std::size_t i) {
    if (i == ws.size()) {
      if (together(ws, card, piece, counts, limits) ||
          std::all_of(counts.begin(), counts.end(), [](int c) { return c == 0; }))
        held.insert(counts);
      return;
    }
    for (counts[i] = 0; counts[i] <= wanted[i]; ++counts[i]) choose(i + 1);
    counts[i] = 0;
  };
  choose(0);
  return held;
}

// Every sum of one of each, within what is wanted. Only the largest are kept: less can always be held.
Held sum(const Held& a, const Held& b, const Counts& wanted) {
  Held result;
  for (const Counts& x : a)
    for (const Counts& y : b) {
      Counts z(x.size());
      for (std::size_t i = 0; i < z.size(); ++i) z[i] = std::min(x[i] + y[i], wanted[i]);
      result.insert(std::move(z));
    }
  return result;
}

Held card_contents(const std::vector<Workload>& ws, const Card& card, const Counts& wanted, const Limits& limits) {
  std::vector<Held> by_piece;
  for (const Piece& piece : card.pieces) by_piece.push_back(partition_contents(ws, card, piece, wanted, limits));
  Held held = by_piece.back();  // the whole card
  for (const std::vector<int>& cut : card.cuts) {
    Held of_cut{Counts(ws.size(), 0)};
    for (std::size_t p = 0; p < cut.size(); ++p)
      for (int i = 0; i < cut[p]; ++i) of_cut = sum(of_cut, by_piece[p], wanted);
    held.insert(of_cut.begin(), of_cut.end());
  }
  return held;
}

}  // namespace

Best best(const WorkloadFile& file) {
  Counts wanted;
  for (const Workload& w : file.workloads) wanted.push_back(static_cast<int>(w.replicas));
  // How much can be held at which cost; cards are added one by one.
  std::map<std::int64_t, Held> by_cost{{0, {Counts(wanted.size(), 0)}}};
  for (const FleetEntry& entry : file.fleet) {
    const Card card = describe(*find_model(entry.card)->model, file.workloads);
    const Held one = card_contents(file.workloads, card, wanted, file.limits);
    for (std::int64_t i = 0; i < entry.count; ++i) {
      std::map<std::int64_t, Held> next = by_cost;
      for (const auto& [cost, held] : by_cost) {
        const Held with = sum(held, one, wanted);
        next[cost + entry.cost].insert(with.begin(), with.end());
      }
      by_cost = std::move(next);
    }
  }
  Best best{-1, 0};
  for (const auto& [cost, held] : by_cost)
    for (const Counts& counts : held) {
      std::int64_t placed = 0;
      for (const int count : counts) placed += count;
      if (placed > best.placed) best = {placed, cost};
    }
  return best;
}

}  // namespace carve::exhaustive
