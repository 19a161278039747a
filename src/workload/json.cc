// Workloads in plan files: the keys and spellings of the workload file, so that one schema reads both.
#include <boost/json.hpp>

#include "workload/reader.h"

namespace carve {

namespace {

namespace json = boost::json;

template <class... Forms>
struct Overloaded : Forms... {
  using Forms::operator()...;
};
template <class... Forms>
Overloaded(Forms...) -> Overloaded<Forms...>;

// Null for the workload that has no need: the key is left out then.
Json compute_json(const ComputeNeed& need) {
  return std::visit(Overloaded{
                        [](const NoComputeNeed&) { return Json(); },
                        [](const ComputeShare& share) { return Json(written(share.of_card)); },
                        [](const ComputePerModel& models) {
                          json::object object;
                          for (const auto& [model, share] : models.of_card) object[model] = written(share);
                          return Json(std::move(object));
                        },
                        [](const ComputeSlices& slices) {
                          return Json(json::object{{"slices", slices.slices}});
                        },
                    },
                    need);
}

Json objective_json(const Objective& objective) {
  switch (objective.kind) {
    case ObjectiveKind::p50:
      return json::object{{"p50", written(objective.target)}};
    case ObjectiveKind::p95:
      return json::object{{"p95", written(objective.target)}};
    case ObjectiveKind::p99:
      return json::object{{"p99", written(objective.target)}};
    case ObjectiveKind::throughput:
      return "throughput";
    case ObjectiveKind::best_effort:
      break;
  }
  return "best-effort";
}

const char* isolation_word(Isolation isolation) {
  switch (isolation) {
    case Isolation::cooperative:
      return "cooperative";
    case Isolation::hard:
      return "hard";
    case Isolation::card:
      return "card";
    case Isolation::derived:
      break;
  }
  return "derived";
}

Json service_json(const Service& service) {
  json::object object{{"gap", written(service.gap)}, {"gpu", written(service.gpu)}};
  if (service.clients) {
    object["clients"] = *service.clients;
    return object;
  }
  object["arrivals"] = service.arrivals == Arrivals::uniform  ? "uniform"
                       : service.arrivals == Arrivals::bursty ? "bursty"
                                                              : "poisson";
  return object;
}

Json row_json(const MeasuredRow& row) {
  return json::object{
      {"card", row.card},
      {"profile", row.profile.empty() ? Json() : Json(row.profile)},
      {"processes", row.processes},
      {"batch", row.batch},
      {"throughput_milli", row.throughput.value},
      {"latency_us", row.latency.value},
      {"memory_mib", row.memory ? Json(row.memory->value) : Json()},
  };
}

void add_measured(json::object& object, const Workload& workload) {
  if (!workload.is_measured()) return;
  if (workload.latency_margin.value != 1000) object["latency_margin"] = written(workload.latency_margin);
  if (workload.max_processes > 0) object["max_processes"] = workload.max_processes;
  if (!workload.measured_file.empty()) object["measured_file"] = workload.measured_file;
  json::array rows;
  rows.reserve(workload.measured.size());
  for (const MeasuredRow& row : workload.measured) rows.push_back(row_json(row));
  object["measured"] = std::move(rows);
}

}  // namespace

Json workload_to_json(const Workload& workload) {
  json::object object{{"name", workload.name}, {"tenant", workload.tenant_each ? "each" : workload.tenant}};
  if (workload.replicas > 0) object["replicas"] = workload.replicas;
  if (workload.rate) object["rate"] = written(*workload.rate);
  if (workload.memory) object["memory"] = written(*workload.memory);
  if (Json compute = compute_json(workload.compute); !compute.is_null()) object["compute"] = std::move(compute);
  object["objective"] = objective_json(workload.objective);
  object["interruptible"] = workload.interruptible;
  if (workload.duty) object["duty"] = written(*workload.duty);
  object["isolation"] = isolation_word(workload.isolation);
  object["processes"] = workload.processes;
  if (workload.context) object["context"] = written(*workload.context);
  if (workload.cards > 0) object["cards"] = workload.cards;
  object["priority"] = workload.priority;
  if (workload.service) object["service"] = service_json(*workload.service);
  add_measured(object, workload);
  return object;
}

Result<Workload> workload_from_json(const Json& value) {
  // By way of the text, so that there is one reader and its errors have a place to show.
  TRY(const Document document, parse_json(json::serialize(value), "the workload"));
  return workload_from_node(document.root());
}

}  // namespace carve
