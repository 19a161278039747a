// The checker's copy of the two tables against the policy's: both must choose alike for every kind of workload.
#include <gtest/gtest.h>

#include "base/base.h"
#include "check/piece.h"
#include "check/rights.h"

namespace carve {

namespace {

Workload random_workload(Random& random) {
  Workload w;
  w.name = "w";
  w.tenant_each = random.chance(1, 6);
  w.tenant = w.tenant_each ? "" : "t";
  w.replicas = 3;
  w.memory = Mib{1024};
  w.objective.kind = static_cast<ObjectiveKind>(random.between(0, 4));
  w.interruptible = random.chance(1, 2);
  w.isolation = static_cast<Isolation>(random.between(0, 3));
  w.processes = random.chance(1, 6) ? 4 : 1;
  w.cards = random.chance(1, 8) ? 2 : 0;
  if (random.chance(1, 8)) w.measured = {{"a100-80gb", "3g.40gb", 1, 1, {1000}, {1000}, std::nullopt}};
  return w;
}

std::optional<Mechanism> mechanism_of(Choice choice) {
  if (choice == Choice::time_slicing) return Mechanism::time_slicing;
  if (choice == Choice::mps) return Mechanism::mps;
  return std::nullopt;
}

TEST(Rights, AgreeWithThePolicyOnEveryKindOfWorkload) {
  const CardModel* model = model_of("a100-80gb");
  ASSERT_NE(model, nullptr);
  Random random(7);
  for (int i = 0; i < 2000; ++i) {
    const Workload workload = random_workload(random);
    const Choice choice = decide(workload, *model).choice;
    EXPECT_EQ(sharing_mechanism(workload), mechanism_of(choice)) << to_string(choice);
    EXPECT_EQ(needs_whole_card(workload), choice == Choice::card) << to_string(choice);
  }
}

}  // namespace

}  // namespace carve
