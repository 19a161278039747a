// The bound against the cheapest plan that trying everything finds: whatever the prices, it is never above it.
#include <algorithm>
#include <limits>
#include <span>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/base.h"
#include "check/bound.h"
#include "check/check.h"
#include "check/knapsack.h"
#include "plan/sample_plan.h"

namespace carve {

namespace {

// ------------------------------------------------------------------------------------------------------- knapsack

Worth best_by_trying(std::span<const Item> items, Weights left) {
  if (items.empty()) return 0;
  const Item& item = items.front();
  Worth best = 0;
  for (std::int64_t count = 0; count <= item.copies; ++count) {
    best = std::max(best, item.value * count + best_by_trying(items.subspan(1), left));
    bool fits = true;
    for (std::size_t d = 0; d < knapsack_dimensions; ++d) fits = (left[d] -= item.weight[d]) >= 0 && fits;
    if (!fits) break;
  }
  return best;
}

TEST(Knapsack, IsTheBestOfAllChoices) {
  Random random(11);
  for (int round = 0; round < 500; ++round) {
    std::vector<Item> items(static_cast<std::size_t>(random.between(1, 4)));
    for (Item& item : items) {
      item = {random.between(0, 50),
              {random.between(0, 12), random.between(1, 40), random.between(1, 3)},
              random.between(0, 6)};
    }
    const Weights capacity{random.between(0, 40), random.between(0, 100), random.between(1, 12)};
    EXPECT_EQ(static_cast<std::int64_t>(dearest_group(items, capacity)),
              static_cast<std::int64_t>(best_by_trying(items, capacity)));
  }
}

TEST(Knapsack, IsNeverTooLowWhereItIsTooLargeToBeExact) {
  Random random(12);
  std::vector<Item> items;
  for (int i = 0; i < 300; ++i) {
    items.push_back({random.between(900'000, 1'000'000),
                     {random.between(9'000, 10'000), random.between(1, 3), 1},
                     random.between(1, 40)});
  }
  const Weights capacity{400'000, 100, 48};
  const auto dearest = static_cast<std::int64_t>(dearest_group(items, capacity));
  // 44 of the least weight fit at most, and 40 of the greatest do.
  EXPECT_GE(dearest, 40 * 990'000);
  EXPECT_LE(dearest, 45 * 1'000'000);
}

// --------------------------------------------------------------------------- the cheapest plan, by trying everything

// One replica, by what it needs of an A30: memory, SMs of 56, and how it may share.
struct Need {
  std::int64_t memory;
  std::int64_t sms;
  Mechanism sharing;  // exclusive: it has its partition alone
  std::int64_t duty;
};

struct Shape {
  std::int64_t memory, sms, slices;
};
// a30-24gb: four slices of compute and memory, and the card as a whole.
constexpr Shape of_one{5952, 14, 1}, of_two{11968, 28, 2}, of_card{24576, 56, 4};

bool group_fits(const std::vector<Need>& all, unsigned group, const Shape& shape) {
  std::int64_t memory = 0, threads = 0, duty = 0, count = 0;
  Mechanism sharing = Mechanism::exclusive;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if ((group >> i & 1u) == 0) continue;
    const Need& need = all[i];
    if (count > 0 && (need.sharing != sharing || sharing == Mechanism::exclusive)) return false;
    if (need.sms > shape.sms) return false;
    sharing = need.sharing;
    memory += need.memory;
    threads += (100 * need.sms + shape.sms - 1) / shape.sms;
    duty += need.duty;
    ++count;
  }
  if (memory > shape.memory) return false;
  if (count <= 1) return true;
  return sharing == Mechanism::mps ? threads <= 100 && count <= 48 * shape.slices / 4 : duty <= 700;
}

// Whether the replicas can be split over instances that take at most `slices` of a card's four; a two-slice instance
// stands at 0 or 2, so that any set of sizes that sums to four has places.
bool instances_fit(const std::vector<Need>& all, unsigned rest, std::int64_t slices) {
  if (rest == 0) return true;
  const unsigned lowest = rest & (~rest + 1);
  for (unsigned group = rest; group != 0; group = (group - 1) & rest) {
    if ((group & lowest) == 0) continue;
    for (const Shape& shape : {of_one, of_two}) {
      if (shape.slices <= slices && group_fits(all, group, shape) &&
          instances_fit(all, rest & ~group, slices - shape.slices)) {
        return true;
      }
    }
  }
  return false;
}

// The fewest cards for all replicas, or nothing if one fits no card.
std::optional<int> fewest_cards(const std::vector<Need>& all) {
  const unsigned every = (1u << all.size()) - 1;
  constexpr int never = 1000;
  std::vector<int> cards(every + 1, never);
  cards[0] = 0;
  for (unsigned set = 1; set <= every; ++set) {
    for (unsigned on_one = set; on_one != 0; on_one = (on_one - 1) & set) {
      if (cards[set & ~on_one] + 1 >= cards[set]) continue;
      if (group_fits(all, on_one, of_card) || instances_fit(all, on_one, 4)) cards[set] = cards[set & ~on_one] + 1;
    }
  }
  return cards[every] == never ? std::nullopt : std::optional(cards[every]);
}

// ------------------------------------------------------------------------------------------------- random instances

struct Instance {
  std::vector<Workload> workloads;
  std::vector<Need> needs;
  Proof proof;
};

Instance random_instance(Random& random) {
  Instance instance;
  const auto kinds = random.between(1, 3);
  for (std::int64_t k = 0; k < kinds; ++k) {
    Workload w = sample::workload(fmt::format("w{}", k), "t", random.between(1, 3), Mib{random.between(500, 14'000)});
    const std::int64_t share = random.between(10, 500);
    w.compute = ComputeShare{Permille{share}};
    Need need{w.memory->value, (share * 56 + 999) / 1000, Mechanism::exclusive, 0};
    switch (random.between(0, 2)) {
      case 0:
        w.objective = {ObjectiveKind::p99, Micros{1000}};
        break;
      case 1:
        w.objective = {ObjectiveKind::throughput, {}};
        need.sharing = Mechanism::mps;
        break;
      default:
        w.interruptible = true;
        w.duty = Permille{random.between(50, 400)};
        need.sharing = Mechanism::time_slicing;
        need.duty = w.duty->value;
    }
    for (std::int64_t i = 0; i < w.replicas; ++i) instance.needs.push_back(need);
    instance.proof.prices.push_back({w.name, random.between(0, 1'000) * proof_scale});
    instance.workloads.push_back(std::move(w));
  }
  return instance;
}

TEST(CostBound, IsNeverAboveTheCheapestPlan) {
  Random random(13);
  int useful = 0;
  for (int round = 0; round < 600; ++round) {
    const Instance instance = random_instance(random);
    const std::optional<int> fewest = fewest_cards(instance.needs);
    ASSERT_TRUE(fewest.has_value());
    const std::vector<FleetEntry> fleet{{"a30", "a30-24gb", {}, random.between(9, 100), 1000, 1}};
    const std::int64_t bound = cost_bound(fleet, instance.workloads, Limits{}, instance.proof);
    EXPECT_LE(bound, *fewest * 1000) << "round " << round;
    EXPECT_EQ(bound % 1000, 0);
    useful += bound == *fewest * 1000 ? 1 : 0;
  }
  EXPECT_GT(useful, 200) << "prices drawn blindly still prove the optimum of many small instances";
}

// ------------------------------------------------------------------------------------------------------ known bounds

TEST(CostBound, ProvesWhatSevenPerCardMeans) {
  // One GiB and no compute, but a latency: seven 1g.10gb on an H100, so 15 replicas need three cards.
  std::vector<Workload> workloads{sample::workload("w", "t", 15, sample::gib(1))};
  workloads[0].objective = {ObjectiveKind::p99, Micros{1000}};
  const std::vector<FleetEntry> fleet{{"h100-80gb", "h100-sxm5-80gb", {}, 1000, 500, 1}};
  Proof proof;
  proof.prices = {{"w", 500 * proof_scale / 7}};
  EXPECT_EQ(cost_bound(fleet, workloads, Limits{}, proof), 1500);
  // A price that is a little too high costs nothing: it is scaled down, not paid for on every card of the fleet.
  proof.prices = {{"w", 500 * proof_scale / 7 + 1}};
  EXPECT_EQ(cost_bound(fleet, workloads, Limits{}, proof), 1500);
}

TEST(CostBound, CountsARateByTheBestRow) {
  std::vector<Workload> workloads = sample::workloads();
  std::erase_if(workloads, [](const Workload& w) { return w.name != "served"; });
  workloads[0].rate = MilliPerSecond{410'000};
  // Two partitions 3g.40gb of 100/s on a card: 410/s need three cards.
  Proof proof;
  proof.prices = {{"served", 1000 * proof_scale / 200}};
  const std::vector<FleetEntry> fleet{{"a100-80gb", "a100-80gb", {}, 10, 1000, 1}};
  EXPECT_EQ(cost_bound(fleet, workloads, Limits{}, proof), 3000);
}

TEST(CostBound, WholeCardsAreWorthTheirPartOfAReplica) {
  std::vector<Workload> workloads{sample::workload("w", "t", 3, sample::gib(1))};
  workloads[0].cards = 4;
  Proof proof;
  proof.prices = {{"w", 4000 * proof_scale}};
  const std::vector<FleetEntry> fleet{{"a100-80gb", "a100-80gb", {}, 16, 1000, 2}};
  EXPECT_EQ(cost_bound(fleet, workloads, Limits{}, proof), 12'000);
}

TEST(CostBound, IsOfWhatIsPlaced) {
  Plan plan = sample::plan();
  plan.proof.prices = {{"served", 10 * proof_scale}};  // 100/s of 150/s are placed, and they fill one card of 1000
  EXPECT_EQ(verify(plan).cost_lower_bound, 1000);
  EXPECT_EQ(verify(plan).lower_bound, 1);
}

TEST(CostBound, HoldsForAbsurdPrices) {
  std::vector<Workload> workloads{sample::workload("w", "t", 1'000'000, sample::gib(1))};
  Proof proof;
  proof.prices = {{"w", std::numeric_limits<std::int64_t>::max()}};
  const std::vector<FleetEntry> fleet{{"a30", "a30-24gb", {}, 10'000'000, 1'000'000'000, 1}};
  EXPECT_GE(cost_bound(fleet, workloads, Limits{}, proof), 0);
}

TEST(CardBound, TakesTheDearestCardsFirst) {
  const std::vector<FleetEntry> fleet{{"a", "a100-80gb", {}, 2, 1000, 1}, {"b", "a30-24gb", {}, 10, 300, 1}};
  EXPECT_EQ(card_bound(fleet, 0), 0);
  EXPECT_EQ(card_bound(fleet, 1000), 1);
  EXPECT_EQ(card_bound(fleet, 2100), 3);
}

}  // namespace

}  // namespace carve
