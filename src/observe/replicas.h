// The processes of one reading, put together to replicas.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "observe/observe.h"

namespace carve::observe_internal {

// A whole card, or a GPU instance of one.
struct Piece {
  int card = 0;
  std::optional<GpuInstanceId> instance;
  auto operator<=>(const Piece&) const = default;
};

// A process, with what it has on the pieces of its replica.
struct Member {
  ProcessId id;
  Reading<ProcessFacts> facts;
  Reading<Mib> memory = Mib{};
};

// Of a card's SMs, since the reading before.
struct SmSample {
  Permille mean, peak;
};

struct Replica {
  std::string_view held_by;
  std::vector<Member> members;  // the one that started first leads
  std::set<Piece> pieces;       // several only of whole cards
  Reading<Mib> memory;
  MemoryTold memory_told = MemoryTold::of_processes;
  std::vector<Untold> untold;
  Reading<SmSample> sm;
  std::map<ProcessId, SmSample> sm_of;  // of members, where it is told of each
};

struct Sighting {
  std::vector<Replica> replicas;
  std::int64_t drawing = 0;  // processes that only draw, and
  std::int64_t servers = 0;  // servers of MPS, which compute for their clients: none of the replicas
};

// `known`: what was known of processes at the reading before, for one that ended while it was looked up.
Sighting sight(const Machine&, const std::map<std::int32_t, ProcessFacts>& known);

}  // namespace carve::observe_internal
