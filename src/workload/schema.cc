// The keys of the workload file: types, caps, defaults and helps. Messages, hints and the reference come from here.
#include "workload/schema.h"

namespace carve {

namespace {

constexpr Range any_memory{1, std::int64_t{1} << 30};  // MiB: a PiB
constexpr Range any_share{1, 1000};
constexpr Range any_time{1, 3'600'000'000};      // an hour
constexpr Range any_rate{1, 1'000'000'000'000};  // 10^9 per second
constexpr Range any_processes{1, 64};
constexpr Range any_batch{1, 1'000'000};
constexpr Range any_decimal{1, 1'000'000'000'000};  // 10^9

const Schema& objective_schema() {
  static const Schema schema{
      "an objective",
      {
          {"p50", Presence::optional, Shape::duration(any_time), "", "half of the requests are faster"},
          {"p95", Presence::optional, Shape::duration(any_time), "", "95 % of the requests are faster"},
          {"p99", Presence::optional, Shape::duration(any_time), "", "99 % of the requests are faster"},
      },
      KeyCount::one};
  return schema;
}

const Schema& service_schema() {
  static const Schema schema{
      "a service",
      {
          {"gap", Presence::optional, Shape::duration({0, any_time.max}), "0us",
           "time of a request in which the card is not what it waits for"},
          {"gpu", Presence::required, Shape::duration(any_time), "", "work of a request on a whole card, as in `12ms`"},
          {"arrivals", Presence::optional, Shape::choice({"poisson", "uniform", "bursty"}), "poisson",
           "how requests arrive"},
          {"clients", Presence::optional, Shape::integer({1, 1'000'000}), "",
           "clients that wait for their answer before they ask again, instead of `arrivals`"},
      }};
  return schema;
}

const Schema& fleet_schema() {
  static const Schema schema{
      "a fleet entry",
      {
          {"card", Presence::required, Shape::text(), "", "the model, as `carve cards` lists it"},
          {"count", Presence::required, Shape::integer({1, 1'000'000}), "", "how many of them there are"},
          {"cost", Presence::optional, Shape::integer({0, 1'000'000'000}), "1000",
           "of one card, in units of your choice"},
          {"nodes", Presence::optional, Shape::integer({1, 1'000'000}), "1",
           "hosts that the cards are spread over evenly"},
      }};
  return schema;
}

const Schema& limits_schema() {
  static const Schema schema{"limits",
                             {
                                 {"duty", Presence::optional, Shape::percent(any_share), "70%",
                                  "the most that the duties in a time-sliced partition sum to"},
                                 {"threads", Presence::optional, Shape::percent(any_share), "100%",
                                  "the most that the thread percentages of an MPS partition sum to"},
                                 {"mps_clients", Presence::optional, Shape::integer({1, 60}), "48",
                                  "clients that one MPS server takes on a whole card; 60 from CUDA 13.1"},
                             }};
  return schema;
}

// What both forms of a workload have.
std::vector<Field> common_fields() {
  return {
      {"name", Presence::required, Shape::name(), "", "what the workload is called; no other has this name"},
      {"tenant", Presence::optional, Shape::name(), "",
       "who trusts each other; `each` makes every replica a tenant of its own; may stand once at the top"},
      {"replicas", Presence::optional, Shape::integer({1, 1'000'000}), "", "how many copies; or `rate`"},
      {"rate", Presence::optional, Shape::rate(any_rate), "",
       "what all copies together must serve, with `measured`; or `replicas`"},
      {"memory", Presence::optional, Shape::memory(any_memory), "",
       "peak of one replica as the driver shows it, contexts included"},
      {"compute", Presence::optional,
       Shape::any_of({Shape::percent(any_share), Shape::object(slices_schema()),
                      Shape::map_of(Shape::percent(any_share), {1, 64})}),
       "", "share of one card's SMs, for all models or by model; or compute slices; without it, what memory brings"},
      {"objective", Presence::required,
       Shape::any_of({Shape::choice({"throughput", "best-effort"}), Shape::object(objective_schema())}), "",
       "a latency such as `{p99: 60ms}`, `throughput`, or `best-effort`, which promises least"},
      {"interruptible", Presence::optional, Shape::boolean(), "false",
       "a stall is accepted; without it time slicing is not allowed"},
      {"duty", Presence::optional, Shape::percent(any_share), "", "share of the time that it uses the card at all"},
      {"isolation", Presence::optional, Shape::choice({"derived", "card", "hard", "cooperative"}), "derived",
       "overrides what follows from the objective"},
      {"processes", Presence::optional, Shape::integer(any_processes), "1", "of one replica, as MPI ranks"},
      {"context", Presence::optional, Shape::memory(any_memory), "", "memory for each process beyond the first"},
      {"cards", Presence::optional, Shape::integer({1, 64}), "", "whole cards of one node for each replica, never cut"},
      {"priority", Presence::optional, Shape::integer({-1000, 1000}), "0",
       "larger is placed first when not all can be"},
      {"latency_margin", Presence::optional, Shape::percent(any_share), "100%",
       "of the objective that the measured latency may use; the rest is for waiting"},
      {"max_processes", Presence::optional, Shape::integer(any_processes), "", "the most processes of a measured row"},
      {"service", Presence::optional, Shape::object(service_schema()), "", "for the simulator"},
  };
}

Field measured_rows_field() {
  return {"measured", Presence::optional, Shape::list_of(Shape::object(planned_row_schema()), {1, 1'000'000}), "",
          "the rows of the measured table"};
}

}  // namespace

const Schema& slices_schema() {
  static const Schema schema{
      "compute slices",
      {{"slices", Presence::required, Shape::integer({1, 16}), "", "of the card's compute partitions, as in `2`"}}};
  return schema;
}

const Schema& workload_schema() {
  static const Schema schema = [] {
    Schema result{"a workload", common_fields()};
    result.fields.push_back(
        {"measured", Presence::optional, Shape::path(), "", "a CSV file of what was measured, relative to this file"});
    result.fields.push_back({"spread", Presence::optional, Shape::choice({"card", "node"}), "", "not supported yet"});
    result.fields.push_back({"pin", Presence::optional, Shape::text(), "", "not supported yet"});
    return result;
  }();
  return schema;
}

const Schema& planned_workload_schema() {
  static const Schema schema = [] {
    Schema result{"a workload", common_fields()};
    result.fields.push_back({"measured_file", Presence::optional, Shape::path(), "", "where the rows were read from"});
    result.fields.push_back(measured_rows_field());
    return result;
  }();
  return schema;
}

const Schema& measured_row_schema() {
  static const Schema schema{
      "a measured table",
      {
          {"card", Presence::required, Shape::text(), "", "the model that was measured"},
          {"profile", Presence::nullable, Shape::text(), "",
           "the MIG profile that was measured, as `3g.40gb`; empty or `card` for the whole card"},
          {"processes", Presence::required, Shape::integer(any_processes), "", "that ran in it at the same time"},
          {"batch", Presence::required, Shape::integer(any_batch), "", "requests in one batch"},
          {"throughput_per_s", Presence::required, Shape::decimal_down(any_decimal), "",
           "requests per second of all its processes"},
          {"latency_ms", Presence::required, Shape::decimal_up(any_decimal), "", "of one batch"},
          {"memory_mib", Presence::nullable, Shape::integer(any_memory), "",
           "peak of the whole partition; empty: it fitted, how tightly is unknown"},
      }};
  return schema;
}

const Schema& planned_row_schema() {
  static const Schema schema{
      "a measured row",
      {
          {"card", Presence::required, Shape::text(), "", "model"},
          {"profile", Presence::nullable, Shape::text(), "", "null for the whole card"},
          {"processes", Presence::required, Shape::integer(any_processes), "", ""},
          {"batch", Presence::required, Shape::integer(any_batch), "", ""},
          {"throughput_milli", Presence::required, Shape::integer(any_decimal), "", "thousandths per second"},
          {"latency_us", Presence::required, Shape::integer(any_decimal), "", ""},
          {"memory_mib", Presence::nullable, Shape::integer(any_memory), "", ""},
      }};
  return schema;
}

const Schema& workload_file_schema() {
  static const Schema schema{
      "a workload file",
      {
          {"tenant", Presence::optional, Shape::name(), "", "of every workload that names none"},
          {"fleet", Presence::optional, Shape::list_of(Shape::object(fleet_schema()), {1, 1000}), "",
           "the cards; or `--fleet` on the command line"},
          {"limits", Presence::optional, Shape::object(limits_schema()), "", "how tightly partitions may be shared"},
          {"workloads", Presence::required, Shape::list_of(Shape::object(workload_schema()), {1, 100'000}), "",
           "what is to run, each with a name"},
      }};
  return schema;
}

}  // namespace carve
