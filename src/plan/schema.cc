#include "plan/schema.h"

namespace carve::plan_file {

namespace {

// Far above anything real, and low enough that sums over a plan stay within 64 bits.
constexpr Range counts{0, 10'000'000};
constexpr Range some{1, 10'000'000};
constexpr Range mebibytes{0, 1'000'000'000};
constexpr Range permille{0, 1000};
constexpr Range costs{0, 1'000'000'000};
constexpr Range sums{0, 1'000'000'000'000'000'000};
constexpr Range prices{0, 1'000'000'000'000'000};
constexpr Range rates{0, 1'000'000'000'000};
constexpr Range slices{0, 64};
constexpr Range numbers{0, 1'000'000};
constexpr Range lists{0, 10'000'000};

constexpr auto required = Presence::required;
constexpr auto optional = Presence::optional;
constexpr auto nullable = Presence::nullable;

Shape walls() { return Shape::choice({"card", "mig"}); }
Shape mechanisms() { return Shape::choice({"exclusive", "mps", "time-slicing"}); }
Shape choices() { return Shape::choice({"time-slicing", "mps", "mig", "card"}); }
Shape texts() { return Shape::list_of(Shape::text(), lists); }

const Schema& live_placement_schema() {
  static const Schema schema{"a placement",
                             {{"start", required, Shape::integer(slices), "", "its first memory slice"},
                              {"size", required, Shape::integer(slices), "", "in memory slices"}},
                             KeyCount::any};
  return schema;
}

const Schema& live_profile_schema() {
  static const Schema schema{
      "a profile of a model",
      {{"name", required, Shape::text(), "", "`3g.40gb`"},
       {"nvml_enum", nullable, Shape::integer(numbers), "", "argument of NVML's call that describes it"},
       {"id", nullable, Shape::integer(numbers), "", "what creating takes"},
       {"compute_slices", required, Shape::integer(slices), "", "of an instance"},
       {"memory_slices", required, Shape::integer(slices), "", "of an instance"},
       {"memory_mib", required, Shape::integer(mebibytes), "", "usable in an instance"},
       {"sms", nullable, Shape::integer({1, 4096}), "", "of an instance"},
       {"max_instances", required, Shape::integer(slices), "", "on one card"},
       {"placements", required, Shape::list_of(Shape::object(live_placement_schema()), {0, 64}), "",
        "all that it may ever have, ascending"}},
      KeyCount::any};
  return schema;
}

const Schema& model_schema() {
  static const Schema schema{
      "a model",
      {{"id", required, Shape::text(), "", "ends in a hash of all that follows"},
       {"based_on", nullable, Shape::text(), "", "the model of the catalog whose measured figures hold for it too"},
       {"product", required, Shape::text(), "", "as `nvidia-smi` prints it"},
       {"total_memory_mib", required, Shape::integer(mebibytes), "", "of the card"},
       {"compute_slices", required, Shape::integer(slices), "", "of the card; 0 without MIG"},
       {"memory_slices", nullable, Shape::integer(slices), "", "of the card; null without MIG"},
       {"sms", nullable, Shape::integer({1, 4096}), "", "of the card, where they are known"},
       {"max_instances", required, Shape::integer(slices), "", "on one card; 0 without MIG"},
       {"mode_change_needs_reset", required, Shape::boolean(), "", "turning MIG on or off needs a reset"},
       {"profiles", required, Shape::list_of(Shape::object(live_profile_schema()), {0, 64}), "",
        "as the driver of the card tells them"}},
      KeyCount::any};
  return schema;
}

const Schema& live_card_schema() {
  static const Schema schema{"a live card",
                             {{"index", required, Shape::integer(counts), "", "on its host"},
                              {"uuid", nullable, Shape::text(), "", "which card it is, whatever its index"},
                              {"held_by", nullable, Shape::list_of(Shape::text(), {0, 64}), "",
                               "processes that held it when the plan was made; null where the driver does not tell"}},
                             KeyCount::any};
  return schema;
}

const Schema& left_out_schema() {
  static const Schema schema{"a card that was left out",
                             {{"node", required, Shape::text(), "", "its host"},
                              {"index", required, Shape::integer(counts), "", "on its host"},
                              {"reason", required, Shape::text(), "", "why it cannot be planned with"}},
                             KeyCount::any};
  return schema;
}

const Schema& fleet_schema() {
  static const Schema schema{"an entry of the fleet",
                             {{"asked", nullable, Shape::text(), "", "the model as the person wrote it"},
                              {"card", required, Shape::text(), "", "the model, of the catalog or of `models`"},
                              {"also_fit", optional, texts(), "", "other boards that the name fits"},
                              {"count", required, Shape::integer(some), "", "cards"},
                              {"cost", optional, Shape::integer(costs), "1000", "of one card, in units of one's own"},
                              {"nodes", optional, Shape::integer(some), "1", "hosts that the cards are spread over"},
                              {"node", nullable, Shape::text(), "", "of live cards: the name of their host"},
                              {"live", optional, Shape::list_of(Shape::object(live_card_schema()), {0, 1024}), "",
                               "each of the cards, where they are live ones; those to be used first in front"}},
                             KeyCount::any};
  return schema;
}

const Schema& limits_schema() {
  static const Schema schema{
      "the limits",
      {{"duty_permille", optional, Shape::integer({1, 1000}), "700", "sum of the duties in a time-sliced partition"},
       {"thread_percent", optional, Shape::integer({1, 1000}), "100", "sum of the thread percentages under MPS"},
       {"mps_clients", optional, Shape::integer({1, 1000}), "48", "clients of one MPS server on a whole card"}},
      KeyCount::any};
  return schema;
}

const Schema& workload_schema() {  // read by workload_from_json(), which knows the other keys
  static const Schema schema{"a workload",
                             {{"name", required, Shape::name(), "",
                               "and the keys of the workload file; `measured` holds the rows of the table, with "
                               "`throughput_milli`, `latency_us` and `memory_mib`"}},
                             KeyCount::any};
  return schema;
}

const Schema& share_schema() {
  static const Schema schema{
      "a share",
      {{"workload", required, Shape::text(), "", "whose"},
       {"replica", required, Shape::integer(counts), "", "its number, from 0; of a measured row the partition's"},
       {"tenant", nullable, Shape::text(), "", "its tenant; `WORKLOAD/REPLICA` with `tenant_each`"},
       {"tenant_each", optional, Shape::boolean(), "false", "every replica is a tenant of its own"},
       {"memory_mib", required, Shape::integer(mebibytes), "",
        "of the replica on this card; all of the partition for a measured row that does not say"},
       {"compute_permille", nullable, Shape::integer(permille), "", "of the card's SMs, as asked"},
       {"processes", optional, Shape::integer({1, 100'000}), "1", "of the replica"},
       {"batch", nullable, Shape::integer(some), "", "of a measured row"},
       {"throughput_milli", nullable, Shape::integer(rates), "", "of a measured row, thousandths per second"},
       {"memory_limit_mib", nullable, Shape::integer(mebibytes), "", "of the MPS client"},
       {"thread_percent", nullable, Shape::integer({0, 1000}), "", "of the MPS client"}},
      KeyCount::any};
  return schema;
}

const Schema& partition_schema() {
  static const Schema schema{
      "a partition",
      {{"wall", required, walls(), "", "what is around it"},
       {"profile", nullable, Shape::text(), "", "of a MIG device; null for a whole card"},
       {"start", nullable, Shape::integer(slices), "", "its first memory slice; null for a whole card"},
       {"size", nullable, Shape::integer(slices), "", "in memory slices; null for a whole card"},
       {"mechanism", required, mechanisms(), "", "how it is used"},
       {"memory_mib", required, Shape::integer(mebibytes), "", "usable in it"},
       {"shares", required, Shape::list_of(Shape::object(share_schema()), {0, 10'000}), "", "one for each replica"}},
      KeyCount::any};
  return schema;
}

const Schema& card_schema() {
  static const Schema schema{
      "a card",
      {{"node", required, Shape::text(), "", "its host"},
       {"index", required, Shape::integer({0, 10'000'000}), "", "on the host, from 0"},
       {"model", required, Shape::text(), "", "as `carve cards` lists it, or one of `models`"},
       {"uuid", nullable, Shape::text(), "", "of a live card; null in a plan made without hardware"},
       {"mig", required, Shape::boolean(), "", "the MIG mode"},
       {"partitions", required, Shape::list_of(Shape::object(partition_schema()), {0, 64}), "", "by placement"}},
      KeyCount::any};
  return schema;
}

const Schema& unplaced_schema() {
  static const Schema schema{
      "an unplaced replica",
      {{"workload", required, Shape::text(), "", "whose"},
       {"replica", optional, Shape::integer(counts), "0", "the first of them"},
       {"count", optional, Shape::integer(counts), "1", "replicas in a row; 0 where a part of a rate is missing"},
       {"rate_milli", nullable, Shape::integer(rates), "", "what is missing of a rate, thousandths per second"},
       {"reason", nullable, Shape::text(), "", "why"},
       {"nearest", nullable, Shape::text(), "", "the nearest things that can be had"}},
      KeyCount::any};
  return schema;
}

const Schema& refusal_schema() {
  static const Schema schema{"a refused choice",
                             {{"choice", required, choices(), "", "the column of `carve mechanisms`"},
                              {"missing", optional, texts(), "", "guarantees that it does not give"},
                              {"why", nullable, Shape::text(), "", "a sentence"},
                              {"would_allow", nullable, Shape::text(), "", "what would have to change"}},
                             KeyCount::any};
  return schema;
}

const Schema& decision_schema() {
  static const Schema schema{
      "a decision",
      {{"workload", required, Shape::text(), "", "whose"},
       {"card", required, Shape::text(), "", "on which model"},
       {"choice", required, choices(), "", "the column of `carve mechanisms`"},
       {"wall", nullable, walls(), "", "around the partitions that it got; follows from `profiles`"},
       {"mechanism", nullable, mechanisms(), "", "by which it may share; follows from `choice`"},
       {"profiles", optional, texts(), "", "of the partitions that it is in; `card` is the whole card"},
       {"because", optional, texts(), "", "reasons"},
       {"refused", optional, Shape::list_of(Shape::object(refusal_schema()), {0, 16}), "", "the other choices"}},
      KeyCount::any};
  return schema;
}

const Schema& finding_schema() {
  static const Schema schema{
      "a finding",
      {{"code", required, Shape::text(), "", "one of docs/findings.md"},
       {"severity", required, Shape::choice({"error", "warning", "info"}), "", "an error makes `carve plan` exit 1"},
       {"subject", nullable, Shape::text(), "", "a partition, a card, a workload, a model; null for the plan"},
       {"message", nullable, Shape::text(), "", "what is so"},
       {"remedy", nullable, Shape::text(), "", "what to do"}},
      KeyCount::any};
  return schema;
}

const Schema& price_schema() {
  static const Schema schema{
      "a price",
      {{"workload", required, Shape::text(), "", "whose"},
       {"price", required, Shape::integer(prices), "", "per replica, or per 1/s of a rate, in cost / `scale`"}},
      KeyCount::any};
  return schema;
}

const Schema& proof_schema() {
  static const Schema schema{
      "the proof",
      {{"scale", required, Shape::integer({1, 1'000'000'000}), "", "of the prices: 1000000"},
       {"prices", required, Shape::list_of(Shape::object(price_schema()), lists), "",
        "docs/packing.md has the argument"},
       {"search_complete", optional, Shape::boolean(), "false", "the search ended: nothing cheaper exists"}},
      KeyCount::any};
  return schema;
}

const Schema& summary_schema() {
  static const Schema schema{
      "the summary",
      {{"cards_used", required, Shape::integer(counts), "", "cards with a replica"},
       {"lower_bound", required, Shape::integer(counts), "", "cards that every such plan needs"},
       {"cost", required, Shape::integer(sums), "", "of the cards used"},
       {"cost_lower_bound", required, Shape::integer(sums), "", "below which no such plan can be"},
       {"optimal", required, Shape::boolean(), "", "the cost is its bound, or the search was complete"},
       {"replicas", required, Shape::integer(sums), "", "asked for; a workload with a rate has none"},
       {"placed", required, Shape::integer(sums), "", "of them on cards; one with `cards: N` counts once"},
       {"stranded_memory_mib", required, Shape::integer(sums), "", "inside partitions, used by nobody"},
       {"free_largest_profile", nullable, Shape::text(), "", "that still fits on a card in use"}},
      KeyCount::any};
  return schema;
}

}  // namespace

const Schema& plan_schema() {
  static const Schema schema{
      "a plan",
      {{"format", required, Shape::text(), "", "`carve-plan/1`"},
       {"models", optional, Shape::list_of(Shape::object(model_schema()), {0, 256}), "",
        "boards that the catalog does not have as they are: what the drivers of live cards told of them"},
       {"fleet", required, Shape::list_of(Shape::object(fleet_schema()), {0, 100'000}), "", "the cards there are"},
       {"left_out", optional, Shape::list_of(Shape::object(left_out_schema()), {0, 1024}), "",
        "live cards that cannot be planned with"},
       {"limits", required, Shape::object(limits_schema()), "", "what a shared partition takes"},
       {"workloads", required, Shape::list_of(Shape::object(workload_schema()), lists), "",
        "the normalised workload file, measured rows included"},
       {"cards", required, Shape::list_of(Shape::object(card_schema()), lists), "", "those in use, in fleet order"},
       {"unplaced", required, Shape::list_of(Shape::object(unplaced_schema()), lists), "", "what found no place"},
       {"decisions", required, Shape::list_of(Shape::object(decision_schema()), lists), "", "per workload and model"},
       {"findings", required, Shape::list_of(Shape::object(finding_schema()), lists), "", "what a check found"},
       {"proof", required, Shape::object(proof_schema()), "", "of the bound"},
       {"summary", required, Shape::object(summary_schema()), "", "figures"}},
      KeyCount::any};
  return schema;
}

}  // namespace carve::plan_file
