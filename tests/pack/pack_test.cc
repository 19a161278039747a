// Plans of small files whose right answer can be seen, from text to cards.

#include "pack/pack.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/check.h"

namespace carve {

namespace {

using ::testing::HasSubstr;

WorkloadFile file_of(const std::string& text) {
  auto file = parse_workload_file(text, "test.yaml");
  if (!file) throw std::runtime_error(file.error().message);
  return *file;
}

Plan plan_of(const WorkloadFile& file) {
  auto plan = pack(file);
  if (!plan) throw std::runtime_error(plan.error().message);
  const Verification verification = verify(*plan);
  for (const Violation& violation : verification.violations)
    ADD_FAILURE() << violation.subject << ": " << violation.message;
  EXPECT_EQ(verification.cost, plan->summary.cost);
  EXPECT_EQ(verification.cost_lower_bound, plan->summary.cost_lower_bound);
  return *plan;
}

Plan plan_of(const std::string& text) { return plan_of(file_of(text)); }

// "mps 2g.20gb@4 train×2, ..." of one class.
std::string drawn(const CardClass& cards) {
  std::string text;
  for (const Partition& partition : cards.partitions) {
    if (!text.empty()) text += " | ";
    text +=
        std::string(to_string(partition.mechanism)) + " " + (partition.profile.empty() ? "card" : partition.profile);
    if (partition.placement) text += "@" + std::to_string(partition.placement->start);
    for (const Share& share : partition.shares) text += " " + share.workload + "x" + std::to_string(share.count);
  }
  return text;
}

constexpr const char* one_h100 = "tenant: t\nfleet: [{card: h100-80gb, count: 1}]\nworkloads:\n";

}  // namespace

TEST(Pack, EighteenGibAndAP99TakeTheProfileThatStrandsLeast) {
  const std::string head = one_h100;
  const Plan eight = plan_of(head + "  - {name: w, replicas: 1, memory: 18GiB, compute: 8%, objective: {p99: 60ms}}\n");
  EXPECT_EQ(drawn(eight.cards[0]), "exclusive 1g.20gb@6 wx1");
  const Plan twenty =
      plan_of(head + "  - {name: w, replicas: 1, memory: 18GiB, compute: 20%, objective: {p99: 60ms}}\n");
  EXPECT_THAT(drawn(twenty.cards[0]), HasSubstr("exclusive 2g.20gb@"));
}

TEST(Pack, AProfileLeavesRoomForTheLargestOther) {
  const Plan plan =
      plan_of(std::string(one_h100) + "  - {name: w, replicas: 1, memory: 30GiB, objective: {p99: 60ms}}\n");
  EXPECT_EQ(drawn(plan.cards[0]), "exclusive 3g.40gb@4 wx1");
  EXPECT_EQ(plan.summary.free_largest_profile, "4g.40gb");
}

TEST(Pack, TenantsNeverShareAPartition) {
  const Plan plan = plan_of(R"(
fleet: [{card: h100-80gb, count: 1}]
workloads:
  - {name: a, tenant: red, replicas: 2, memory: 4GiB, compute: 5%, objective: throughput}
  - {name: b, tenant: blue, replicas: 2, memory: 4GiB, compute: 5%, objective: throughput}
)");
  ASSERT_EQ(plan.cards.size(), 1u);
  EXPECT_THAT(drawn(plan.cards[0]),
              ::testing::AllOf(HasSubstr("mps 1g.10gb@4 ax2 |"), HasSubstr("| mps 1g.10gb@5 bx2")));
}

TEST(Pack, MpsSharesCarryLimitsThatAddUp) {
  const Plan plan = plan_of(std::string(one_h100) +
                            "  - {name: train, replicas: 4, memory: 9GiB, compute: 10%, objective: throughput}\n");
  for (const CardClass& cards : plan.cards)
    for (const Partition& partition : cards.partitions) {
      if (partition.mechanism != Mechanism::mps) continue;
      const Share& share = partition.shares.front();
      EXPECT_LE(share.memory_limit->value * share.count, partition.memory.value);
      EXPECT_GE(*share.memory_limit, share.memory);
      EXPECT_LE(*share.thread_percent * share.count, 100);
    }
}

TEST(Pack, DutiesSumToAtMostTheLimit) {
  const std::string text =
      std::string(one_h100) +
      "  - {name: n, replicas: 14, memory: 1GiB, duty: 10%, objective: best-effort, interruptible: true}\n";
  const Plan plan = plan_of(text);
  for (const CardClass& cards : plan.cards)
    for (const Partition& partition : cards.partitions) EXPECT_LE(partition.shares.front().count, 7);
  EXPECT_EQ(plan.summary.placed, 14);
}

TEST(Pack, ReplicasAreNumberedOnceEach) {
  const Plan plan = plan_of(
      "tenant: t\nfleet: [{card: a30, count: 9}]\nworkloads:\n"
      "  - {name: w, replicas: 33, memory: 5GiB, objective: {p99: 60ms}}\n");
  EXPECT_EQ(plan.summary.cards_used, 9);
  std::vector<bool> seen(33, false);
  for (const CardClass& cards : plan.cards)
    for (std::int64_t card = 0; card < cards.count(); ++card)
      for (const Partition& partition : cards.partitions)
        for (const Share& share : partition.shares) {
          const auto [first, end] = replica_range(share, card);
          for (std::int64_t replica = share.first + card * share.count;
               replica < share.first + (card + 1) * share.count; ++replica) {
            EXPECT_FALSE(seen[static_cast<std::size_t>(replica)]);
            seen[static_cast<std::size_t>(replica)] = true;
          }
          EXPECT_EQ(first, share.first + card * share.count);
          EXPECT_GE(end, first);
        }
  EXPECT_THAT(seen, ::testing::Each(true));
}

TEST(Pack, WholeCardsStayOnOneHost) {
  // Hosts of four: three of each cannot make two groups of four, so one group takes each host and the rest is cut.
  const Plan plan = plan_of(R"(
tenant: t
fleet: [{card: h100-80gb, count: 12, nodes: 3}]
workloads:
  - {name: big, replicas: 1, cards: 4, objective: throughput}
  - {name: pair, replicas: 3, cards: 2, objective: throughput}
  - {name: small, replicas: 2, memory: 30GiB, objective: {p99: 60ms}}
)");
  EXPECT_EQ(plan.summary.placed, 6);
  EXPECT_EQ(plan.summary.cards_used, 11);
}

TEST(Pack, AGroupThatNoHostCanHoldIsUnplacedWithTheReason) {
  const Plan plan = plan_of(R"(
tenant: t
fleet: [{card: h100-80gb, count: 8, nodes: 4}]
workloads: [{name: big, replicas: 1, cards: 4, objective: throughput}]
)");
  ASSERT_EQ(plan.unplaced.size(), 1u);
  EXPECT_THAT(plan.unplaced[0].reason, HasSubstr("4 cards on one host"));
  EXPECT_EQ(plan.unplaced[0].nearest, "a host with 4 h100-sxm5-80gb; or `cards: 2`, which is what a host has");
}

TEST(Pack, AGroupThatIsTooLargeIsToldWhichCardsWouldHoldIt) {
  const Plan plan = plan_of(R"(
tenant: t
fleet: [{card: t4, count: 8}]
workloads: [{name: big, replicas: 1, cards: 4, memory: 80GiB, objective: throughput}]
)");
  ASSERT_EQ(plan.unplaced.size(), 1u);
  EXPECT_THAT(plan.unplaced[0].nearest, ::testing::MatchesRegex("4 [a-z0-9-]+ have [0-9.]+ GiB"));
}

TEST(Pack, WhoNamesOtherModelsIsToldToNameThisOne) {
  const Plan plan = plan_of(R"(
tenant: t
fleet: [{card: t4, count: 2}]
workloads: [{name: w, replicas: 1, memory: 10GiB, compute: {a30: 20%}, objective: throughput}]
)");
  ASSERT_EQ(plan.unplaced.size(), 1u);
  EXPECT_EQ(plan.unplaced[0].nearest, "a share of t4-16gb in `compute`");
}

TEST(Pack, MoreSlicesThanAnyCardHasAreNotAnsweredByACardWithoutThem) {
  const Plan plan = plan_of(
      "tenant: t\nfleet: [{card: a100-80gb, count: 1}]\n"
      "workloads: [{name: w, replicas: 1, memory: 2GiB, compute: {slices: 9}, objective: throughput}]\n");
  ASSERT_EQ(plan.unplaced.size(), 1u);
  EXPECT_EQ(plan.unplaced[0].nearest, "");
}

TEST(Pack, TheCheaperCardsAreTaken) {
  const Plan plan = plan_of(R"(
tenant: t
fleet: [{card: h100-80gb, count: 4, cost: 3000}, {card: a30, count: 4, cost: 500}]
workloads: [{name: w, replicas: 4, memory: 5GiB, objective: {p99: 60ms}}]
)");
  EXPECT_EQ(plan.summary.cost, 500);
  EXPECT_EQ(plan.cards[0].model, "a30-24gb");
}

TEST(Pack, PriorityDecidesWhoStaysOut) {
  const std::string text = R"(
tenant: t
fleet: [{card: a30, count: 1}]
workloads:
  - {name: a, replicas: 4, memory: 5GiB, objective: {p99: 60ms}}
  - {name: b, replicas: 3, memory: 5GiB, priority: 1, objective: {p99: 60ms}}
)";
  const Plan plan = plan_of(text);
  ASSERT_EQ(plan.unplaced.size(), 1u);
  EXPECT_EQ(plan.unplaced[0].workload, "a");
  EXPECT_EQ(plan.unplaced[0].first, 1);
  EXPECT_EQ(plan.unplaced[0].count, 3);
  EXPECT_THAT(plan.unplaced[0].nearest, ::testing::AllOf(HasSubstr("1 more a30-24gb"), HasSubstr("3 replicas fewer")));
}

TEST(Pack, WhoFindsNoPlaceAtAllIsToldToLeave) {
  const Plan plan = plan_of(R"(
tenant: t
fleet: [{card: a30, count: 1}]
workloads:
  - {name: a, replicas: 4, memory: 5GiB, priority: 1, objective: {p99: 60ms}}
  - {name: b, replicas: 2, memory: 5GiB, objective: {p99: 60ms}}
)");
  ASSERT_EQ(plan.unplaced.size(), 1u);
  EXPECT_THAT(plan.unplaced[0].nearest, HasSubstr("without b, the rest fits"));
}

TEST(Pack, WhereSeveralAreMissingNoneIsToldThatTheRestFits) {
  const Plan plan = plan_of(R"(
tenant: t
fleet: [{card: a30, count: 1}]
workloads:
  - {name: a, replicas: 1, memory: 20GiB, priority: 1, objective: {p99: 60ms}}
  - {name: b, replicas: 1, memory: 20GiB, objective: {p99: 60ms}}
  - {name: c, replicas: 1, memory: 20GiB, objective: {p99: 60ms}}
)");
  ASSERT_EQ(plan.unplaced.size(), 2u);
  for (const Unplaced& unplaced : plan.unplaced) EXPECT_EQ(unplaced.nearest, "1 more a30-24gb");
}

TEST(Pack, WhatIsTooLargeIsToldTheNextLargerCard) {
  const Plan plan =
      plan_of(std::string(one_h100) + "  - {name: w, replicas: 1, memory: 90GiB, objective: {p99: 60ms}}\n");
  ASSERT_EQ(plan.unplaced.size(), 1u);
  EXPECT_EQ(plan.unplaced[0].reason, "needs 90.0 GiB; the largest card, h100-sxm5-80gb, has 79.6 GiB");
  EXPECT_THAT(plan.unplaced[0].nearest, HasSubstr(" has "));
}

TEST(Pack, AnEmptyFleetIsAnErrorThatSaysHowToGiveOne) {
  WorkloadFile file = file_of("tenant: t\nworkloads: [{name: w, replicas: 1, memory: 1GiB, objective: best-effort}]\n");
  const auto plan = pack(file);
  ASSERT_FALSE(plan);
  EXPECT_THAT(plan.error().help, HasSubstr("--fleet"));
}

TEST(Pack, TheOrderInTheFileDoesNotMatter) {
  const std::string a = "  - {name: a, replicas: 5, memory: 9GiB, objective: {p99: 60ms}}\n";
  const std::string b = "  - {name: b, replicas: 7, memory: 3GiB, compute: 10%, objective: throughput}\n";
  const std::string c =
      "  - {name: c, replicas: 9, memory: 2GiB, duty: 8%, objective: best-effort, interruptible: true}\n";
  const std::string head =
      "tenant: t\nfleet: [{card: h100-80gb, count: 4}, {card: a30, count: 4, cost: 300}]\nworkloads:\n";
  const std::string expected = write_plan(plan_of(head + a + b + c));
  for (const std::string& order : {a + c + b, b + a + c, b + c + a, c + a + b, c + b + a, a + b + c})
    EXPECT_EQ(write_plan(plan_of(head + order)), expected);
}

// More kinds than can be listed: column generation, and still a certified bound.
TEST(Pack, ManyKindsAreGeneratedAndStayNearTheirBound) {
  std::string text = "tenant: t\nfleet: [{card: a100-80gb, count: 400}]\nworkloads:\n";
  for (int i = 0; i < 24; ++i)
    text += "  - {name: w" + std::to_string(i) + ", replicas: " + std::to_string(10 + i) +
            ", memory: " + std::to_string(900 + 311 * i) + "MiB, compute: " + std::to_string(2 + i % 9) +
            "%, objective: throughput}\n";
  PackStats stats;
  const auto plan = pack(file_of(text), &stats);
  ASSERT_TRUE(plan);
  EXPECT_GT(stats.rounds, 0);
  EXPECT_TRUE(plan->unplaced.empty());
  EXPECT_TRUE(verify(*plan).violations.empty());
  EXPECT_LE(plan->summary.cards_used, plan->summary.lower_bound + 3);
}

// The work hangs on the number of kinds, not of copies.
TEST(Pack, AMillionReplicasAreAsQuickAsTen) {
  const Plan plan = plan_of(
      "tenant: t\nfleet: [{card: h100-80gb, count: 200000}]\nworkloads:\n"
      "  - {name: a, replicas: 700000, memory: 9GiB, compute: 10%, objective: {p99: 60ms}}\n"
      "  - {name: b, replicas: 300000, memory: 3GiB, compute: 10%, objective: throughput}\n");
  EXPECT_TRUE(plan.unplaced.empty());
  EXPECT_LE(plan.cards.size(), 10u);
  EXPECT_TRUE(plan.summary.optimal);
}

}  // namespace carve
