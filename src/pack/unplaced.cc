#include "pack/unplaced.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace carve::packing {

namespace {

const PartitionKind* whole_of(const Board& board) {
  const auto whole = board.whole_kind();
  return whole ? &board.kinds[static_cast<std::size_t>(*whole)] : nullptr;
}

bool could_hold(const Problem& problem, const Board& board, int demand) {
  const Workload& workload = *problem.demands[static_cast<std::size_t>(demand)].workload;
  if (workload.cards > 0) {
    const PartitionKind* whole = whole_of(board);
    return whole != nullptr && fit(workload, *board.card, *whole, problem.limits).fits() &&
           std::any_of(board.supplies.begin(), board.supplies.end(),
                       [&](const Supply& supply) { return supply.per_node >= workload.cards; });
  }
  for (std::size_t k = 0; k < board.kinds.size(); ++k)
    if (board.find_item(static_cast<int>(k), demand) != nullptr) return true;
  return false;
}

// Why no partition of any card of the fleet holds it: what its roomiest card lacks.
std::string why_nothing_holds(const Problem& problem, const Workload& workload) {
  std::string reason;
  Mib roomiest{-1};
  for (const Board& board : problem.boards) {
    const PartitionKind* whole = whole_of(board);
    if (whole == nullptr) {
      if (reason.empty()) reason = fmt::format("how much memory {} has is not publicly known", board.card->id);
      continue;
    }
    if (whole->memory <= roomiest) continue;
    roomiest = whole->memory;
    if (workload.is_measured()) {
      // The best news of any kind: a row that is too slow says more than one that is not there.
      for (const PartitionKind& kind : board.kinds) {
        const Fit verdict = fit(workload, *board.card, kind, problem.limits);
        if (reason.empty() || verdict.misfit == Misfit::too_slow) reason = verdict.sentence;
      }
      continue;
    }
    const Fit verdict = fit(workload, *board.card, *whole, problem.limits);
    if (verdict.misfit == Misfit::memory && workload.cards == 0)
      reason = fmt::format("needs {}; the largest card, {}, has {}", to_string(workload.replica_memory()),
                           board.card->id, to_string(whole->memory));
    else if (!verdict.fits())
      reason = verdict.sentence;
    else
      reason = fmt::format("needs {} cards on one host; no host of {} has as many", workload.cards, board.card->id);
  }
  return reason;
}

// The card of the catalog with the least memory that would hold one replica, whole. Compute slices are those of MIG, so
// a card without it is no answer to who asks for more of them.
std::string next_larger_card(const Problem& problem, const Workload& workload) {
  const CardModel* best = nullptr;
  Mib least;
  const bool slices = std::holds_alternative<ComputeSlices>(workload.compute);
  for (const CardModel& card : catalog())
    for (const PartitionKind& kind : partition_kinds(card)) {
      if (slices && !card.has_mig()) continue;
      if (kind.wall != Wall::card || !fit(workload, card, kind, problem.limits).fits()) continue;
      if (best != nullptr && kind.memory >= least) continue;
      best = &card;
      least = kind.memory;
    }
  if (best == nullptr || workload.is_measured()) return "";
  return workload.cards > 0 ? fmt::format("{} {} have {}", workload.cards, best->id, to_string(least * workload.cards))
                            : fmt::format("one {} has {}", best->id, to_string(least));
}

// Where the cards are large enough and the hosts are not: how many cards a host has.
std::string larger_host(const Problem& problem, const Workload& workload) {
  if (workload.cards == 0) return "";
  for (const Board& board : problem.boards) {
    const PartitionKind* whole = whole_of(board);
    if (whole == nullptr || !fit(workload, *board.card, *whole, problem.limits).fits()) continue;
    std::int64_t most = 0;
    for (const Supply& supply : board.supplies) most = std::max(most, supply.per_node);
    return fmt::format("a host with {} {}; or `cards: {}`, which is what a host has", workload.cards, board.card->id,
                       most);
  }
  return "";
}

// Models of the fleet that `compute` names no figure for.
std::string missing_figure(const Problem& problem, const Workload& workload) {
  const auto* shares = std::get_if<ComputePerModel>(&workload.compute);
  if (shares == nullptr) return "";
  std::vector<std::string_view> models;
  for (const Board& board : problem.boards) {
    const std::string& id = board.card->id;
    if (std::none_of(shares->of_card.begin(), shares->of_card.end(), [&](const auto& row) { return row.first == id; }))
      models.push_back(id);
  }
  return models.empty() ? "" : fmt::format("a share of {} in `compute`", fmt::join(models, " or of "));
}

// What would have to be otherwise where no card of the fleet holds it: the first that applies.
std::string what_would_hold(const Problem& problem, const Workload& workload) {
  for (const auto answer : {missing_figure, larger_host, next_larger_card})
    if (std::string text = answer(problem, workload); !text.empty()) return text;
  return "";
}

// How much of the demand one card of the board holds when it holds nothing else.
std::int64_t held_by_one_card(const Board& board, const std::vector<Group>& groups, int b, int demand) {
  std::vector<std::int64_t> by_kind(board.kinds.size(), 0);
  for (const Content& content : uniform_contents(groups))
    if (content.board == b)
      for (const Member& member : content.members) {
        if (member.demand != demand) continue;
        std::int64_t& most_in_kind = by_kind[static_cast<std::size_t>(content.kind)];
        most_in_kind = std::max(most_in_kind, member.count * board.find_item(content.kind, demand)->yield());
      }
  std::int64_t most = 0;
  for (const Cut& cut : board.cuts) {
    std::int64_t held = 0;
    for (std::size_t k = 0; k < cut.slots.size(); ++k) held += cut.slots[k] * by_kind[k];
    most = std::max(most, held);
  }
  return most;
}

// "2 more a100-80gb": enough, and often more than enough.
std::vector<std::string> more_cards(const Problem& problem, int demand, std::int64_t missing) {
  const std::vector<Group> groups = groups_of(problem);
  const Workload& workload = *problem.demands[static_cast<std::size_t>(demand)].workload;
  std::vector<std::string> offers;
  for (std::size_t b = 0; b < problem.boards.size(); ++b) {
    const Board& board = problem.boards[b];
    if (!could_hold(problem, board, demand)) continue;
    if (workload.cards > 0) {
      offers.push_back(fmt::format("{} with {} more {} on it",
                                   missing == 1 ? "a host" : fmt::format("{} hosts", missing), workload.cards,
                                   board.card->id));
    } else if (const std::int64_t held = held_by_one_card(board, groups, static_cast<int>(b), demand); held > 0) {
      offers.push_back(fmt::format("{} more {}", ceil_div(missing, held), board.card->id));
    }
  }
  return offers;
}

std::string full_fleet(const Problem& problem, int demand) {
  std::vector<std::string> full;
  for (const Board& board : problem.boards) {
    if (!could_hold(problem, board, demand)) continue;
    std::int64_t count = 0;
    for (const Supply& supply : board.supplies) count += supply.count;
    full.push_back(fmt::format("{} {}", count, board.card->id));
  }
  return fmt::format("it would fit, but the rest fills all {}", fmt::join(full, " and all "));
}

// Whether one workload misses a place or several do.
enum class Missing { only_this, others_too };

// "one replica fewer", "a rate of 320/s": what of it there is room for. Without one of several that are missing the
// rest does not fit, so that is no advice.
std::string less_of(const Workload& workload, std::int64_t missing, Missing who) {
  const std::int64_t all = workload.is_measured() ? workload.rate->value : workload.replicas;
  if (missing == all) return who == Missing::only_this ? fmt::format("without {}, the rest fits", workload.name) : "";
  if (workload.is_measured()) return fmt::format("a rate of {}", to_string(MilliPerSecond{all - missing}));
  return missing == 1 ? "one replica fewer" : fmt::format("{} replicas fewer", missing);
}

void explain(const Problem& problem, int demand, const Solution& solution, const std::string& free_profile,
             Unplaced& unplaced) {
  const std::int64_t missing = solution.missing[static_cast<std::size_t>(demand)];
  const auto all = std::count_if(solution.missing.begin(), solution.missing.end(), [](auto m) { return m > 0; });
  const Workload& workload = *problem.demands[static_cast<std::size_t>(demand)].workload;
  std::vector<std::string> nearest;
  const bool holdable = std::any_of(problem.boards.begin(), problem.boards.end(),
                                    [&](const Board& board) { return could_hold(problem, board, demand); });
  if (holdable) {
    unplaced.reason = full_fleet(problem, demand);
    nearest = more_cards(problem, demand, missing);
    if (std::string less = less_of(workload, missing, all == 1 ? Missing::only_this : Missing::others_too);
        !less.empty())
      nearest.push_back(std::move(less));
    if (!free_profile.empty() && workload.cards == 0)
      nearest.push_back(fmt::format("the largest profile that is free on the cards in use is {}", free_profile));
  } else {
    unplaced.reason = why_nothing_holds(problem, workload);
    if (std::string other = what_would_hold(problem, workload); !other.empty()) nearest.push_back(std::move(other));
  }
  unplaced.nearest = fmt::format("{}", fmt::join(nearest, "; or "));
}

}  // namespace

std::vector<Unplaced> explain_unplaced(const Problem& problem, const Solution& solution,
                                       const std::vector<CardClass>& cards) {
  const std::string free_profile = largest_free_profile(problem, cards);
  std::vector<Unplaced> all;
  for (std::size_t d = 0; d < problem.demands.size(); ++d) {
    const std::int64_t missing = solution.missing[d];
    if (missing == 0) continue;
    const Workload& workload = *problem.demands[d].workload;
    Unplaced unplaced;
    unplaced.workload = workload.name;
    if (workload.is_measured()) {
      unplaced.rate = MilliPerSecond{missing};
    } else {
      unplaced.first = workload.replicas - missing;
      unplaced.count = missing;
    }
    explain(problem, static_cast<int>(d), solution, free_profile, unplaced);
    all.push_back(std::move(unplaced));
  }
  return all;
}

std::string largest_free_profile(const Problem& problem, const std::vector<CardClass>& cards) {
  const Profile* largest = nullptr;
  for (const CardClass& card : cards) {
    if (!card.mig) continue;
    const auto board = std::find_if(problem.boards.begin(), problem.boards.end(),
                                    [&](const Board& b) { return b.card->id == card.model; });
    Layout layout = 0;
    const std::vector<PlacedProfile>& places = board->geometry->places();
    for (const Partition& partition : card.partitions)
      for (std::size_t i = 0; i < places.size(); ++i)
        if (places[i].placement == *partition.placement &&
            board->card->profiles[static_cast<std::size_t>(places[i].profile)].name == partition.profile)
          layout |= Layout{1} << i;
    const auto free = board->geometry->largest_addable(layout);
    if (!free) continue;
    const Profile& profile = board->card->profiles[static_cast<std::size_t>(*free)];
    const auto size = [](const Profile& p) { return std::pair(*p.memory_slices, p.compute_slices); };
    if (largest == nullptr || size(profile) > size(*largest)) largest = &profile;
  }
  return largest == nullptr ? "" : largest->name;
}

}  // namespace carve::packing
