// A machine as JSON: what is missing is null, and stands with its reason in the list of its card.
#include "cli/status_json.h"

#include <boost/json.hpp>

#include "text/text.h"

namespace carve {

namespace {

namespace json = boost::json;

json::value text(std::string_view words) { return json::string(words); }

json::value to_json(const std::string& words) { return text(words); }
json::value to_json(int number) { return number; }
json::value to_json(Mib memory) { return memory.value; }

template <class T>
json::value or_null(const Reading<T>& reading) {
  if (!reading) return nullptr;
  return to_json(*reading);
}

// A list of objects, or null.
template <class T, class Function>
json::value each_or_null(const Reading<std::vector<T>>& list, const Function& function) {
  if (!list) return nullptr;
  json::array result;
  for (const T& item : *list) result.push_back(function(item));
  return result;
}

json::object placement_json(Placement place) { return {{"start", place.start}, {"size", place.size}}; }

json::value placement_or_null(const Reading<Placement>& place) {
  if (!place) return nullptr;
  return placement_json(*place);
}

json::value memory_json(const Reading<MemoryUse>& memory) {
  if (!memory) return nullptr;
  return json::object{{"total_mib", memory->total.value},
                      {"used_mib", memory->used.value},
                      {"reserved_mib", or_null(memory->reserved)}};
}

std::string_view name_of(Absence why) {
  switch (why) {
    case Absence::unsupported:
      return "unsupported";
    case Absence::denied:
      return "denied";
    case Absence::failed:
      break;
  }
  return "failed";
}

json::value mode_json(const Reading<ComputeMode>& mode) {
  if (!mode) return nullptr;
  switch (*mode) {
    case ComputeMode::shared:
      return "default";
    case ComputeMode::exclusive_thread:
      return "exclusive-thread";
    case ComputeMode::prohibited:
      return "prohibited";
    case ComputeMode::exclusive_process:
      return "exclusive-process";
  }
  return nullptr;
}

json::value mig_json(const LiveCard& card) {
  if (!card.mig) return nullptr;
  const std::string waits = waits_for(card);
  return json::object{{"current", card.mig->current},
                      {"pending", card.mig->pending},
                      {"waits_for", waits.empty() ? json::value() : text(waits)}};
}

json::object profile_json(const LiveProfile& profile) {
  return {{"name", profile.name},
          {"id", profile.id},
          {"nvml_enum", profile.nvml_enum},
          {"compute_slices", profile.compute_slices},
          {"memory_mib", profile.memory.value},
          {"sms", profile.sms},
          {"max_instances", profile.max_instances},
          {"placements", each_or_null(profile.placements, placement_json)}};
}

json::object instance_json(const LiveGpuInstance& instance) {
  return {{"gpu_instance", instance.id.value},
          {"profile", or_null(instance.profile)},
          {"compute_slices", or_null(instance.compute_slices)},
          {"placement", placement_or_null(instance.placement)},
          {"memory", memory_json(instance.memory)},
          {"compute_instances", each_or_null(instance.compute, [&](const LiveComputeInstance& compute) {
             return json::object{{"compute_instance", compute.id.value},
                                 {"name", device_name(instance, compute)},
                                 {"start", or_null(compute.start)},
                                 {"compute_slices", or_null(compute.compute_slices)},
                                 {"uuid", or_null(compute.uuid)}};
           })}};
}

json::object occupant_json(const Occupant& occupant) {
  json::object result{{"pid", occupant.pid},
                      {"compute", occupant.compute},
                      {"graphics", occupant.graphics},
                      {"mps", occupant.mps},
                      {"memory_mib", or_null(occupant.memory)},
                      {"gpu_instance", nullptr},
                      {"compute_instance", nullptr},
                      {"user", nullptr},
                      {"command", nullptr},
                      {"cgroup", nullptr}};
  if (occupant.gpu_instance) result["gpu_instance"] = occupant.gpu_instance->value;
  if (occupant.compute_instance) result["compute_instance"] = occupant.compute_instance->value;
  if (!occupant.process) return result;
  result["user"] = text(legible(occupant.process->user));
  result["command"] = text(legible(occupant.process->command));
  result["cgroup"] = text(legible(occupant.process->cgroup));
  return result;
}

json::object card_json(const LiveCard& card) {
  const CardModel* model = catalog_model(card);
  json::array missing;
  for (const Untold& untold : untold_of(card))
    missing.push_back(json::object{
        {"figure", untold.figure}, {"why", text(name_of(untold.missing.why))}, {"sentence", untold.missing.sentence}});
  return {{"index", card.index},
          {"lost", card.lost ? text(*card.lost) : json::value()},
          {"uuid", or_null(card.uuid)},
          {"name", or_null(card.name)},
          {"model", model == nullptr ? json::value() : text(model->id)},
          {"pci_bus_id", card.pci ? text(card.pci->bus_id) : json::value()},
          {"pci_device_id", card.pci ? json::value(card.pci->device_id) : json::value()},
          {"minor", or_null(card.minor)},
          {"memory", memory_json(card.memory)},
          {"mig", mig_json(card)},
          {"compute_mode", mode_json(card.compute_mode)},
          {"profiles", each_or_null(card.profiles, profile_json)},
          {"instances", each_or_null(card.instances, instance_json)},
          {"occupants", each_or_null(card.occupants, occupant_json)},
          {"missing", std::move(missing)}};
}

json::object machine_json(const Machine& machine) {
  json::array cards;
  for (const LiveCard& card : machine.cards) cards.push_back(card_json(card));
  return {{"format", "carve-status/1"},
          {"driver", or_null(machine.driver)},
          {"library", machine.library},
          {"cards", std::move(cards)}};
}

}  // namespace

std::string status_json(const Machine& machine) { return write_json(machine_json(machine)); }

std::string status_line(const Machine& machine) { return json::serialize(machine_json(machine)) + '\n'; }

std::string error_line(const Error& error) {
  return json::serialize(json::object{{"format", "carve-status/1"}, {"error", error.message}}) + '\n';
}

}  // namespace carve
