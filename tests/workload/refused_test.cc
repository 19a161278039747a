// Bad workload files: what stands in them, where the error is, what it says and what it advises.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "workload/workload.h"

namespace carve {
namespace {

using testing::HasSubstr;

struct Row {
  std::string text;
  int line;
  int column;
  const char* message;
  const char* help;
};

void expect_refused(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.text.substr(0, 400));
    const auto file = parse_workload_file(row.text, "team.yaml");
    if (file) {
      ADD_FAILURE() << "was accepted";
      continue;
    }
    const Error& error = file.error();
    EXPECT_THAT(error.message, HasSubstr(row.message));
    EXPECT_THAT(error.help, HasSubstr(row.help));
    if (!error.place) {
      ADD_FAILURE() << "has no place: " << error.message;
      continue;
    }
    EXPECT_EQ(fmt::format("{}:{}:{}", error.place->file, error.place->line, error.place->column),
              fmt::format("team.yaml:{}:{}", row.line, row.column))
        << error.message;
    EXPECT_TRUE(error.others.empty()) << error.others.front().message;
  }
}

// A file that would be good without `lines`, which stand on line 6 and below in the only workload, after its name on
// line 4 and its objective on line 5.
std::string with(const std::string& lines) {
  std::string text = "tenant: t\nfleet: [{card: h100-80gb, count: 8}]\nworkloads:\n  - name: a\n    objective: ";
  return text + lines;
}
// The same with an objective, replicas and memory: `line` is line 8, its key in column 5.
std::string plus(const std::string& line, const std::string& objective = "best-effort") {
  return with(fmt::format("{}\n    replicas: 2\n    memory: 4GiB\n    {}\n", objective, line));
}
// The same with another memory, whose value is in column 13 of line 7.
std::string memory(const std::string& amount) {
  return with(fmt::format("throughput\n    replicas: 2\n    memory: {}\n", amount));
}

TEST(Refused, TheFrameIsGood) {
  const auto file = parse_workload_file(plus(""), "team.yaml");
  ASSERT_TRUE(file) << file.error().message;
}

TEST(Refused, Texts) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 20; ++i) bomb += fmt::format("a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n", i, i - 1);
  expect_refused({
      {"", 1, 1, "expected a workload file, found nothing", "tenant, fleet, limits, workloads"},
      {"# only a comment\n", 1, 1, "found nothing", "workloads"},
      {"---\n", 1, 3, "found nothing", "workloads"},
      {"just words\n", 1, 1, "found a single value", "workloads"},
      {"- a\n", 1, 1, "found a list", "workloads"},
      {std::string("workloads:\n\0", 12), 2, 1, "byte 0x00 is not text", "UTF-8"},
      {"\x7f"
       "ELF\x02\x01",
       1, 1, "byte 0x7f is not text", "UTF-8"},
      {"workloads:\n  - name: \xff\xfe\n", 2, 11, "byte 0xff is not text", "UTF-8"},
      {"workloads: [\n", 2, 1, "not valid YAML", "indentation"},
      {"workloads:\n  - name: \"a\n", 2, 11, "a quoted text does not end", "close it"},
      {std::string(100'000, '[') + std::string(100'000, ']'), 1, 65, "nested deeper than 64 levels", ""},
      {bomb, 7, 30, "more than 200000 values", "aliases count"},
      {"a: &x [*x]\n", 1, 8, "an alias inside of what it stands for", ""},
      {"workloads: !!seq []\n", 1, 12, "tags", "remove the tag"},
      {"x: &x {a: 1}\nworkloads:\n  - <<: *x\n", 3, 5, "merge keys", "write the keys out"},
      {plus("") + "---\nworkloads: []\n", 9, 1, "second YAML document", "split"},
  });
}

TEST(Refused, Keys) {
  expect_refused({
      {plus("") + "workload: []\n", 9, 1, "unknown key `workload` in a workload file", "did you mean `workloads`?"},
      {plus("memmory: 4GiB"), 8, 5, "unknown key `memmory` in a workload", "did you mean `memory`?"},
      {plus("colour: red"), 8, 5, "unknown key `colour`", "the keys are: name, tenant, replicas"},
      {plus("memory: 5GiB"), 8, 5, "duplicate key `memory`, which line 7 gave before", "remove one"},
      {"tenant: t\ntenant: u\n" + plus("").substr(10), 2, 1, "duplicate key `tenant`", "remove one"},
      {"tenant: t\nfleet: [{card: t4, count: 1}]\n", 1, 1, "a workload file has no `workloads`", "add `workloads`"},
      {"workloads: []\n", 1, 12, "`workloads` has 0 items", ""},
      {"workloads: {}\n", 1, 12, "`workloads` is a mapping, expected a list", ""},
      {"workloads:\n  - just a word\n", 2, 5, "expected a workload, found a single value", "the keys: name"},
      {"workloads:\n  -\n", 2, 3, "an item of `workloads` has no value", ""},
      {plus("duty:"), 8, 5, "`duty` has no value", "expected a percentage"},
      {"tenant: t\nworkloads:\n  - {replicas: 1, memory: 1GiB, objective: throughput}\n", 3, 5,
       "a workload has no `name`", "add `name`"},
      {"tenant: t\nworkloads:\n  - {name: a, replicas: 1, memory: 1GiB}\n", 3, 5, "a workload has no `objective`",
       "`throughput`, or `best-effort`, which promises least"},
      {plus("pin: node-0/0"), 8, 10, "`pin` is not supported yet", "remove it"},
      {plus("spread: node"), 8, 13, "`spread` is not supported yet", "remove it"},
  });
}

TEST(Refused, Amounts) {
  expect_refused({
      {memory("18"), 7, 13, "`memory`: `18` has no unit", "GB is 10^9 bytes and GiB is 2^30 bytes"},
      {memory("18gb"), 7, 13, "unknown unit `gb`", "18GiB"},
      {memory("18Gi"), 7, 13, "unknown unit `Gi`", "18GiB"},
      {memory("010GiB"), 7, 13, "leading zero", "octal"},
      {memory("-4GiB"), 7, 13, "is negative", ""},
      {memory("0GiB"), 7, 13, "0GiB is less than 1 MiB", "from 1 MiB"},
      {memory(".nan"), 7, 13, "is not a decimal number", ""},
      {memory("NaN"), 7, 13, "`NaN` is not an amount of memory", "GiB"},
      {memory("infGiB"), 7, 13, "is not an amount of memory", "GiB"},
      {memory("1000000000000000000000000000000GiB"), 7, 13, "too many digits", ""},
      {memory("1000000000000000TiB"), 7, 13, "is too large", "check the unit"},
      {memory("2000TiB"), 7, 13, "2000TiB is more than", "from 1 MiB"},
      {memory("1e3GiB"), 7, 13, "has an exponent", "write the number out"},
      {memory("1_000GiB"), 7, 13, "separator", ""},
      {memory("1,5GiB"), 7, 13, "separator", "after a point"},
      {memory("[4GiB]"), 7, 13, "`memory` is a list, expected an amount of memory", ""},
      {memory("{gib: 4}"), 7, 13, "`memory` is a mapping", ""},
      {plus("compute: 20"), 8, 14, "`compute`: `20` has no unit", "percent sign"},
      {plus("compute: 0.2"), 8, 14, "has no unit", "percent sign"},
      {plus("compute: 12.55%"), 8, 14, "finer than a tenth of a percent", "round it"},
      {plus("compute: 0%"), 8, 14, "0% is less than 0.1 %", "from 0.1 % to 100 %"},
      {plus("compute: 120%"), 8, 14, "120% is more than 100 %", ""},
      {plus("compute: {slices: 0}"), 8, 23, "0 is less than 1", ""},
      {plus("compute: {h100-80gb: 20}"), 8, 26, "`20` has no unit", ""},
      {plus("compute: [20%]"), 8, 14, "`compute` is a list, expected a percentage", ""},
      {plus("duty: 101%"), 8, 11, "more than 100 %", ""},
      {plus("priority: high"), 8, 15, "`high` is not a whole number", "digits only"},
      {plus("processes: 0"), 8, 16, "0 is less than 1", "from 1 to 64"},
      {plus("processes: \"8\""), 8, 16, "\"8\" is text", "without quotes"},
      {plus("interruptible: yes"), 8, 20, "`yes` is neither true nor false", "yes, no, on and off"},
      {plus("isolation: strong"), 8, 16, "`strong` is not one of the words", "card, hard, cooperative"},
      {plus("isolation: hart"), 8, 16, "`hart`", "did you mean `hard`?"},
      {with("throughput\n    replicas: 0\n    memory: 4GiB\n"), 6, 15, "0 is less than 1", "from 1 to 1000000"},
      {with("throughput\n    replicas: -1\n    memory: 4GiB\n"), 6, 15, "-1 is less than 1", ""},
      {with("throughput\n    replicas: 010\n    memory: 4GiB\n"), 6, 15, "leading zero", "octal"},
      {with("throughput\n    replicas: 1e3\n    memory: 4GiB\n"), 6, 15, "exponent", ""},
      {with("throughput\n    replicas: 2.0\n    memory: 4GiB\n"), 6, 15, "not a whole number", "without a point"},
      {with("throughput\n    replicas: 10000000000000000000000\n    memory: 4GiB\n"), 6, 15, "too many digits", ""},
  });
}

TEST(Refused, Objectives) {
  expect_refused({
      {plus("", "{p99: 60}"), 5, 22, "`60` has no unit", "60ms"},
      {plus("", "{p99: 1.5us}"), 5, 22, "finer than a microsecond", ""},
      {plus("", "{p98: 60ms}"), 5, 17, "unknown key `p98` in an objective", "write one of: p50, p95, p99"},
      {plus("", "{p99: 60ms, p50: 9ms}"), 5, 16, "an objective has 2 keys, expected one", "p50, p95, p99"},
      {plus("", "{}"), 5, 16, "an objective has 0 keys", ""},
      {plus("", "p99"), 5, 16, "`p99` is not one of the words", "throughput, best-effort"},
      {plus("", "fastest"), 5, 16, "`fastest` is not one of the words", "throughput, best-effort"},
      {plus("", "besteffort"), 5, 16, "`besteffort`", "did you mean `best-effort`?"},
      {plus("", "[p99]"), 5, 16, "`objective` is a list", ""},
      {plus("interruptible: true", "{p99: 60ms}"), 8, 20, "`interruptible` contradicts a latency objective",
       "best-effort"},
  });
}

TEST(Refused, NamesAndTenants) {
  expect_refused({
      {"workloads:\n  - {name: a, replicas: 1, memory: 1GiB, objective: throughput}\n", 2, 12,
       "no tenant: whom `a` trusts is not said", "nobody is trusted by omission"},
      {plus("") + "  - {name: a, replicas: 1, memory: 1GiB, objective: throughput}\n", 9, 12,
       "two workloads are named `a`; the other is at team.yaml:4:11", "rename one"},
      {plus("tenant: a b"), 8, 13, "`a b` is not a name", "letters, digits"},
      {plus("tenant: -a"), 8, 13, "`-a` is not a name", "at both ends"},
      {plus("tenant: " + std::string(64, 'a')), 8, 13, "64 bytes is too long", "at most 63"},
      {plus("tenant: \"\""), 8, 13, "an empty name", ""},
      {"tenant: each\n" + plus("isolation: cooperative").substr(10), 8, 16,
       "`isolation: cooperative` contradicts `tenant: each`", "name the tenant"},
  });
}

TEST(Refused, Contradictions) {
  expect_refused({
      {with("throughput\n    memory: 4GiB\n"), 4, 5, "neither `replicas` nor `rate`", "add `replicas: 2`"},
      {with("throughput\n    replicas: 2\n"), 4, 5, "no `memory`", "nvidia-smi"},
      {plus("rate: 5/s", "throughput"), 8, 11, "`replicas` and `rate` contradict each other", "remove one"},
      {with("throughput\n    rate: 5/s\n    memory: 4GiB\n"), 6, 11, "`rate` without `measured`", "measured table"},
      {with("throughput\n    rate: 5\n    measured: m.csv\n"), 6, 11, "`5` has no unit", "3500/s"},
      {plus("max_processes: 3"), 8, 20, "`max_processes` without `measured`", ""},
      {plus("latency_margin: 45%", "{p99: 60ms}"), 8, 21, "`latency_margin` without `measured`", ""},
      {plus("context: 1GiB"), 8, 14, "`context` without `processes`", "processes: 2"},
      {plus("cards: 2\n    compute: 20%"), 9, 14, "`compute` contradicts `cards`", "remove one"},
      {plus("cards: 2\n    processes: 2"), 9, 16, "`processes` contradicts `cards`", ""},
      {plus("cards: 2\n    isolation: hard"), 9, 16, "`isolation` contradicts `cards`", ""},
      {plus("cards: 2\n    interruptible: true"), 9, 20, "`interruptible` contradicts `cards`", ""},
      {plus("cards: 2\n    duty: 5%"), 9, 11, "`duty` contradicts `cards`", ""},
      {plus("cards: 0"), 8, 12, "0 is less than 1", ""},
      {plus("service: {gpu: 5ms, arrivals: bursty, clients: 3}"), 8, 35, "`arrivals` contradicts `clients`", ""},
      {plus("service: {gap: 5ms}"), 8, 14, "a service has no `gpu`", "12ms"},
  });
}

TEST(Refused, Fleets) {
  const std::string workloads = "workloads: [{name: a, tenant: t, replicas: 1, memory: 1GiB, objective: throughput}]\n";
  expect_refused({
      {"fleet: [{card: h100-81gb, count: 8}]\n" + workloads, 1, 16, "the catalog has no card \"h100-81gb\"", "h100"},
      {"fleet: [{card: toaster, count: 8}]\n" + workloads, 1, 16, "no card \"toaster\"", "carve cards"},
      {"fleet: [{card: h100-80gb}]\n" + workloads, 1, 9, "a fleet entry has no `count`", "add `count`"},
      {"fleet: [{card: h100-80gb, count: 0}]\n" + workloads, 1, 34, "0 is less than 1", ""},
      {"fleet: [{card: h100-80gb, count: 8, nodes: 3}]\n" + workloads, 1, 44, "8 cards cannot be spread evenly over",
       "an entry for each"},
      {"fleet: [{card: h100-80gb, count: 8, cost: -1}]\n" + workloads, 1, 43, "-1 is less than 0", ""},
      {"fleet: []\n" + workloads, 1, 8, "`fleet` has 0 items", ""},
      {"fleet: 8xh100-80gb\n" + workloads, 1, 8, "`fleet` is a single value, expected a list",
       "- {card: ..., count: ...}"},
      {"limits: {duty: 70}\n" + workloads, 1, 16, "`70` has no unit", "percent sign"},
      {"limits: {threads: 99.5%}\n" + workloads, 1, 19, "whole percentage", ""},
      {"limits: {mps_clients: 61}\n" + workloads, 1, 23, "61 is more than 60", ""},
      {plus("compute: {h100-80gb: 20%, toaster: 5%}"), 8, 31, "no card \"toaster\"", "carve cards"},
      {plus("compute: {h100-80gb: 20%, h100-sxm5-80gb: 5%}"), 8, 31, "h100-sxm5-80gb, which stands here twice", ""},
  });
}

TEST(Refused, EverythingIsReportedAtOnceInOrder) {
  const auto file = parse_workload_file(
      "tenant: t\nworkloads:\n  - {name: a, replicas: 0, memory: 18, objective: fast}\n  - {name: b, colour: red}\n",
      "f");
  ASSERT_FALSE(file);
  ASSERT_EQ(file.error().others.size(), 4u);
  EXPECT_EQ(file.error().place->column, 25);
  EXPECT_THAT(file.error().others[3].message, HasSubstr("unknown key `colour`"));
  std::string many = "tenant: t\nworkloads:\n";
  for (int i = 0; i < 50; ++i) many += fmt::format("  - {{name: w{}, replicas: 1, objective: throughput}}\n", i);
  const auto refused = parse_workload_file(many, "f");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().others.size(), 19u);
  EXPECT_THAT(refused.error().others.back().message, HasSubstr("and 31 further errors"));
}

}  // namespace
}  // namespace carve
