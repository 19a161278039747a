// The ten workloads of the design and the edges between them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policy/policy.h"

namespace carve {

namespace {

using ::testing::HasSubstr;

const CardModel& card(std::string_view name) { return *find_model(name)->model; }

Workload workload(ObjectiveKind kind) {
  Workload w;
  w.name = "it";
  w.tenant = "team";
  w.replicas = 1;
  w.memory = Mib{4096};
  w.objective = {kind, kind <= ObjectiveKind::p99 ? Micros{60'000} : Micros{}};
  return w;
}

Choice choice_on(const Workload& w, std::string_view model) { return decide(w, card(model)).choice; }

const Refusal& refusal(const Decision& decision, Choice choice) {
  for (const Refusal& refused : decision.refused)
    if (refused.choice == choice) return refused;
  throw std::logic_error("not refused");
}

}  // namespace

TEST(Decide, ALatencyObjectiveTakesMig) {
  for (const auto kind : {ObjectiveKind::p50, ObjectiveKind::p95, ObjectiveKind::p99})
    EXPECT_EQ(choice_on(workload(kind), "h100-80gb"), Choice::mig);
}

TEST(Decide, ThroughputTakesMps) {
  EXPECT_EQ(choice_on(workload(ObjectiveKind::throughput), "h100-80gb"), Choice::mps);
}

TEST(Decide, BestEffortTakesMigUnlessItAcceptsAStall) {
  Workload w = workload(ObjectiveKind::best_effort);
  EXPECT_EQ(choice_on(w, "h100-80gb"), Choice::mig);
  w.interruptible = true;
  EXPECT_EQ(choice_on(w, "h100-80gb"), Choice::time_slicing);
}

TEST(Decide, CooperativeModelsShareByMpsWhateverTheirObjective) {
  for (const auto kind : {ObjectiveKind::p95, ObjectiveKind::throughput, ObjectiveKind::best_effort}) {
    Workload w = workload(kind);
    w.isolation = Isolation::cooperative;
    EXPECT_EQ(choice_on(w, "h100-80gb"), Choice::mps);
  }
}

TEST(Decide, EachReplicaItsOwnTenantTakesAWall) {
  Workload w = workload(ObjectiveKind::best_effort);
  w.tenant.clear();
  w.tenant_each = true;
  w.interruptible = true;
  EXPECT_EQ(choice_on(w, "h100-80gb"), Choice::mig);
  EXPECT_EQ(choice_on(w, "t4"), Choice::card);
}

TEST(Decide, ManyProcessesTakeAPartitionOfTheirOwn) {
  Workload w = workload(ObjectiveKind::throughput);
  w.processes = 8;
  EXPECT_EQ(choice_on(w, "h100-80gb"), Choice::mig);
}

TEST(Decide, CardsAndIsolationCardTakeTheCard) {
  Workload w = workload(ObjectiveKind::throughput);
  w.cards = 4;
  EXPECT_EQ(choice_on(w, "h100-80gb"), Choice::card);
  w = workload(ObjectiveKind::p99);
  w.isolation = Isolation::card;
  EXPECT_EQ(choice_on(w, "h100-80gb"), Choice::card);
}

TEST(Decide, WhatFillsACardTakesItAlone) {
  Workload w = workload(ObjectiveKind::throughput);
  w.compute = ComputeShare{Permille{950}};
  EXPECT_EQ(choice_on(w, "h100-80gb"), Choice::card);
  EXPECT_THAT(refusal(decide(w, card("h100-80gb")), Choice::mps).why, HasSubstr("nothing for it"));
  w.compute = ComputeShare{Permille{890}};
  EXPECT_EQ(choice_on(w, "h100-80gb"), Choice::mps);
  w.compute = NoComputeNeed{};
  w.memory = Mib{14 * 1024};
  EXPECT_EQ(choice_on(w, "t4"), Choice::card);
  EXPECT_EQ(choice_on(w, "h100-80gb"), Choice::mps);
}

// `why` said "MIG, exclusive, in card" and that MIG takes a smaller part of it.
TEST(Decide, WhatNoSmallerPartitionHoldsTakesTheCard) {
  Workload w = workload(ObjectiveKind::p95);
  w.memory = Mib{60 * 1024};
  const Decision decision = decide(w, card("h100-80gb"));
  EXPECT_EQ(decision.choice, Choice::card);
  EXPECT_EQ(decision.because.back(), "no smaller partition of h100-sxm5-80gb holds it");
  EXPECT_THAT(refusal(decision, Choice::mig).why, HasSubstr("no partition of h100-sxm5-80gb that is smaller"));
  w.memory = Mib{30 * 1024};
  EXPECT_EQ(choice_on(w, "h100-80gb"), Choice::mig);
  w.compute = ComputeShare{Permille{600}};
  EXPECT_EQ(choice_on(w, "h100-80gb"), Choice::card);
}

TEST(Decide, HardTakesAWallEvenForThroughput) {
  Workload w = workload(ObjectiveKind::throughput);
  w.isolation = Isolation::hard;
  EXPECT_EQ(choice_on(w, "h100-80gb"), Choice::mig);
}

TEST(Decide, WithoutMigTheNextColumnServes) {
  EXPECT_EQ(choice_on(workload(ObjectiveKind::p99), "t4"), Choice::card);
  EXPECT_EQ(choice_on(workload(ObjectiveKind::throughput), "t4"), Choice::mps);
  const Decision decision = decide(workload(ObjectiveKind::p99), card("t4"));
  EXPECT_THAT(refusal(decision, Choice::mig).why, HasSubstr("no MIG"));
}

TEST(Decide, RefusalsNameWhatIsMissingAndWhatWouldAllowThem) {
  const Decision decision = decide(workload(ObjectiveKind::p99), card("h100-80gb"));
  ASSERT_EQ(decision.refused.size(), 3u);
  const Refusal& slicing = refusal(decision, Choice::time_slicing);
  EXPECT_EQ(slicing.missing, (Guarantees{Guarantee::memory, Guarantee::compute, Guarantee::bandwidth}));
  EXPECT_EQ(slicing.would_allow, "`interruptible: true` with `objective: best-effort`");
  const Refusal& mps = refusal(decision, Choice::mps);
  EXPECT_EQ(mps.missing, (Guarantees{Guarantee::compute, Guarantee::bandwidth}));
  EXPECT_EQ(mps.would_allow, "`isolation: cooperative`");
  EXPECT_TRUE(refusal(decision, Choice::card).missing.empty());
  EXPECT_THAT(decision.because,
              ::testing::ElementsAre("p99 60 ms needs memory, compute, cache and bandwidth of its own"));
}

// What would_allow says is true: whoever follows it gets the choice or a smaller one.
TEST(Decide, AStallIsNeverAdvisedForALatencyObjective) {
  for (const auto kind : {ObjectiveKind::p50, ObjectiveKind::p95, ObjectiveKind::p99}) {
    const Decision decision = decide(workload(kind), card("h100-80gb"));
    EXPECT_THAT(refusal(decision, Choice::time_slicing).would_allow, HasSubstr("`objective: best-effort`"));
  }
}

// -------------------------------------------------------------------------------------------------------- sizing

namespace {

std::vector<std::string> fitting(const Workload& w, std::string_view model) {
  std::vector<std::string> names;
  for (const PartitionKind& kind : partition_kinds(card(model)))
    if (fit(w, card(model), kind, Limits{}).fits()) names.push_back(kind.wall == Wall::card ? "card" : kind.name);
  return names;
}

PartitionKind kind_named(std::string_view model, std::string_view name) {
  for (const PartitionKind& kind : partition_kinds(card(model)))
    if (kind.name == name) return kind;
  throw std::logic_error("no such kind");
}

}  // namespace

TEST(Sizing, TheFigureInTheNameIsNotWhatFits) {
  Workload w = workload(ObjectiveKind::p99);
  w.memory = Mib{18 * 1024};
  w.compute = ComputeShare{Permille{80}};
  EXPECT_THAT(fitting(w, "h100-80gb"), ::testing::ElementsAre("1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "card"));
  w.memory = Mib{10 * 1024};  // 1g.10gb holds 9.75 GiB
  EXPECT_THAT(fitting(w, "h100-80gb"), ::testing::Not(::testing::Contains("1g.10gb")));
}

TEST(Sizing, TwentySixOfAHundredAndThirtyTwoSmsAreNotTwentyPercent) {
  Workload w = workload(ObjectiveKind::p99);
  w.memory = Mib{18 * 1024};
  w.compute = ComputeShare{Permille{200}};
  EXPECT_THAT(fitting(w, "h100-80gb"), ::testing::ElementsAre("2g.20gb", "3g.40gb", "4g.40gb", "card"));
  const Fit near_miss = fit(w, card("h100-80gb"), kind_named("h100-80gb", "1g.20gb"), Limits{});
  EXPECT_EQ(near_miss.misfit, Misfit::compute);
  EXPECT_EQ(near_miss.sentence, "26 of 132 SMs are 19.7 %, needs 20 % (27 SMs)");
}

TEST(Sizing, AnUnknownProfileMemoryIsDerivedOnTheSafeSide) {
  const PartitionKind kind = kind_named("a100-80gb", "1g.20gb");
  EXPECT_TRUE(kind.memory_derived);
  EXPECT_EQ(kind.memory, Mib{2 * 9728});
}

TEST(Sizing, AModelOfWhichNothingIsKnownHasNoPartitions) {
  EXPECT_TRUE(partition_kinds(card("h100-sxm5-94gb")).empty());
}

TEST(Sizing, RanksMustFitTheClientLimitOfAPartition) {
  Workload w = workload(ObjectiveKind::throughput);
  w.processes = 8;
  EXPECT_THAT(fitting(w, "h100-80gb"), ::testing::Not(::testing::Contains("1g.10gb")));  // 48 * 1 / 7 = 6
  EXPECT_THAT(fitting(w, "h100-80gb"), ::testing::Contains("2g.20gb"));
}

TEST(Sizing, ThreadPercentIsTheShareOfThePartitionRoundedUp) {
  Workload w = workload(ObjectiveKind::throughput);
  w.compute = ComputeShare{Permille{150}};  // 16.2 of 108 SMs, so 17; of 28 that is 60.7 %
  EXPECT_EQ(thread_percent(w, card("a100-80gb"), kind_named("a100-80gb", "2g.20gb")), 61);
  w.compute = NoComputeNeed{};
  EXPECT_EQ(thread_percent(w, card("a100-80gb"), kind_named("a100-80gb", "2g.20gb")), 20);  // 4096 of 19968 MiB
}

TEST(Sizing, OnlyMeasuredRowsThatKeepTheLatencyCount) {
  Workload w = workload(ObjectiveKind::p99);
  w.memory.reset();
  w.rate = MilliPerSecond{1'000'000};
  w.latency_margin = Permille{500};
  const auto row = [](int processes, std::int64_t per_second, std::int64_t ms) {
    return MeasuredRow{"a100-80gb", "2g.20gb", processes, 8, MilliPerSecond{per_second * 1000}, Micros{ms * 1000}, {}};
  };
  w.measured = {row(1, 300, 20), row(2, 400, 30), row(3, 500, 31)};
  const PartitionKind kind = kind_named("a100-80gb", "2g.20gb");
  EXPECT_EQ(best_row(w, card("a100-80gb"), kind, Limits{})->processes, 2);  // 31 ms is over half of 60 ms
  w.max_processes = 1;
  EXPECT_EQ(best_row(w, card("a100-80gb"), kind, Limits{})->processes, 1);
  w.objective.target = Micros{10'000};
  EXPECT_FALSE(best_row(w, card("a100-80gb"), kind, Limits{}));
  EXPECT_EQ(fit(w, card("a100-80gb"), kind, Limits{}).misfit, Misfit::too_slow);
  EXPECT_EQ(fit(w, card("a100-80gb"), kind_named("a100-80gb", "3g.40gb"), Limits{}).misfit, Misfit::not_measured);
}

}  // namespace carve
