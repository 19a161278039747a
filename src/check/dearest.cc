// Per kind of partition the dearest way to use it: one replica alone, one measured row, or one tenant's group under MPS
// or time slicing. Then the dearest set of partitions that can be cut out of the card together, or the card as a whole.
// How often a workload exists is counted within a partition and over the whole card, not across partitions; that keeps
// the value above the optimum, never below.
#include "check/dearest.h"

#include <algorithm>
#include <map>
#include <optional>

#include "check/asks.h"
#include "check/rights.h"

namespace carve {

namespace {

constexpr std::int64_t milli = 1000;

// ------------------------------------------------------------------------------------------------- one partition

// The card, one kind of its partitions, and the limits that hold there.
struct Kind {
  const CardModel& model;
  const Piece& piece;
  const Limits& limits;
};

bool is_full_profile(const Kind& kind) {
  return !kind.piece.whole_card() && kind.piece.profile == full_profile(kind.model);
}

Worth measured_value(const Demand& demand, const Kind& kind) {
  Worth best = 0;
  for (const MeasuredRow& row : demand.workload->measured) {
    if (!row_qualifies(row, *demand.workload, kind.model, kind.piece)) continue;
    if (!demand.by_rate()) return demand.price;
    const Worth useful = std::min(row.throughput.value, demand.amount);
    best = std::max(best, (Worth{demand.price} * useful + milli - 1) / milli);
  }
  return best;
}

// One replica that has the partition alone.
Worth alone(const Demand& demand, const Kind& kind) {
  const Workload& workload = *demand.workload;
  if (demand.amount <= 0 || demand.price <= 0) return 0;
  if (needs_whole_card(workload) && !kind.piece.whole_card()) return 0;
  if (workload.is_measured()) return measured_value(demand, kind);
  if (is_full_profile(kind)) return 0;  // the whole card carries all that it carries
  if (workload.cards > 0) return ceil_div(demand.price, workload.cards);
  const std::optional<Mib> memory = memory_asked(workload);
  if (!memory || !kind.piece.memory || *memory > *kind.piece.memory) return 0;
  if (compute_misfit(workload, kind.model, kind.piece)) return 0;
  if (workload.processes > 1 && workload.processes > client_limit(kind.limits, kind.piece)) return 0;
  return demand.price;
}

// One tenant's replicas that share the partition by MPS: memory, threads, clients.
std::optional<Item> mps_item(const Demand& demand, const Kind& kind) {
  if (compute_misfit(*demand.workload, kind.model, kind.piece)) return std::nullopt;
  const std::optional<std::int64_t> threads = threads_asked(*demand.workload, kind.model, kind.piece);
  if (!threads) return std::nullopt;
  return Item{
      demand.price, {memory_asked(*demand.workload)->value, *threads, demand.workload->processes}, demand.amount};
}

// The same by time slicing: memory, duty.
std::optional<Item> time_slicing_item(const Demand& demand, const Kind& kind) {
  if (compute_misfit(*demand.workload, kind.model, kind.piece)) return std::nullopt;
  return Item{
      demand.price, {memory_asked(*demand.workload)->value, duty_asked(*demand.workload).value, 0}, demand.amount};
}

struct Group {
  Mechanism mechanism;
  std::optional<Item> (*item)(const Demand&, const Kind&);
};
constexpr Group groups[] = {{Mechanism::mps, mps_item}, {Mechanism::time_slicing, time_slicing_item}};

Weights capacity_of(Mechanism mechanism, const Kind& kind) {
  const std::int64_t memory = kind.piece.memory->value;
  if (mechanism == Mechanism::mps) return {memory, kind.limits.thread_percent, client_limit(kind.limits, kind.piece)};
  return {memory, kind.limits.duty.value, 0};
}

Worth shared(const std::vector<Demand>& demands, const Kind& kind) {
  if (!kind.piece.memory || is_full_profile(kind)) return 0;
  Worth best = 0;
  for (const auto& [mechanism, item_of] : groups) {
    std::map<std::string_view, std::vector<Item>> by_tenant;
    for (const Demand& demand : demands) {
      if (demand.amount <= 0 || demand.price <= 0 || !memory_asked(*demand.workload)) continue;
      if (sharing_mechanism(*demand.workload) != mechanism || takes_all_of_card(*demand.workload, kind.model)) continue;
      if (auto item = item_of(demand, kind)) by_tenant[demand.workload->tenant].push_back(*item);
    }
    for (auto& [tenant, items] : by_tenant) {
      best = std::max(best, dearest_group(std::move(items), capacity_of(mechanism, kind)));
    }
  }
  return best;
}

Worth dearest_use(const std::vector<Demand>& demands, const Kind& kind) {
  Worth best = shared(demands, kind);
  for (const Demand& demand : demands) best = std::max(best, alone(demand, kind));
  return best;
}

// ------------------------------------------------------------------------------------------------------- one card

// An instance at a place, worth its dearest use.
struct Spot {
  std::size_t profile;  // among the cuttable ones
  std::uint64_t slices;
  int compute;
  Worth value;
};

// Tries every set of instances that fit together: there are some hundreds on any card.
class Cutting {
 public:
  Cutting(const CardModel& model, const std::vector<const Profile*>& profiles, const std::vector<Worth>& values)
      : compute_(model.compute_slices), instances_(model.max_instances) {
    for (std::size_t i = 0; i < profiles.size(); ++i) {
      left_.push_back(profiles[i]->max_instances);
      if (values[i] <= 0) continue;
      for (const Placement& place : profiles[i]->placements) {
        const std::uint64_t slices = ((std::uint64_t{1} << place.size) - 1) << place.start;
        places_.push_back({i, slices, profiles[i]->compute_slices, values[i]});
      }
    }
  }

  Worth best() {
    search(0, 0);
    return best_;
  }

 private:
  void search(std::size_t from, Worth value) {
    best_ = std::max(best_, value);
    if (instances_ == 0) return;
    for (std::size_t i = from; i < places_.size(); ++i) {
      const Spot& place = places_[i];
      if ((taken_ & place.slices) != 0 || place.compute > compute_ || left_[place.profile] == 0) continue;
      taken_ |= place.slices, compute_ -= place.compute, --left_[place.profile], --instances_;
      search(i + 1, value + place.value);
      taken_ &= ~place.slices, compute_ += place.compute, ++left_[place.profile], ++instances_;
    }
  }

  std::vector<Spot> places_;
  std::vector<int> left_;
  int compute_;
  int instances_;
  std::uint64_t taken_ = 0;
  Worth best_ = 0;
};

}  // namespace

Worth worth(const Demand& demand) {
  return Worth{demand.price} * std::max<std::int64_t>(demand.amount, 0) / (demand.by_rate() ? milli : 1);
}

Worth dearest_contents(const CardModel& model, const std::vector<Demand>& demands, const Limits& limits) {
  const std::vector<const Profile*> profiles = cuttable_profiles(model);
  std::vector<Worth> values;
  for (const Profile* profile : profiles) {
    const Piece piece = piece_of(model, *profile);
    values.push_back(piece.memory ? dearest_use(demands, {model, piece, limits}) : 0);
  }
  const Piece card = whole_card(model);
  const Worth whole = card.memory ? dearest_use(demands, {model, card, limits}) : 0;
  Worth everything = 0;
  for (const Demand& demand : demands) everything += worth(demand) + 1;  // worth() rounds down
  return std::min(everything, std::max(whole, Cutting(model, profiles, values).best()));
}

}  // namespace carve
