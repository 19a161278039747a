// The verbs of a plan in memory that are not its file.
#include "plan/plan.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace carve {

namespace {

constexpr std::array<std::string_view, 3> severity_names{"error", "warning", "info"};

}  // namespace

std::string_view to_string(Severity severity) { return severity_names[static_cast<std::size_t>(severity)]; }

Mib stranded(const Partition& partition) {
  if (partition.shares.empty()) return {};
  Mib left = partition.memory;
  for (const Share& share : partition.shares) left -= share.memory * share.count;
  return std::max(left, Mib{0});
}

std::pair<std::int64_t, std::int64_t> replica_range(const Share& share, std::int64_t position_index) {
  const std::int64_t first = share.first + position_index * share.count;
  return {first, first + share.count};
}

const Workload* find_workload(const Plan& plan, std::string_view name) {
  const auto found = std::lower_bound(plan.workloads.begin(), plan.workloads.end(), name,
                                      [](const Workload& w, std::string_view wanted) { return w.name < wanted; });
  return found != plan.workloads.end() && found->name == name ? &*found : nullptr;
}

Position position_in_fleet(const std::vector<FleetEntry>& fleet, std::size_t entry, std::int64_t number) {
  if (!fleet[entry].live.empty()) return {fleet[entry].node, fleet[entry].live[static_cast<std::size_t>(number)].index};
  std::int64_t host = 0;
  for (std::size_t earlier = 0; earlier < entry; ++earlier) host += fleet[earlier].nodes;
  const std::int64_t per_host = fleet[entry].count / fleet[entry].nodes;
  return {fmt::format("node-{}", host + number / per_host), static_cast<int>(number % per_host)};
}

const FleetCard* live_card(const std::vector<FleetEntry>& fleet, const Position& position) {
  for (const FleetEntry& entry : fleet) {
    if (entry.node != position.node) continue;
    for (const FleetCard& card : entry.live)
      if (card.index == position.index) return &card;
  }
  return nullptr;
}

}  // namespace carve
