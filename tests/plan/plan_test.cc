// The verbs of a plan in memory.
#include <gtest/gtest.h>

#include "plan/sample_plan.h"

namespace carve {

namespace {

TEST(Plan, HostsAreNumberedThroughTheFleet) {
  const std::vector<FleetEntry> fleet{{"a", "a30-24gb", {}, 6, 1000, 3}, {"b", "a30-24gb", {}, 4, 1000, 1}};
  EXPECT_EQ(position_in_fleet(fleet, 0, 0), (Position{"node-0", 0}));
  EXPECT_EQ(position_in_fleet(fleet, 0, 1), (Position{"node-0", 1}));
  EXPECT_EQ(position_in_fleet(fleet, 0, 5), (Position{"node-2", 1}));
  EXPECT_EQ(position_in_fleet(fleet, 1, 0), (Position{"node-3", 0}));
  EXPECT_EQ(position_in_fleet(fleet, 1, 3), (Position{"node-3", 3}));
}

TEST(Plan, StrandedIsWhatNoReplicaUses) {
  Partition partition = sample::instance("3g.40gb", {4, 4}, Mib{40448}, {});
  EXPECT_EQ(stranded(partition), Mib{0}) << "an empty partition is free";
  partition.shares = {sample::share("w", "t", 3, Mib{10'000})};
  EXPECT_EQ(stranded(partition), Mib{10'448});
  partition.shares[0].count = 5;
  EXPECT_EQ(stranded(partition), Mib{0});
}

TEST(Plan, ReplicasRunOnFromCardToCard) {
  Share share;
  share.first = 4;
  share.count = 3;
  EXPECT_EQ(replica_range(share, 0), std::pair(std::int64_t{4}, std::int64_t{7}));
  EXPECT_EQ(replica_range(share, 2), std::pair(std::int64_t{10}, std::int64_t{13}));
}

TEST(Plan, FindsWorkloadsByName) {
  const Plan plan = sample::plan();
  ASSERT_NE(find_workload(plan, "ranks"), nullptr);
  EXPECT_EQ(find_workload(plan, "ranks")->processes, 8);
  EXPECT_EQ(find_workload(plan, "rank"), nullptr);
}

}  // namespace

}  // namespace carve
