// Sizing: what a partition really holds, against what a replica really needs. Figures that nobody knows are either
// derived on the safe side and marked, or keep the partition out.

#include <algorithm>

#include <fmt/format.h>

#include "policy/policy.h"

namespace carve {

namespace {

bool is_full(const CardModel& card, const Profile& profile) { return profile.memory_slices == card.memory_slices; }

// Usable memory of a profile: the driver's figure, else memory slices times the smallest plain profile's.
struct KnownMemory {
  Mib memory;
  bool derived = false;
};
std::optional<KnownMemory> usable_memory(const CardModel& card, const Profile& profile) {
  if (profile.memory) return KnownMemory{*profile.memory, false};
  for (const int index : plain_profiles(card)) {
    const Profile& smallest = card.profiles[static_cast<std::size_t>(index)];
    if (smallest.memory_slices == 1 && smallest.memory && profile.memory_slices)
      return KnownMemory{*smallest.memory * *profile.memory_slices, true};
  }
  return std::nullopt;
}

std::optional<PartitionKind> whole_card(const CardModel& card) {
  PartitionKind kind;
  kind.wall = Wall::card;
  kind.sms = card.sms;
  kind.compute_slices = kind.of_slices = std::max(1, card.compute_slices);
  if (card.total_memory) {
    kind.memory = *card.total_memory;
    return kind;
  }
  for (const Profile& profile : card.profiles) {
    if (!profile.attribute().empty() || !profile.memory_slices || !is_full(card, profile)) continue;
    if (const auto known = usable_memory(card, profile)) {
      kind.memory = known->memory;
      kind.memory_derived = true;
      return kind;
    }
  }
  return std::nullopt;
}

std::string percent_of(int part, int whole) {
  return to_string(Permille{(static_cast<std::int64_t>(part) * 1000 + whole / 2) / whole});
}

// The share of a card that `compute` names for this model.
struct NoFigure {};
std::variant<NoComputeNeed, NoFigure, Permille, ComputeSlices> need_on(const Workload& workload,
                                                                       const CardModel& card) {
  if (const auto* share = std::get_if<ComputeShare>(&workload.compute)) return share->of_card;
  if (const auto* slices = std::get_if<ComputeSlices>(&workload.compute)) return *slices;
  if (const auto* per_model = std::get_if<ComputePerModel>(&workload.compute)) {
    for (const auto& [model, share] : per_model->of_card)
      if (card.answers_to(model)) return share;
    return NoFigure{};
  }
  return NoComputeNeed{};
}

std::string_view called(const PartitionKind& kind) {
  return kind.wall == Wall::card ? std::string_view("the card") : std::string_view(kind.name);
}

Fit fit_share(Permille share, const CardModel& card, const PartitionKind& kind) {
  if (kind.wall == Wall::card) return {};  // a share is at most 100 %
  if (!card.sms || !kind.sms)
    return {Misfit::unknown_sms,
            fmt::format("how many SMs {} has is not publicly known, so {} of a card cannot be promised", kind.name,
                        to_string(share))};
  const int needed = static_cast<int>(ceil_div(share.value * *card.sms, 1000));
  const std::string sentence = fmt::format("{} of {} SMs are {}, needs {} ({} SMs)", *kind.sms, *card.sms,
                                           percent_of(*kind.sms, *card.sms), to_string(share), needed);
  return {needed <= *kind.sms ? Misfit::none : Misfit::compute, sentence};
}

Fit fit_compute(const Workload& workload, const CardModel& card, const PartitionKind& kind) {
  const auto need = need_on(workload, card);
  if (std::holds_alternative<NoFigure>(need))
    return {Misfit::unknown_sms, fmt::format("`compute` names no figure for {}", card.id)};
  if (const auto* share = std::get_if<Permille>(&need)) return fit_share(*share, card, kind);
  if (const auto* slices = std::get_if<ComputeSlices>(&need)) {
    if (kind.wall == Wall::card && !card.has_mig()) return {};
    return {slices->slices <= kind.compute_slices ? Misfit::none : Misfit::compute,
            fmt::format("{} of {} compute slices, needs {}", kind.compute_slices, kind.of_slices, slices->slices)};
  }
  return {};
}

Fit fit_measured(const Workload& workload, const CardModel& card, const PartitionKind& kind, const Limits& limits) {
  if (const auto row = best_row(workload, card, kind, limits))
    return {Misfit::none,
            fmt::format("{} at {}, {} of batch {}", to_string(row->throughput), to_string(row->latency),
                        row->processes == 1 ? "1 process" : fmt::format("{} processes", row->processes), row->batch)};
  const bool measured = std::any_of(workload.measured.begin(), workload.measured.end(), [&](const MeasuredRow& row) {
    return card.answers_to(row.card) && row.profile == kind.name;
  });
  if (!measured) return {Misfit::not_measured, fmt::format("no row of the table measured {}", called(kind))};
  return {Misfit::too_slow, fmt::format("no measured row keeps within {} of {}", to_string(workload.latency_margin),
                                        to_string(workload.objective.target))};
}

bool qualifies(const MeasuredRow& row, const Workload& workload, const CardModel& card, const PartitionKind& kind,
               const Limits& limits) {
  if (!card.answers_to(row.card) || row.profile != kind.name || row.throughput.value <= 0) return false;
  if (workload.max_processes > 0 && row.processes > workload.max_processes) return false;
  if (row.processes > 1 && row.processes > mps_client_limit(limits, kind.compute_slices, kind.of_slices)) return false;
  if (row.memory && *row.memory > kind.memory) return false;
  return !workload.objective.is_latency() ||
         row.latency.value * 1000 <= workload.objective.target.value * workload.latency_margin.value;
}

}  // namespace

std::vector<PartitionKind> partition_kinds(const CardModel& card) {
  std::vector<PartitionKind> kinds;
  if (card.can_be_cut())
    for (const int index : plain_profiles(card)) {
      const Profile& profile = card.profiles[static_cast<std::size_t>(index)];
      const auto known = usable_memory(card, profile);
      if (!known) continue;
      kinds.push_back({Wall::mig, index, profile.name, known->memory, known->derived, profile.sms,
                       profile.compute_slices, card.compute_slices});
    }
  if (const auto whole = whole_card(card)) kinds.push_back(*whole);
  return kinds;
}

Fit fit(const Workload& workload, const CardModel& card, const PartitionKind& kind, const Limits& limits) {
  if (workload.is_measured()) return fit_measured(workload, card, kind, limits);
  if (kind.wall == Wall::mig && is_full(card, card.profiles[static_cast<std::size_t>(kind.profile)]))
    return {Misfit::full_profile, "fills the card: the whole card gives the same without MIG"};
  if (workload.cards > 0) {
    if (kind.wall != Wall::card) return {Misfit::memory, "`cards:` asks for whole cards"};
    const Mib memory = kind.memory * workload.cards;
    if (workload.memory && workload.replica_memory() > memory)
      return {Misfit::memory, fmt::format("{} cards hold {}, needs {}", workload.cards, to_string(memory),
                                          to_string(workload.replica_memory()))};
    return {};
  }
  if (workload.replica_memory() > kind.memory)
    return {Misfit::memory,
            fmt::format("{} usable, needs {}", to_string(kind.memory), to_string(workload.replica_memory()))};
  if (Fit compute = fit_compute(workload, card, kind); !compute.fits()) return compute;
  if (workload.processes > 1) {
    const int clients = mps_client_limit(limits, kind.compute_slices, kind.of_slices);
    if (workload.processes > clients)
      return {Misfit::clients,
              fmt::format("an MPS server there takes {} clients, needs {}", clients, workload.processes)};
  }
  return {Misfit::none,
          fmt::format("{} usable, needs {}", to_string(kind.memory), to_string(workload.replica_memory()))};
}

std::optional<MeasuredRow> best_row(const Workload& workload, const CardModel& card, const PartitionKind& kind,
                                    const Limits& limits) {
  std::optional<MeasuredRow> best;
  const auto better = [](const MeasuredRow& a, const MeasuredRow& b) {
    return std::tuple(-a.throughput.value, a.latency, a.processes, a.batch) <
           std::tuple(-b.throughput.value, b.latency, b.processes, b.batch);
  };
  for (const MeasuredRow& row : workload.measured)
    if (qualifies(row, workload, card, kind, limits) && (!best || better(row, *best))) best = row;
  return best;
}

bool fills_card(const Workload& workload, const CardModel& card) {
  if (workload.is_measured() || workload.cards > 0) return false;
  const auto need = need_on(workload, card);
  if (const auto* share = std::get_if<Permille>(&need); share != nullptr && *share >= fills_a_card) return true;
  const auto whole = whole_card(card);
  return whole && workload.replica_memory().value * 1000 >= whole->memory.value * fills_a_card.value;
}

std::optional<int> sms_needed(const Workload& workload, const CardModel& card) {
  const auto need = need_on(workload, card);
  const auto* share = std::get_if<Permille>(&need);
  if (share == nullptr || !card.sms) return std::nullopt;
  return static_cast<int>(ceil_div(share->value * *card.sms, 1000));
}

int thread_percent(const Workload& workload, const CardModel& card, const PartitionKind& kind) {
  const auto need = need_on(workload, card);
  if (const auto* slices = std::get_if<ComputeSlices>(&need))
    return static_cast<int>(ceil_div(slices->slices * 100, kind.compute_slices));
  if (const auto* share = std::get_if<Permille>(&need)) {
    if (const auto needed = sms_needed(workload, card); needed && kind.sms)
      return static_cast<int>(ceil_div(*needed * 100, *kind.sms));
    return static_cast<int>(ceil_div(share->value, 10));  // a whole card of unknown SMs: the share is the percentage
  }
  return static_cast<int>(std::max<std::int64_t>(1, workload.replica_memory().value * 100 / kind.memory.value));
}

}  // namespace carve
