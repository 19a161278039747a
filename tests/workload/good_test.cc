// Good workload files, fleets, and workloads that survive being written as JSON and read back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "workload/workload.h"

namespace carve {
namespace {

using testing::HasSubstr;

constexpr const char* good_file = R"(
tenant: search
fleet:
  - {card: h100-80gb, count: 8, nodes: 2}
  - {card: a30, count: 2, cost: 300}
limits: {duty: 60%, threads: 90%, mps_clients: 60}
workloads:
  - name: tower-train
    replicas: 4
    memory: 9GiB
    compute: {a30: 60%, h100-80gb: 20%}
    objective: throughput
    processes: 8
    context: 500MiB
    priority: -3
  - name: reranker
    tenant: other
    replicas: 6
    memory: 18GB
    compute: 20%
    objective: {p99: 60ms}
    isolation: cooperative
    service: {gap: 5ms, gpu: 12ms, arrivals: bursty}
  - name: notebooks
    tenant: each
    replicas: 14
    memory: 5.5GiB
    compute: {slices: 2}
    duty: 2.5%
    objective: best-effort
    interruptible: true
  - {name: big, replicas: 1, cards: 4, objective: throughput}
)";

TEST(WorkloadFile, FleetAndLimitsAreReadAsWritten) {
  const auto file = parse_workload_file(good_file, "f");
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_EQ(file->fleet.size(), 2u);
  EXPECT_EQ(file->fleet[0].asked, "h100-80gb");
  EXPECT_EQ(file->fleet[0].card, "h100-sxm5-80gb");
  EXPECT_FALSE(file->fleet[0].also_fit.empty());
  EXPECT_EQ(file->fleet[0].cost, 1000);
  EXPECT_EQ(file->fleet[0].nodes, 2);
  EXPECT_EQ(file->fleet[1].cost, 300);
  EXPECT_EQ(file->limits.duty, Permille{600});
  EXPECT_EQ(file->limits.thread_percent, 90);
  EXPECT_EQ(file->limits.mps_clients, 60);
}

TEST(WorkloadFile, WorkloadsAreReadAsWritten) {
  const auto file = parse_workload_file(good_file, "f");
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_EQ(file->workloads.size(), 4u);
  const Workload& big = file->workloads[0];
  EXPECT_EQ(big.name, "big");
  EXPECT_EQ(big.cards, 4);
  EXPECT_FALSE(big.memory);
  const Workload& notebooks = file->workloads[1];
  EXPECT_TRUE(notebooks.tenant_each);
  EXPECT_EQ(notebooks.tenant, "");
  EXPECT_EQ(notebooks.memory, Mib{5632});
  EXPECT_EQ(std::get<ComputeSlices>(notebooks.compute).slices, 2);
  EXPECT_EQ(notebooks.duty, Permille{25});
  EXPECT_TRUE(notebooks.interruptible);
  EXPECT_EQ(notebooks.objective.kind, ObjectiveKind::best_effort);
  const Workload& reranker = file->workloads[2];
  EXPECT_EQ(reranker.tenant, "other");
  EXPECT_EQ(reranker.memory, Mib{17167});
  EXPECT_EQ(std::get<ComputeShare>(reranker.compute).of_card, Permille{200});
  EXPECT_EQ(reranker.objective.kind, ObjectiveKind::p99);
  EXPECT_EQ(reranker.objective.target, Micros{60'000});
  EXPECT_EQ(reranker.isolation, Isolation::cooperative);
  EXPECT_EQ(reranker.service->arrivals, Arrivals::bursty);
  EXPECT_EQ(reranker.place.line, 16);
  const Workload& train = file->workloads[3];
  EXPECT_EQ(train.tenant, "search");
  EXPECT_EQ(train.replica_memory(), Mib{9 * 1024 + 7 * 500});
  EXPECT_EQ(train.priority, -3);
  const auto& models = std::get<ComputePerModel>(train.compute).of_card;
  ASSERT_EQ(models.size(), 2u);
  EXPECT_EQ(models[0].second, Permille{600});
  EXPECT_EQ(models[1].first, "h100-sxm5-80gb");
}

TEST(WorkloadFile, DefaultsAreNeverTheUnsafeChoice) {
  const auto file =
      parse_workload_file("workloads: [{name: a, tenant: t, replicas: 1, memory: 1GiB, objective: best-effort}]", "f");
  ASSERT_TRUE(file);
  const Workload& workload = file->workloads[0];
  EXPECT_FALSE(workload.interruptible);
  EXPECT_EQ(workload.isolation, Isolation::derived);
  EXPECT_FALSE(workload.duty);
  EXPECT_TRUE(std::holds_alternative<NoComputeNeed>(workload.compute));
  EXPECT_EQ(file->limits.duty, Permille{700});
  EXPECT_EQ(file->limits.thread_percent, 100);
  EXPECT_TRUE(file->fleet.empty());
}

TEST(WorkloadFile, ExamplesAreGood) {
  for (const char* name : {"team.yaml", "choices.yaml", "parvagpu/S1.yaml", "parvagpu/S6-3.yaml"}) {
    const auto file = read_workload_file(std::string(CARVE_SOURCE_DIR "/examples/") + name);
    EXPECT_TRUE(file) << name << ": " << file.error().message;
  }
}

TEST(WorkloadFile, DescribesItsKeys) {
  const std::string text = describe_workload_file();
  for (const char* piece : {"### a workload file", "| `memory` |", "| `p99` |", "| `throughput_per_s` |", "| 70% |"})
    EXPECT_THAT(text, HasSubstr(piece));
}

TEST(Fleet, FromTheCommandLine) {
  const auto fleet = parse_fleet("8xh100-80gb, 2xa30");
  ASSERT_TRUE(fleet) << fleet.error().message;
  ASSERT_EQ(fleet->size(), 2u);
  EXPECT_EQ((*fleet)[0].count, 8);
  EXPECT_EQ((*fleet)[0].card, "h100-sxm5-80gb");
  EXPECT_EQ((*fleet)[1].asked, "a30");
  const auto product = parse_fleet("8xNVIDIA H100 80GB HBM3");  // as nvidia-smi names it
  ASSERT_TRUE(product) << product.error().message;
  EXPECT_EQ((*product)[0].card, "h100-sxm5-80gb");
  struct Row {
    const char* text;
    int column;
    const char* message;
  };
  for (const Row& row : std::vector<Row>{{"8xh100-80gb 2xa30", 1, "is no entry of a fleet"},
                                         {"8xh100-80gb+2xa30", 1, "is no entry of a fleet"},
                                         {"", 1, "is empty"},
                                         {"8xh100-80gb,", 13, "is empty"},
                                         {"h100-80gb", 1, "has no count"},
                                         {"0xa30", 1, "from 1 to"},
                                         {"-1xa30", 1, "from 1 to"},
                                         {"010xa30", 1, "leading zero"},
                                         {"99999999xa30", 1, "from 1 to"},
                                         {"8x", 1, "has no model"},
                                         {"2xa30, 8xtoaster", 8, "toaster"}}) {
    const auto refused = parse_fleet(row.text);
    ASSERT_FALSE(refused) << row.text;
    EXPECT_THAT(refused.error().message, HasSubstr(row.message)) << row.text;
    EXPECT_EQ(refused.error().place->column, row.column) << row.text;
    EXPECT_EQ(refused.error().place->file, "--fleet");
  }
}

// ------------------------------------------------------------------------------------------------------- round trips

std::int64_t number(std::int64_t low, std::int64_t high) { return *rc::gen::inRange<std::int64_t>(low, high + 1); }
bool coin() { return *rc::gen::arbitrary<bool>(); }

MeasuredRow any_row(int processes) {
  MeasuredRow row;
  row.card = coin() ? "a100-80gb" : "h100-sxm5-80gb";
  row.profile = *rc::gen::element<std::string>("", "1g.10gb", "3g.40gb");
  row.processes = processes;
  row.batch = static_cast<int>(number(1, 128));
  row.throughput = {number(1, 10'000'000)};
  row.latency = {number(1, 10'000'000)};
  if (coin()) row.memory = Mib{number(1, 80'000)};
  return row;
}

void make_measured(Workload& w) {
  w.rate = MilliPerSecond{number(1, 100'000'000)};
  w.measured_file = "m.csv";
  for (int i = 1; i < 4; ++i) w.measured.push_back(any_row(i));
  std::sort(w.measured.begin(), w.measured.end());
  w.latency_margin = w.objective.is_latency() ? Permille{number(1, 1000)} : Permille{1000};
  w.max_processes = static_cast<int>(number(0, 5));
}

void make_counted(Workload& w) {
  w.replicas = number(1, 1000);
  w.memory = Mib{number(1, 100'000)};
  w.compute = *rc::gen::element<ComputeNeed>(
      NoComputeNeed{}, ComputeShare{Permille{number(1, 1000)}}, ComputeSlices{2},
      ComputePerModel{{{"a30-24gb", Permille{number(1, 1000)}}, {"h100-sxm5-80gb", Permille{5}}}});
  w.interruptible = !w.objective.is_latency() && coin();
  if (coin()) w.duty = Permille{number(1, 1000)};
  w.processes = static_cast<int>(number(1, 8));
  if (w.processes > 1 && coin()) w.context = Mib{number(1, 1000)};
  if (!w.tenant_each && coin()) w.isolation = Isolation::cooperative;
}

Workload any_workload() {
  Workload w;
  w.name = fmt::format("w{}", number(0, 99));
  w.tenant_each = coin();
  if (!w.tenant_each) w.tenant = "team";
  w.objective.kind = static_cast<ObjectiveKind>(number(0, 4));
  if (w.objective.is_latency()) w.objective.target = Micros{number(1, 3'600'000'000)};
  w.priority = static_cast<int>(number(-1000, 1000));
  if (coin()) w.service = Service{Micros{number(0, 10'000)}, Micros{number(1, 10'000)}, Arrivals::uniform, {}};
  if (coin()) w.service = Service{Micros{1}, Micros{2}, Arrivals::poisson, 3};
  if (w.objective.kind != ObjectiveKind::best_effort && coin())
    make_measured(w);
  else
    make_counted(w);
  return w;
}

bool same_compute(const ComputeNeed& a, const ComputeNeed& b) {
  if (a.index() != b.index()) return false;
  if (const auto* share = std::get_if<ComputeShare>(&a)) return share->of_card == std::get<ComputeShare>(b).of_card;
  if (const auto* models = std::get_if<ComputePerModel>(&a))
    return models->of_card == std::get<ComputePerModel>(b).of_card;
  if (const auto* slices = std::get_if<ComputeSlices>(&a)) return slices->slices == std::get<ComputeSlices>(b).slices;
  return true;
}

bool same_service(const std::optional<Service>& a, const std::optional<Service>& b) {
  if (!a || !b) return !a && !b;
  return a->gap == b->gap && a->gpu == b->gpu && a->arrivals == b->arrivals && a->clients == b->clients;
}

TEST(Json, WorkloadsSurviveIt) {
  EXPECT_TRUE(rc::check("workload -> json -> workload", [] {
    const Workload w = any_workload();
    const Json json = workload_to_json(w);
    const auto read = workload_from_json(json);
    if (!read) RC_FAIL(read.error().message + "\n" + write_json(json));
    RC_ASSERT(read->name == w.name);
    RC_ASSERT(read->tenant == w.tenant);
    RC_ASSERT(read->tenant_each == w.tenant_each);
    RC_ASSERT(read->replicas == w.replicas);
    RC_ASSERT(read->memory == w.memory);
    RC_ASSERT(same_compute(read->compute, w.compute));
    RC_ASSERT(read->objective.kind == w.objective.kind);
    RC_ASSERT(read->objective.target == w.objective.target);
    RC_ASSERT(read->interruptible == w.interruptible);
    RC_ASSERT(read->duty == w.duty);
    RC_ASSERT(read->isolation == w.isolation);
    RC_ASSERT(read->processes == w.processes);
    RC_ASSERT(read->context == w.context);
    RC_ASSERT(read->cards == w.cards);
    RC_ASSERT(read->priority == w.priority);
    RC_ASSERT(read->rate == w.rate);
    RC_ASSERT(read->measured_file == w.measured_file);
    RC_ASSERT(read->measured == w.measured);
    RC_ASSERT(read->latency_margin == w.latency_margin);
    RC_ASSERT(read->max_processes == w.max_processes);
    RC_ASSERT(same_service(read->service, w.service));
    RC_ASSERT(workload_to_json(*read) == json);
  }));
}

TEST(Json, RefusesWhatTheFileWouldRefuseAndIgnoresNewKeys) {
  const auto from = [](const char* text) { return workload_from_json(boost::json::parse(text)); };
  const auto good =
      from(R"({"name": "a", "tenant": "t", "replicas": 1, "memory": "1GiB", "objective": "throughput", "later": [1]})");
  EXPECT_TRUE(good) << good.error().message;
  EXPECT_FALSE(from(R"({"name": "a", "replicas": 1, "memory": "1GiB", "objective": "throughput"})"));
  EXPECT_FALSE(from(R"({"name": "a", "tenant": "t", "replicas": 1.0, "memory": "1GiB", "objective": "throughput"})"));
  EXPECT_FALSE(from(R"([])"));
}

}  // namespace
}  // namespace carve
