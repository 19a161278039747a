// The checker against a plan that is right, and against that plan broken in every way that it must notice.
#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "check/check.h"
#include "plan/sample_plan.h"

namespace carve {

namespace {

std::string all_messages(const Verification& verification) {
  std::string text;
  for (const Violation& violation : verification.violations)
    text += fmt::format("{}: {}\n", violation.subject, violation.message);
  return text;
}

TEST(Verify, AcceptsAPlanWithEverythingInIt) {
  const Verification verification = verify(sample::plan());
  EXPECT_EQ(all_messages(verification), "");
  EXPECT_EQ(verification.cost, 7000);
}

TEST(Verify, AcceptsAnEmptyPlan) { EXPECT_EQ(all_messages(verify(Plan{})), ""); }

// The classes of the sample by what is in them.
enum : std::size_t { serving, mixed, noise, big_first, big_second, measured };

Partition& part(Plan& plan, std::size_t cards, std::size_t partition) {
  return plan.cards[cards].partitions[partition];
}
Share& share(Plan& plan, std::size_t cards, std::size_t partition) { return part(plan, cards, partition).shares[0]; }
Workload& workload(Plan& plan, std::string_view name) {
  return *std::find_if(plan.workloads.begin(), plan.workloads.end(), [&](const Workload& w) { return w.name == name; });
}

struct Mutation {
  std::string_view name;
  void (*change)(Plan&);
  std::string_view says;
};
void PrintTo(const Mutation& mutation, std::ostream* out) { *out << mutation.name; }

const std::vector<Mutation> mutations{
    // The card and its place.
    {"UnknownModel", [](Plan& p) { p.cards[serving].model = "h100"; }, "no card of the catalog"},
    {"OtherModel", [](Plan& p) { p.cards[noise].model = "a100-80gb"; }, "is h100-sxm5-80gb in the fleet"},
    {"NoSuchHost", [](Plan& p) { p.cards[noise].positions[0].node = "node-3"; }, "the fleet has no card there"},
    {"HostWithoutNumber", [](Plan& p) { p.cards[noise].positions[0].node = "node-x"; }, "the fleet has no card there"},
    {"IndexBeyondHost", [](Plan& p) { p.cards[noise].positions[0].index = 2; }, "the fleet has no card there"},
    {"SameCardTwice",
     [](Plan& p) {
       p.cards[noise].positions[0] = {"node-0", 0};
     },
     "is in the plan twice"},
    {"NoPositions", [](Plan& p) { p.cards[noise].positions.clear(); }, "has no card"},
    {"UnevenFleet", [](Plan& p) { p.fleet[0].nodes = 3; }, "cannot be spread evenly"},
    // The layout.
    {"UnknownProfile", [](Plan& p) { part(p, serving, 0).profile = "2g.10gb"; }, "no profile `2g.10gb`"},
    {"NoPlacement", [](Plan& p) { part(p, serving, 0).placement.reset(); }, "needs a placement"},
    {"IllegalStart",
     [](Plan& p) {
       part(p, serving, 0).placement = Placement{1, 2};
     },
     "cannot be placed at slice 1"},
    {"IllegalSize",
     [](Plan& p) {
       part(p, serving, 0).placement = Placement{0, 1};
     },
     "cannot be placed at slice 0"},
    {"OffTheGrid",
     [](Plan& p) {
       part(p, serving, 2).placement = Placement{6, 4};
     },
     "of a grid of 8"},
    {"Overlap",
     [](Plan& p) {
       part(p, serving, 1).placement = Placement{0, 2};
     },
     "already belongs to"},
    {"OverlapOfSizes",
     [](Plan& p) {
       part(p, mixed, 0).placement = Placement{3, 1};
     },
     "memory slice 3 already belongs"},
    {"TooManyOfOne",
     [](Plan& p) {
       part(p, serving, 2) = sample::instance("4g.40gb", {0, 4}, Mib{40448}, {});
       part(p, serving, 1) = sample::instance("4g.40gb", {0, 4}, Mib{40448}, {});
     },
     "at most 1 instance of 4g.40gb"},
    {"TooMuchCompute",
     [](Plan& p) {
       p.cards[serving].partitions = {sample::instance("4g.40gb", {0, 4}, Mib{40448}, {}),
                                      sample::instance("4g.40gb", {0, 4}, Mib{40448}, {})};
     },
     "takes 8 compute slices and the card has 7"},
    {"TwoMediaInstances",
     [](Plan& p) {
       p.cards[mixed].partitions[0].profile = "1g.10gb+me";
       p.cards[mixed].partitions.push_back(sample::instance("1g.10gb+me", {1, 1}, Mib{9984}, {}));
     },
     "more than one instance is `+me`"},
    {"WholeAndMore", [](Plan& p) { p.cards[noise].partitions.push_back(sample::whole(Mib{81559}, {})); },
     "leaves nothing for another"},
    {"WholeWithMig", [](Plan& p) { p.cards[noise].mig = true; }, "used with MIG off"},
    {"CutWithoutMig", [](Plan& p) { p.cards[serving].mig = false; }, "is cut with MIG off"},
    {"WholeWithProfile", [](Plan& p) { part(p, noise, 0).profile = "7g.80gb"; }, "neither profile nor placement"},
    {"InventedMemory", [](Plan& p) { part(p, serving, 0).memory = Mib{20480}; }, "holds 20096 MiB by the catalog"},
    {"InventedCardMemory", [](Plan& p) { part(p, noise, 0).memory = Mib{81920}; }, "holds 81559 MiB by the catalog"},
    // Memory and compute of replicas.
    {"OtherMemory", [](Plan& p) { share(p, serving, 0).memory = sample::gib(17); }, "which asks for 18.0 GiB"},
    {"TooLarge", [](Plan& p) { workload(p, "reranker").memory = share(p, serving, 0).memory = sample::gib(20); },
     "its replicas need"},
    {"ContextForgotten", [](Plan& p) { share(p, mixed, 1).memory = sample::gib(10); }, "a replica of ranks"},
    {"OtherComputeShare", [](Plan& p) { share(p, serving, 0).compute = Permille{100}; }, "asks for another share"},
    {"TooFewSms", [](Plan& p) { workload(p, "reranker").compute = ComputeShare{Permille{250}}; },
     "has 32 of 132 SMs and the replica needs 33"},
    {"TooFewSlices", [](Plan& p) { workload(p, "students").compute = ComputeSlices{2}; },
     "has 1 of the 2 compute slices"},
    {"NoShareForThisModel",
     [](Plan& p) {
       workload(p, "trainer").compute = ComputePerModel{{{"a30-24gb", Permille{500}}}};
     },
     "says nothing about h100-sxm5-80gb"},
    {"BigCardsTooSmall", [](Plan& p) { workload(p, "big").memory = sample::gib(101); }, "do not hold"},
    // MPS.
    {"TooFewThreads", [](Plan& p) { share(p, serving, 2).thread_percent = 33; },
     "has 33 % of the threads and needs 34 %"},
    {"TooManyThreads", [](Plan& p) { share(p, serving, 2).thread_percent = 51; }, "sum to 102 and 100 is the limit"},
    {"NoThreads", [](Plan& p) { share(p, serving, 2).thread_percent.reset(); }, "needs a thread percentage"},
    {"NoMemoryLimit", [](Plan& p) { share(p, serving, 2).memory_limit.reset(); }, "and a memory limit"},
    {"LimitBelowMemory", [](Plan& p) { share(p, serving, 2).memory_limit = sample::gib(8); }, "is limited to 8.0 GiB"},
    {"LimitsTooLarge", [](Plan& p) { share(p, serving, 2).memory_limit = sample::gib(20); },
     "its memory limits sum to"},
    {"NineTenthsOfACardShared", [](Plan& p) { workload(p, "trainer").compute = ComputeShare{Permille{900}}; },
     "wants 90 % of a card or more and shares one"},
    {"TooManyClients", [](Plan& p) { p.limits.mps_clients = 4; }, "has 2 MPS clients and 1 is the limit"},
    {"LatencyUnderMps",
     [](Plan& p) {
       workload(p, "trainer").objective = {ObjectiveKind::p99, Micros{1000}};
     },
     "cache and bandwidth of its own"},
    {"BestEffortUnderMps", [](Plan& p) { workload(p, "trainer").objective = {}; }, "fault containment"},
    {"HardUnderMps", [](Plan& p) { workload(p, "trainer").isolation = Isolation::hard; }, "compute no other can take"},
    // Time slicing.
    {"TooBusy", [](Plan& p) { p.limits.duty = Permille{500}; }, "its duties sum to 60 % and 50 %"},
    {"NoDuty", [](Plan& p) { workload(p, "notebooks").duty.reset(); }, "its duties sum to 300 %"},
    {"StallRefused", [](Plan& p) { workload(p, "notebooks").interruptible = false; }, "has not accepted the stalls"},
    {"ThroughputTimeSliced",
     [](Plan& p) {
       workload(p, "notebooks").objective = {ObjectiveKind::throughput, {}};
     },
     "running at the same time"},
    {"SlicedComputeTooLarge", [](Plan& p) { workload(p, "notebooks").compute = ComputeShare{Permille{500}}; },
     "has 60 of 132 SMs and the replica needs 66"},
    // Exclusive.
    {"TwoInExclusive", [](Plan& p) { part(p, serving, 2).mechanism = Mechanism::exclusive; },
     "is exclusive and holds 2"},
    {"TooManyRanks", [](Plan& p) { p.limits.mps_clients = 24; }, "runs 8 processes and an MPS server here takes 6"},
    {"OtherProcesses", [](Plan& p) { share(p, mixed, 1).processes = 4; }, "runs 4 processes"},
    {"CardIsolationInMig", [](Plan& p) { workload(p, "reranker").isolation = Isolation::card; },
     "power, clock and PCIe"},
    // Tenants.
    {"OtherTenant", [](Plan& p) { share(p, serving, 0).tenant = "vision"; }, "belongs to `search`"},
    {"TwoTenants",
     [](Plan& p) {
       Share notebook = sample::share("notebooks", "research", 1, sample::gib(5));
       part(p, serving, 2).shares.insert(part(p, serving, 2).shares.begin(), notebook);
     },
     "two tenants in one partition"},
    {"StudentsTogether",
     [](Plan& p) {
       share(p, mixed, 0).count = 2;
       part(p, mixed, 0).mechanism = Mechanism::time_slicing;
     },
     "every replica of students is a tenant of its own"},
    // Measured rows.
    {"NoSuchRow", [](Plan& p) { share(p, measured, 0).throughput = MilliPerSecond{110'000}; },
     "is no row of its table"},
    {"OtherBatch", [](Plan& p) { share(p, measured, 0).batch = 8; }, "is no row of its table"},
    {"TooManyProcesses",
     [](Plan& p) {
       share(p, measured, 0).processes = 4;
       share(p, measured, 0).throughput = MilliPerSecond{180'000};
     },
     "is no row of its table"},
    {"TooSlow", [](Plan& p) { workload(p, "served").latency_margin = Permille{399}; }, "is no row of its table"},
    {"MeasuredShared", [](Plan& p) { part(p, measured, 0).mechanism = Mechanism::mps; }, "was measured alone"},
    {"RateMissed", [](Plan& p) { p.unplaced[0].rate = MilliPerSecond{49'999}; }, "150/s is asked for"},
    // Replicas.
    {"UnknownWorkload", [](Plan& p) { share(p, serving, 0).workload = "rerankers"; }, "no workload of the plan"},
    {"PlacedTwice", [](Plan& p) { share(p, serving, 1).first = 0; }, "reranker/0 is placed 2 times"},
    {"NotPlaced", [](Plan& p) { share(p, serving, 1).first = 0; }, "reranker/1 is neither placed"},
    {"BeyondTheLast", [](Plan& p) { share(p, serving, 1).first = 2; }, "replica 2 is beyond the 2"},
    {"RunsOnWrongly", [](Plan& p) { share(p, mixed, 2).first = 1; }, "notebooks/0 is neither placed"},
    {"PlacedAndUnplaced",
     [](Plan& p) {
       p.unplaced.insert(p.unplaced.begin(), {"reranker", 1, 1, std::nullopt, "", ""});
     },
     "is both placed and named as unplaced"},
    {"UnplacedUnknown", [](Plan& p) { p.unplaced[0].workload = "serve"; }, "is named as unplaced and is no workload"},
    {"NegativeReplica", [](Plan& p) { share(p, serving, 0).first = -1; }, "replicas of reranker from -1"},
    {"TwiceInTheList", [](Plan& p) { p.workloads.push_back(p.workloads.back()); }, "each once"},
    // Whole cards.
    {"OneCardMissing", [](Plan& p) { p.cards.erase(p.cards.begin() + big_second); }, "has 1 card and asks for 2"},
    {"OnTwoHosts",
     [](Plan& p) {
       p.fleet[1].nodes = 2;
       p.cards[big_second].positions[0] = {"node-3", 0};
       p.cards[measured].positions[0] = {"node-3", 1};
     },
     "has them on node-2 and node-3"},
    {"WholeCardsCut", [](Plan& p) { workload(p, "reranker").cards = 1; }, "asks for whole cards"},
    // The proof and the summary.
    {"PriceOfNobody",
     [](Plan& p) {
       p.proof.prices = {{"nobody", 5}};
     },
     "prices `nobody`"},
    {"PriceBelowZero",
     [](Plan& p) {
       p.proof.prices = {{"big", -5}};
     },
     "is negative"},
    {"PriceTwice",
     [](Plan& p) {
       p.proof.prices = {{"big", 5}, {"big", 6}};
     },
     "prices big twice"},
    {"BoundTooHigh", [](Plan& p) { p.summary.cost_lower_bound = 1000; }, "the prices prove 0"},
    {"CardsTooHigh", [](Plan& p) { p.summary.lower_bound = 1; }, "the prices prove 0"},
    {"BoundAboveSearch",
     [](Plan& p) {
       p.proof.search_complete = true;
       p.summary.cost_lower_bound = 8000;
     },
     "cost_lower_bound is 8000"},
    {"NotOptimal", [](Plan& p) { p.summary.optimal = true; }, "calls itself optimal"},
    {"OtherCost", [](Plan& p) { p.summary.cost = 6000; }, "cost is 6000 and 7000 by recount"},
    {"OtherCards", [](Plan& p) { p.summary.cards_used = 6; }, "cards_used is 6 and 7"},
    {"OtherPlaced", [](Plan& p) { p.summary.placed = 15; }, "placed is 15 and 16"},
    {"OtherReplicas", [](Plan& p) { p.summary.replicas = 17; }, "replicas is 17 and 16"},
    {"OtherStranded", [](Plan& p) { p.summary.stranded_memory += Mib{1}; }, "stranded_memory_mib"},
};

class Mutated : public testing::TestWithParam<Mutation> {};

TEST_P(Mutated, IsNoticed) {
  Plan plan = sample::plan();
  GetParam().change(plan);
  EXPECT_THAT(all_messages(verify(plan)), testing::HasSubstr(std::string(GetParam().says)));
}

INSTANTIATE_TEST_SUITE_P(Verify, Mutated, testing::ValuesIn(mutations),
                         [](const testing::TestParamInfo<Mutation>& mutation) {
                           return std::string(mutation.param.name);
                         });

TEST(Verify, CooperativeLatencyMayShareByMps) {
  Plan plan = sample::plan();
  workload(plan, "trainer").objective = {ObjectiveKind::p99, Micros{1000}};
  workload(plan, "trainer").isolation = Isolation::cooperative;
  EXPECT_EQ(all_messages(verify(plan)), "");
}

TEST(Verify, TakesTheDerivedMemoryOfAProfile) {
  Plan plan;
  plan.fleet = {{"a100-80gb", "a100-80gb", {}, 1, 1000, 1}};
  plan.workloads = {sample::workload("one", "t", 1, sample::gib(15))};
  // 1g.20gb of an A100 80 GB: two memory slices of 9728 MiB, because nobody published its memory.
  plan.cards = {{"a100-80gb",
                 true,
                 {{"node-0", 0}},
                 {sample::instance("1g.20gb", {0, 2}, Mib{19456}, {sample::share("one", "t", 1, sample::gib(15))})}}};
  plan.summary = sample::summary_of(plan);
  EXPECT_EQ(all_messages(verify(plan)), "");
}

}  // namespace

}  // namespace carve
