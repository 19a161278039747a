// Readings are folded into one tally for each workload. Which replica is which from one reading to the next does not
// matter: the most at one time, the highest peak and the shares need only what is in each reading. But a process keeps
// its workload when the one that led its replica ends before it.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "observe/names.h"
#include "observe/replicas.h"

namespace carve {

namespace observe_internal {

void UseSum::add(const SmSample& sample) {
  permille += sample.mean.value;
  peak = std::max(peak, sample.peak.value);
  told += 1;
  busy += sample.peak > Permille{} ? 1 : 0;
}

std::optional<SmUse> UseSum::use() const {
  if (told == 0) return {};
  return SmUse{Permille{ceil_div(permille, told)}, Permille{peak}, Permille{ceil_div(1000 * busy, told)}, told};
}

}  // namespace observe_internal

namespace {

using observe_internal::Member;
using observe_internal::Names;
using observe_internal::names_its_user;
using observe_internal::ProcessTally;
using observe_internal::program_of;
using observe_internal::Replica;
using observe_internal::WorkloadKey;
using observe_internal::WorkloadTally;

constexpr std::size_t most_notes = 100;
constexpr std::size_t most_reasons = 20;

void keep_peak(std::optional<Mib>& peak, const Reading<Mib>& memory) {
  if (memory) peak = std::max(peak.value_or(Mib{}), *memory);
}

void note_untold(std::vector<Untold>& list, const Untold& untold) {
  const bool known = std::any_of(list.begin(), list.end(), [&](const Untold& other) {
    return other.figure == untold.figure && other.missing == untold.missing;
  });
  if (!known && list.size() < most_reasons) list.push_back(untold);
}

void count_member(const Replica& replica, const Member& member, WorkloadTally& tally) {
  if (!tally.members.contains(member.id) && tally.members.size() >= most_members) {
    if (tally.further.size() < 100 * most_members) tally.further.insert(member.id);
    return;
  }
  ProcessTally& process = tally.members[member.id];
  if (member.facts) process.cgroup = member.facts->cgroup;
  process.samples += 1;
  keep_peak(process.memory, member.memory);
  if (const auto own = replica.sm_of.find(member.id); own != replica.sm_of.end()) process.sm.add(own->second);
}

void count_replica(const Replica& replica, WorkloadTally& tally) {
  const auto pieces = static_cast<std::int64_t>(replica.pieces.size());
  tally.processes = std::max(tally.processes, static_cast<std::int64_t>(replica.members.size()));
  if (pieces > 1) tally.cards = std::max(tally.cards, pieces);
  keep_peak(tally.memory, replica.memory);
  if (replica.memory_told == MemoryTold::of_partition) tally.memory_told = MemoryTold::of_partition;
  if (replica.sm) tally.sm.add(*replica.sm);
  for (const Untold& untold : replica.untold) note_untold(tally.untold, untold);
  for (const Member& member : replica.members) count_member(replica, member, tally);
}

SeenWorkload seen(const WorkloadKey& key, const WorkloadTally& tally, Names& names, Names& tenants) {
  SeenWorkload workload;
  workload.name = names.unique(program_of(key.command), "workload");
  workload.held_by = key.held_by;
  workload.user = key.user;
  workload.command = key.command;
  workload.tenant = names_its_user(key.held_by) && !key.user.empty() ? tenants.of(key.user, "user") : "each";
  workload.samples = tally.samples;
  workload.replicas = tally.replicas;
  workload.processes = tally.processes;
  workload.cards = tally.cards;
  workload.memory = tally.memory;
  workload.memory_told = tally.memory_told;
  workload.sm = tally.sm.use();
  workload.untold = tally.untold;
  for (const auto& [id, process] : tally.members)
    workload.members.push_back({id, process.cgroup, process.samples, process.memory, process.sm.use()});
  workload.further_processes = static_cast<std::int64_t>(tally.further.size());
  return workload;
}

}  // namespace

observe_internal::WorkloadKey Observation::key_of(const Replica& replica) const {
  for (const Member& member : replica.members)
    if (const auto known = before_.find(member.id); known != before_.end()) return known->second;
  const Member& leader = replica.members.front();
  const std::string held_by(replica.held_by);
  if (!leader.facts) return {held_by, "", fmt::format("process {}", leader.id.pid)};
  return {held_by, leader.facts->user, leader.facts->command};
}

void Observation::note(std::string sentence) {
  if (notes_.size() < most_notes && std::find(notes_.begin(), notes_.end(), sentence) == notes_.end())
    notes_.push_back(std::move(sentence));
}

void Observation::add(const Machine& machine) {
  ++samples_;
  for (const LiveCard& card : machine.cards) {
    if (card.lost)
      note(fmt::format("card {} did not answer: {}", card.index, *card.lost));
    else if (!card.occupants)
      note(fmt::format("who held card {} was not told: {}", card.index, card.occupants.error().sentence));
  }
  const observe_internal::Sighting sighting = observe_internal::sight(machine, facts_);
  if (sighting.drawing > 0) note("processes that only draw were left out");
  if (sighting.servers > 0)
    note("the servers of MPS were left out; what they hold beside their clients is not counted");
  std::map<ProcessId, WorkloadKey> now;
  std::map<WorkloadKey, std::int64_t> replicas;
  facts_.clear();
  for (const Replica& replica : sighting.replicas) {
    const WorkloadKey key = key_of(replica);
    if (!tallies_.contains(key) && tallies_.size() >= most_workloads) {
      ++further_workloads_;
      continue;
    }
    WorkloadTally& tally = tallies_[key];
    if (replicas[key]++ == 0) ++tally.samples;
    tally.replicas = std::max(tally.replicas, replicas[key]);
    count_replica(replica, tally);
    for (const Member& member : replica.members) {
      now.emplace(member.id, key);
      if (member.facts) facts_.emplace(member.id.pid, *member.facts);
    }
  }
  before_ = std::move(now);
}

Observed Observation::result() const {
  Observed observed;
  observed.samples = samples_;
  observed.notes = notes_;
  observed.further_workloads = further_workloads_;
  Names names, tenants;
  tenants.reserve("each");
  for (const auto& [key, tally] : tallies_) observed.workloads.push_back(seen(key, tally, names, tenants));
  return observed;
}

bool can_be_planned(const Observed& observed) {
  return std::any_of(observed.workloads.begin(), observed.workloads.end(),
                     [](const SeenWorkload& workload) { return workload.memory.has_value(); });
}

}  // namespace carve
