// What was seen, as JSON. Commands and control groups may hold any bytes, and JSON only text.
#include "cli/observe_json.h"

#include <boost/json.hpp>

#include "text/text.h"

namespace carve {

namespace {

namespace json = boost::json;

json::value text(std::string_view words) { return json::string(legible(words)); }

json::value sm_json(const std::optional<SmUse>& use) {
  if (!use) return nullptr;
  return json::object{{"mean_permille", use->mean.value},
                      {"peak_permille", use->peak.value},
                      {"duty_permille", use->duty.value},
                      {"samples", use->told}};
}

json::value memory_json(const std::optional<Mib>& memory) {
  return memory ? json::value(memory->value) : json::value();
}

json::object process_json(const SeenProcess& process) {
  return {{"pid", process.id.pid},
          {"started_ticks", process.id.started ? json::value(*process.id.started) : json::value()},
          {"cgroup", text(process.cgroup)},
          {"samples", process.samples},
          {"memory_mib", memory_json(process.memory)},
          {"sm", sm_json(process.sm)}};
}

json::object workload_json(const SeenWorkload& workload) {
  json::array members, missing;
  for (const SeenProcess& process : workload.members) members.push_back(process_json(process));
  for (const Untold& untold : workload.untold)
    missing.push_back(json::object{{"figure", untold.figure}, {"sentence", text(untold.missing.sentence)}});
  const bool whole_memory = workload.memory_told == MemoryTold::of_partition;
  return {{"name", workload.name},
          {"tenant", workload.tenant},
          {"held_by", workload.held_by},
          {"user", workload.user.empty() ? json::value() : text(workload.user)},
          {"command", text(workload.command)},
          {"samples", workload.samples},
          {"replicas", workload.replicas},
          {"processes", workload.processes},
          {"cards", workload.cards},
          {"memory_mib", memory_json(workload.memory)},
          {"memory_told_of", whole_memory ? "partition" : "processes"},
          {"sm", sm_json(workload.sm)},
          {"members", std::move(members)},
          {"further_members", workload.further_processes},
          {"missing", std::move(missing)}};
}

}  // namespace

std::string observe_json(const Observed& observed, const ObservedSpan& span) {
  json::array workloads, notes;
  for (const SeenWorkload& workload : observed.workloads) workloads.push_back(workload_json(workload));
  for (const std::string& note : observed.notes) notes.push_back(text(note));
  const json::object whole{{"format", "carve-observe/1"},
                           {"seen_ms", span.seen.count()},
                           {"every_ms", span.every.count()},
                           {"samples", observed.samples},
                           {"cut_short", span.cut_short.empty() ? json::value() : text(span.cut_short)},
                           {"workloads", std::move(workloads)},
                           {"further_workloads", observed.further_workloads},
                           {"notes", std::move(notes)}};
  return write_json(whole);
}

}  // namespace carve
