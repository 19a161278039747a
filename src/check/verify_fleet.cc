// Where the cards are. Live cards are those that the fleet lists, host and index. Of others hosts are node-0, node-1,
// ... through the entries of the fleet in order, each entry on hosts of its own, its cards spread evenly; within a host
// cards count from 0.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "check/subject.h"
#include "check/verifier.h"

namespace carve {

namespace {

// The cards of one entry, with a mark for each that the plan uses.
struct Rack {
  const FleetEntry* entry;
  std::int64_t first_host;
  std::vector<bool> used;

  std::int64_t per_host() const { return entry->count / entry->nodes; }
};

std::vector<Rack> racks_of(const std::vector<FleetEntry>& fleet, Violations& found) {
  std::vector<Rack> racks;
  std::int64_t host = 0;
  for (const FleetEntry& entry : fleet) {
    if (entry.count <= 0 || entry.nodes <= 0 || entry.count % entry.nodes != 0) {
      found.add(entry.card, fmt::format("{} of the fleet cannot be spread evenly over {}", counted(entry.count, "card"),
                                        counted(entry.nodes, "host")));
      continue;
    }
    if (!entry.live.empty() && (entry.nodes != 1 || std::ssize(entry.live) != entry.count)) {
      found.add(entry.card, "an entry of live cards does not list each of them");
      continue;
    }
    racks.push_back({&entry, host, std::vector<bool>(static_cast<std::size_t>(entry.count), false)});
    host += entry.nodes;
  }
  return racks;
}

// The number of a host called node-N.
std::optional<std::int64_t> host_number(std::string_view node) {
  constexpr std::string_view prefix = "node-";
  if (!node.starts_with(prefix)) return std::nullopt;
  const std::string_view digits = node.substr(prefix.size());
  std::int64_t number = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || number < 0) return std::nullopt;
  return number;
}

// A card of a rack, counted from 0.
struct Slot {
  Rack* rack;
  std::int64_t number;
};

std::optional<Slot> numbered_slot(std::vector<Rack>& racks, const Position& position) {
  const std::optional<std::int64_t> host = host_number(position.node);
  for (Rack& rack : racks) {
    if (!host || !rack.entry->live.empty()) continue;
    const std::int64_t within = *host - rack.first_host;
    if (within < 0 || within >= rack.entry->nodes) continue;
    if (position.index < 0 || position.index >= rack.per_host()) return std::nullopt;
    return Slot{&rack, within * rack.per_host() + position.index};
  }
  return std::nullopt;
}

std::optional<Slot> live_slot(std::vector<Rack>& racks, const Position& position) {
  for (Rack& rack : racks) {
    const std::vector<FleetCard>& cards = rack.entry->live;
    const auto at =
        std::find_if(cards.begin(), cards.end(), [&](const FleetCard& c) { return c.index == position.index; });
    if (rack.entry->node == position.node && at != cards.end()) return Slot{&rack, at - cards.begin()};
  }
  return std::nullopt;
}

// Marks the card as used and gives its cost, or says why it cannot be.
std::int64_t take(std::vector<Rack>& racks, const CardClass& cards, const Position& position, Violations& found) {
  std::optional<Slot> slot = live_slot(racks, position);
  if (!slot) slot = numbered_slot(racks, position);
  if (!slot) {
    found.add(subject_of(position), "the fleet has no card there");
    return 0;
  }
  const auto& [rack, number] = *slot;
  if (rack->entry->card != cards.model) {
    found.add(subject_of(position),
              fmt::format("is {} in the fleet and {} in the plan", rack->entry->card, cards.model));
  }
  if (rack->used[static_cast<std::size_t>(number)]) found.add(subject_of(position), "is in the plan twice");
  rack->used[static_cast<std::size_t>(number)] = true;
  return rack->entry->cost;
}

}  // namespace

std::int64_t verify_fleet(const Plan& plan, Violations& found) {
  std::vector<Rack> racks = racks_of(plan.fleet, found);
  std::int64_t cost = 0;
  for (const CardClass& cards : plan.cards) {
    if (cards.positions.empty()) found.add(cards.model, "a class of cards has no card");
    for (const Position& position : cards.positions) cost += take(racks, cards, position, found);
  }
  return cost;
}

}  // namespace carve
