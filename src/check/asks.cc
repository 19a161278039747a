#include "check/asks.h"

#include <algorithm>

#include <fmt/format.h>

namespace carve {

namespace {

constexpr std::int64_t whole = 1000;  // permille

// SMs asked for, given those of the card.
std::int64_t sms_asked(Permille share, int card_sms) { return ceil_div(share.value * card_sms, whole); }

// A workload with a table of shares must name every model that it goes to.
bool lacks_model(const Workload& workload, const CardModel& model) {
  return std::holds_alternative<ComputePerModel>(workload.compute) && !compute_share(workload, model);
}

}  // namespace

std::optional<Permille> compute_share(const Workload& workload, const CardModel& model) {
  if (const auto* share = std::get_if<ComputeShare>(&workload.compute)) return share->of_card;
  if (const auto* table = std::get_if<ComputePerModel>(&workload.compute)) {
    for (const auto& [card, share] : table->of_card) {
      if (model.answers_to(card)) return share;
    }
  }
  return std::nullopt;
}

std::optional<std::string> compute_misfit(const Workload& workload, const CardModel& model, const Piece& piece) {
  if (const auto* slices = std::get_if<ComputeSlices>(&workload.compute)) {
    if (piece.compute_slices >= slices->slices || !model.has_mig()) return std::nullopt;
    return fmt::format("has {} of the {} compute slices that the replica needs", piece.compute_slices, slices->slices);
  }
  if (lacks_model(workload, model)) return fmt::format("`compute` of the workload says nothing about {}", model.id);
  const std::optional<Permille> share = compute_share(workload, model);
  if (!share || piece.whole_card()) return std::nullopt;  // a card carries every share of a card
  if (!model.sms || !piece.sms) return "has an unknown number of SMs, and the replica needs a share of the card's";
  const std::int64_t asked = sms_asked(*share, *model.sms);
  if (*piece.sms >= asked) return std::nullopt;
  return fmt::format("has {} of {} SMs and the replica needs {}", *piece.sms, *model.sms, asked);
}

std::optional<std::int64_t> threads_asked(const Workload& workload, const CardModel& model, const Piece& piece) {
  if (const auto* slices = std::get_if<ComputeSlices>(&workload.compute)) {
    return ceil_div(100 * slices->slices, piece.compute_slices);
  }
  if (lacks_model(workload, model)) return std::nullopt;
  const std::optional<Permille> share = compute_share(workload, model);
  if (share && model.sms && piece.sms) return ceil_div(100 * sms_asked(*share, *model.sms), *piece.sms);
  if (share && piece.whole_card()) return ceil_div(share->value, 10);
  if (share) return std::nullopt;
  const std::optional<Mib> memory = memory_asked(workload);
  if (!memory || !piece.memory || piece.memory->value <= 0) return 1;
  return std::max<std::int64_t>(1, 100 * memory->value / piece.memory->value);
}

std::int64_t client_limit(const Limits& limits, const Piece& piece) {
  if (piece.whole_card()) return limits.mps_clients;
  return std::max<std::int64_t>(1, std::int64_t{limits.mps_clients} * piece.compute_slices / piece.of_slices);
}

std::optional<Mib> memory_asked(const Workload& workload) {
  if (!workload.memory) return std::nullopt;
  return *workload.memory + workload.context.value_or(Mib{0}) * (workload.processes - 1);
}

bool takes_all_of_card(const Workload& workload, const CardModel& model) {
  if (workload.cards > 0 || workload.is_measured()) return false;
  if (const auto share = compute_share(workload, model); share && share->value >= 900) return true;
  const std::optional<Mib> memory = memory_asked(workload);
  const std::optional<Mib> all = whole_card(model).memory;
  return memory && all && memory->value * 10 >= all->value * 9;
}

Permille duty_asked(const Workload& workload) { return workload.duty.value_or(Permille{whole}); }

bool row_qualifies(const MeasuredRow& row, const Workload& workload, const CardModel& model, const Piece& piece) {
  if (!model.answers_to(row.card)) return false;
  if (row.profile != (piece.whole_card() ? std::string_view() : std::string_view(piece.profile->name))) return false;
  if (workload.max_processes > 0 && row.processes > workload.max_processes) return false;
  if (!workload.objective.is_latency()) return true;
  return row.latency.value * whole <= workload.latency_margin.value * workload.objective.target.value;
}

}  // namespace carve
