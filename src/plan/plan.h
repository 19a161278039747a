// plan: the answer. Cards with layouts, partitions with mechanisms, shares with replicas, reasons, findings, proof.
//
// In memory a plan is classes: cards that look alike are one CardClass with the positions of its cards, so that all
// work on a plan depends on the number of kinds and not of copies. The file (docs/plan-file.md) lists every card.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "policy/policy.h"
#include "text/text.h"

namespace carve {

// Equal replicas of one workload in one partition. On card i of the class they are the replicas
// first + i * count ... first + i * count + count - 1. A replica with `cards: N` has a share on each of its N cards: N
// classes then hold the same replica numbers. A partition that runs a measured row is one replica, numbered from 0.
struct Share {
  std::string workload;
  std::string tenant;  // "name/replica" is not in it: `tenant: each` keeps tenant empty and sets tenant_each
  bool tenant_each = false;
  std::int64_t first = 0;
  std::int64_t count = 1;
  Mib memory;                       // of one replica; of the whole partition for a measured row without memory
  std::optional<Permille> compute;  // of the card, as asked
  int processes = 1;
  std::optional<int> batch;
  std::optional<MilliPerSecond> throughput;
  std::optional<Mib> memory_limit;    // per MPS client
  std::optional<int> thread_percent;  // per MPS client

  bool operator==(const Share&) const = default;
};

struct Partition {
  Wall wall = Wall::card;
  std::string profile;                 // empty for a whole card
  std::optional<Placement> placement;  // nothing for a whole card
  Mechanism mechanism = Mechanism::exclusive;
  Mib memory;
  std::vector<Share> shares;  // ordered by workload

  bool operator==(const Partition&) const = default;
};

// Where a card is: the `index`-th card of host `node`.
struct Position {
  std::string node;
  int index = 0;
  auto operator<=>(const Position&) const = default;
};

// A live card that cannot be planned with.
struct LeftOut {
  Position position;
  std::string reason;  // "does not answer: GPU is lost (15)"
};

struct CardClass {
  std::string model;
  bool mig = false;
  std::vector<Position> positions;    // one per card; never empty
  std::vector<Partition> partitions;  // ordered by placement

  std::int64_t count() const { return static_cast<std::int64_t>(positions.size()); }
};

struct Unplaced {
  std::string workload;
  std::int64_t first = 0;  // replicas first .. first + count - 1; of a measured workload 0 and 0
  std::int64_t count = 0;
  std::optional<MilliPerSecond> rate;  // what is missing of a measured workload's rate
  std::string reason;                  // "needs 90 GiB; the largest card has 80 GiB"
  std::string nearest;                 // the nearest things that can be had
};

// What one workload got on the card models that it uses.
struct Chosen {
  Decision decision;
  std::vector<std::string> profiles;  // names of the partitions that it is in; "card" for a whole card
};

enum class Severity { error, warning, info };
std::string_view to_string(Severity);

struct Finding {
  std::string code;  // "memory.stranded"; docs/findings.md lists them all
  Severity severity = Severity::info;
  std::string subject;  // "node-0/0/2g.20gb@4", a workload's name, a card model; empty for the plan
  std::string message;
  std::string remedy;
  auto operator<=>(const Finding&) const = default;
};

// A bound on the cost that anybody can re-derive: for any non-negative price per replica (or per unit of rate), no card
// can hold contents that are worth more than the dearest contents of a card; docs/packing.md has the argument.
struct Price {
  std::string workload;
  std::int64_t price = 0;  // per replica, or per 1/s of rate, in cost / proof_scale
  auto operator<=>(const Price&) const = default;
};
inline constexpr std::int64_t proof_scale = 1'000'000;
struct Proof {
  std::vector<Price> prices;  // ordered by workload
  // The search covered every content of every partition and ended: nothing cheaper exists. Not re-derivable.
  bool search_complete = false;
};

struct Summary {
  std::int64_t cards_used = 0;
  std::int64_t lower_bound = 0;  // cards
  std::int64_t cost = 0;
  std::int64_t cost_lower_bound = 0;
  bool optimal = false;       // cost equals its bound, or the search was complete
  std::int64_t replicas = 0;  // asked for; a workload with a rate has none
  std::int64_t placed = 0;    // replicas on cards; one with `cards: N` counts once
  Mib stranded_memory;
  std::string free_largest_profile;  // on the cards in use; empty if none fits
};

struct Plan {
  std::vector<FleetEntry> fleet;
  std::vector<LeftOut> left_out;  // ordered by position
  Limits limits;
  std::vector<Workload> workloads;  // ordered by name
  std::vector<CardClass> cards;     // cards in use only, ordered by first position in the fleet
  std::vector<Unplaced> unplaced;   // ordered by workload
  std::vector<Chosen> decisions;    // ordered by workload, then card
  std::vector<Finding> findings;    // ordered by severity, code, subject
  Proof proof;
  Summary summary;
};

// Memory of a partition that no replica uses, as far as it is known. A partition without replicas is free, not
// stranded.
Mib stranded(const Partition&);

// Replicas of the share on the card at `position_index` of its class: the first, and one past the last.
std::pair<std::int64_t, std::int64_t> replica_range(const Share&, std::int64_t position_index);

const Workload* find_workload(const Plan&, std::string_view name);

// The host and index of the `number`-th card (from 0) of a fleet entry; hosts are numbered through the fleet, those of
// live cards have their own name.
Position position_in_fleet(const std::vector<FleetEntry>&, std::size_t entry, std::int64_t number);
// The live card at a position, or null.
const FleetCard* live_card(const std::vector<FleetEntry>&, const Position&);

// The file, docs/plan-file.md. Reading refuses a newer major version and ignores fields that it does not know.
std::string write_plan(const Plan&);
Result<Plan> read_plan(const std::string& path);
Result<Plan> parse_plan(const std::string& text, const std::string& path);

}  // namespace carve
