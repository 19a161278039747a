// Where the cards are. Hosts are node-0, node-1, ... through the entries of the fleet in order, each entry on hosts of
// its own, its cards spread evenly; within a host cards count from 0.
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

Rack* rack_of(std::vector<Rack>& racks, std::int64_t host) {
  for (Rack& rack : racks) {
    if (host >= rack.first_host && host < rack.first_host + rack.entry->nodes) return &rack;
  }
  return nullptr;
}

// Marks the card as used and gives its cost, or says why it cannot be.
std::int64_t take(std::vector<Rack>& racks, const CardClass& cards, const Position& position, Violations& found) {
  const std::optional<std::int64_t> host = host_number(position.node);
  Rack* rack = host ? rack_of(racks, *host) : nullptr;
  if (rack == nullptr || position.index < 0 || position.index >= rack->per_host()) {
    found.add(subject_of(position), "the fleet has no card there");
    return 0;
  }
  if (rack->entry->card != cards.model) {
    found.add(subject_of(position),
              fmt::format("is {} in the fleet and {} in the plan", rack->entry->card, cards.model));
  }
  const std::int64_t number = (*host - rack->first_host) * rack->per_host() + position.index;
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
