// observe: what running processes use of the cards, from many readings of the machine, as workloads to start from.
// Pure: values in, values and text out.
//
//   Observation       takes readings one by one, and says what was seen
//   Observed          workloads with their figures; what was not told, and why
//   workload_draft()  the same as a workload file, with a comment where a figure was not told
//
// Processes are one replica if they are in one pod, container or job, or if one is an ancestor of the other, or if a
// shell started them as one job (a process group). Replicas of one user with one command line are one workload.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "machine/machine.h"
#include "text/text.h"

namespace carve {

// --------------------------------------------------------------------------------------------------- what was seen

// A share of the SMs of one card.
struct SmUse {
  Permille mean, peak;
  Permille duty;          // of the samples that told: those in which it was above zero
  std::int64_t told = 0;  // samples in which it was told; at least 1
};

// A pid may be used again; with the start it names one process.
struct ProcessId {
  std::int32_t pid = 0;
  std::optional<std::uint64_t> started;
  auto operator<=>(const ProcessId&) const = default;
};

struct SeenProcess {
  ProcessId id;
  std::string cgroup;
  std::int64_t samples = 0;
  std::optional<Mib> memory;  // its peak
  std::optional<SmUse> sm;
};

// Where the memory of a workload comes from.
enum class MemoryTold : std::uint8_t { of_processes, of_partition };

struct SeenWorkload {
  std::string name;
  std::string tenant;   // "each" where nothing says who trusts whom
  std::string held_by;  // "pod", "container", "job", "process group"
  std::string user;     // empty: not told
  std::string command;  // any bytes
  std::int64_t samples = 0;
  std::int64_t replicas = 0;   // the most at the same time
  std::int64_t processes = 0;  // of one replica, the most
  std::int64_t cards = 0;      // whole cards that one replica held, where they were several; else 0
  std::optional<Mib> memory;   // peak of one replica
  MemoryTold memory_told = MemoryTold::of_processes;
  std::optional<SmUse> sm;
  std::vector<Untold> untold;          // figures that were missing in some sample, and why
  std::vector<SeenProcess> members;    // by pid; not more than most_members
  std::int64_t further_processes = 0;  // that are not listed
};

struct Observed {
  std::int64_t samples = 0;
  std::vector<SeenWorkload> workloads;  // by user, command
  std::vector<std::string> notes;       // sentences: cards that were lost, who was left out
  std::int64_t further_workloads = 0;   // that were too many to keep
};

inline constexpr std::size_t most_members = 1000;
inline constexpr std::size_t most_workloads = 1000;

// ------------------------------------------------------------------------------------------------------- observing

namespace observe_internal {
struct Replica;

struct WorkloadKey {
  std::string held_by, user, command;
  auto operator<=>(const WorkloadKey&) const = default;
};

struct SmSample;
struct UseSum {
  std::int64_t permille = 0, told = 0, busy = 0, peak = 0;
  void add(const SmSample&);
  std::optional<SmUse> use() const;
};

struct ProcessTally {
  std::string cgroup;
  std::int64_t samples = 0;
  std::optional<Mib> memory;
  UseSum sm;
};

struct WorkloadTally {
  std::int64_t samples = 0, replicas = 0, processes = 0, cards = 0;
  std::optional<Mib> memory;
  MemoryTold memory_told = MemoryTold::of_processes;
  UseSum sm;
  std::vector<Untold> untold;
  std::map<ProcessId, ProcessTally> members;
  std::set<ProcessId> further;
};
}  // namespace observe_internal

class Observation {
 public:
  // A reading for which the driver was asked how busy the cards are.
  void add(const Machine&);
  std::int64_t samples() const { return samples_; }
  // At the reading that was added last.
  std::int64_t running() const { return static_cast<std::int64_t>(before_.size()); }
  std::int64_t workloads() const { return static_cast<std::int64_t>(tallies_.size()); }
  Observed result() const;

 private:
  observe_internal::WorkloadKey key_of(const observe_internal::Replica&) const;
  void note(std::string sentence);

  std::int64_t samples_ = 0;
  std::map<observe_internal::WorkloadKey, observe_internal::WorkloadTally> tallies_;
  std::map<ProcessId, observe_internal::WorkloadKey> before_;  // who ran at the last reading
  std::map<std::int32_t, ProcessFacts> facts_;                 // of these
  std::vector<std::string> notes_;
  std::int64_t further_workloads_ = 0;
};

// ---------------------------------------------------------------------------------------------------------- writing

// How long was looked, and how it came to an end.
struct ObservedSpan {
  std::chrono::milliseconds seen{0}, every{0};
  std::string cut_short;  // a sentence; empty if all of the time was used
};

// A workload file that `carve plan` reads. Requires a workload whose memory is known.
std::string workload_draft(const Observed&, const ObservedSpan&);

// True if there is anything to plan for: a workload whose memory is known.
bool can_be_planned(const Observed&);

}  // namespace carve
