// Records to values: cards are looked up, everything else was checked by the schema.
#include <algorithm>

#include <fmt/format.h>

#include "workload/reader.h"

namespace carve {

namespace {

struct ObjectiveWord {
  std::string_view word;
  ObjectiveKind kind;
};
constexpr ObjectiveWord objective_words[] = {
    {"p50", ObjectiveKind::p50},
    {"p95", ObjectiveKind::p95},
    {"p99", ObjectiveKind::p99},
    {"throughput", ObjectiveKind::throughput},
    {"best-effort", ObjectiveKind::best_effort},
};

ObjectiveKind objective_kind(std::string_view word) {
  return std::find_if(std::begin(objective_words), std::end(objective_words),
                      [&](const ObjectiveWord& row) { return row.word == word; })
      ->kind;
}

Objective objective_of(const FieldValue& value) {
  if (value.type() == Type::choice) return {objective_kind(value.as_text()), {}};
  const Record record = value.as_record();
  const std::string key = record.only_key();
  return {objective_kind(key), *record.duration(key)};
}

ComputeNeed compute_by_model(const FieldValue& value, Errors& errors) {
  ComputePerModel need;
  Node::Iterator key = value.node().items().begin();
  for (const auto& [name, share] : value.as_map()) {
    const Place place = (*key).place();
    ++ ++key;  // past the key and its value
    auto id = model_id(name, place);
    if (!id) {
      errors.add(std::move(id).error());
      continue;
    }
    const bool twice =
        std::any_of(need.of_card.begin(), need.of_card.end(), [&](const auto& row) { return row.first == *id; });
    if (twice)
      errors.add(Error{Fault::bad_input,
                       fmt::format("`{}` is {}, which stands here twice", name, *id),
                       place,
                       "remove one of the two",
                       {}});
    need.of_card.emplace_back(*id, share.as_percent());
  }
  std::sort(need.of_card.begin(), need.of_card.end());
  return need;
}

ComputeNeed compute_of(const FieldValue& value, Errors& errors) {
  switch (value.type()) {
    case Type::percent:
      return ComputeShare{value.as_percent()};
    case Type::object:
      return ComputeSlices{static_cast<int>(*value.as_record().integer("slices"))};
    default:
      return compute_by_model(value, errors);
  }
}

Isolation isolation_of(std::string_view word) {
  if (word == "card") return Isolation::card;
  if (word == "hard") return Isolation::hard;
  return word == "cooperative" ? Isolation::cooperative : Isolation::derived;
}

Service service_of(const Record& record) {
  Service service;
  service.gap = *record.duration("gap");
  service.gpu = *record.duration("gpu");
  const std::string arrivals = *record.text("arrivals");
  service.arrivals = arrivals == "uniform"  ? Arrivals::uniform
                     : arrivals == "bursty" ? Arrivals::bursty
                                            : Arrivals::poisson;
  if (const auto clients = record.integer("clients")) service.clients = static_cast<int>(*clients);
  return service;
}

int small(std::optional<std::int64_t> number) { return static_cast<int>(number.value_or(0)); }

}  // namespace

Error error_at(const Record& record, std::string_view key, std::string message, std::string help) {
  return Error{Fault::bad_input, std::move(message), record.place(key), std::move(help), {}};
}

Result<std::string> model_id(std::string_view name, const Place& place) {
  auto match = find_model(name);
  if (match) return match->model->id;
  Error error = std::move(match).error();
  error.place = place;
  return fail(std::move(error));
}

Workload workload_of(const Record& record, Errors& errors) {
  Workload workload;
  workload.name = *record.text("name");
  workload.replicas = record.integer("replicas").value_or(0);
  workload.memory = record.memory("memory");
  if (const auto compute = record.value("compute")) workload.compute = compute_of(*compute, errors);
  workload.objective = objective_of(*record.value("objective"));
  workload.interruptible = *record.boolean("interruptible");
  workload.duty = record.percent("duty");
  workload.isolation = isolation_of(*record.text("isolation"));
  workload.processes = small(record.integer("processes"));
  workload.context = record.memory("context");
  workload.cards = small(record.integer("cards"));
  workload.priority = small(record.integer("priority"));
  workload.rate = record.rate("rate");
  workload.latency_margin = *record.percent("latency_margin");
  workload.max_processes = small(record.integer("max_processes"));
  if (const auto service = record.record("service")) workload.service = service_of(*service);
  workload.place = record.place();
  return workload;
}

std::vector<FleetEntry> fleet_of(const std::vector<Record>& records, Errors& errors) {
  std::vector<FleetEntry> fleet;
  for (const Record& record : records) {
    FleetEntry entry;
    entry.asked = *record.text("card");
    auto match = find_model(entry.asked);
    if (!match) {
      Error error = std::move(match).error();
      error.place = record.place("card");
      errors.add(std::move(error));
      continue;
    }
    entry.card = match->model->id;
    entry.also_fit = match->also_fit;
    entry.count = *record.integer("count");
    entry.cost = *record.integer("cost");
    entry.nodes = *record.integer("nodes");
    if (entry.count % entry.nodes != 0)
      errors.add(error_at(
          record, "nodes",
          fmt::format("{} cannot be spread evenly over {}", counted(entry.count, "card"), counted(entry.nodes, "node")),
          "write an entry for each kind of node"));
    fleet.push_back(std::move(entry));
  }
  return fleet;
}

Limits limits_of(const Record& record, Errors& errors) {
  Limits limits;
  limits.duty = *record.percent("duty");
  const std::int64_t threads = record.percent("threads")->value;
  if (threads % 10 != 0)
    errors.add(error_at(record, "threads", "`threads` must be a whole percentage", "MPS counts in whole percents"));
  limits.thread_percent = static_cast<int>(threads / 10);
  limits.mps_clients = small(record.integer("mps_clients"));
  return limits;
}

}  // namespace carve
