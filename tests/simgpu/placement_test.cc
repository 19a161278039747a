// Where instances go: every layout that there is can be reached, no other; the sequences that were recorded of real
// drivers; other grids, other boards, media engines.
#include <algorithm>
#include <map>
#include <set>

#include <gmock/gmock.h>

#include "simgpu/loaded.h"

namespace carve::sim {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The plain profiles of an A100 by id, as its listing shows them: what the layouts below are counted over.
constexpr unsigned plain_ids[] = {19, 15, 14, 9, 5, 0};

using Layout = std::set<std::tuple<unsigned, unsigned, unsigned>>;  // profile id, start, GI id

Layout layout_of(const Nvml& nvml, Device card) {
  Layout layout;
  for (const unsigned id : plain_ids) {
    GpuInstanceHandle handles[8] = {};
    unsigned count = 0;
    EXPECT_EQ(nvml.call("nvmlDeviceGetGpuInstances", card, id, static_cast<GpuInstanceHandle*>(handles), &count),
              success);
    for (unsigned i = 0; i < count; ++i) {
      const GpuInstanceInfo info = nvml.info(handles[i]);
      layout.insert({info.profile_id, info.placement.start, info.id});
    }
  }
  return layout;
}

struct Step {
  unsigned id;
  Placement place;
};

// Walks over all layouts by adding and taking away one instance at a time, and notes what it finds.
class Walk {
 public:
  Walk(const Nvml& nvml, Device card) : nvml_(nvml), card_(card) {
    for (const unsigned id : plain_ids) {
      for (const Placement place : nvml.placements(card, id)) steps_.push_back({id, place});
    }
  }

  void from(std::set<std::pair<unsigned, unsigned>> placed) {
    const Layout layout = layout_of(nvml_, card_);
    const auto [known, is_new] = found.emplace(placed, layout);
    EXPECT_EQ(known->second, layout) << "another way to the same places";
    if (!is_new) return;
    for (const Step& step : steps_) {
      GpuInstanceHandle made = nvml_.create_at(card_, step.id, step.place);
      if (made == nullptr) continue;
      auto next = placed;
      next.insert({step.id, step.place.start});
      from(next);
      ASSERT_EQ(nvml_.call("nvmlGpuInstanceDestroy", made), success);
    }
  }

  std::map<std::set<std::pair<unsigned, unsigned>>, Layout> found;

 private:
  const Nvml& nvml_;
  Device card_;
  std::vector<Step> steps_;
};

TEST(Placement, ReachesThe723LayoutsOfAnA100AndNoOther) {
  const CutMachine machine("a100-40gb");
  Walk walk(machine.nvml, machine.nvml.device(0));
  walk.from({});
  EXPECT_EQ(walk.found.size(), 723u);
  std::set<std::multiset<unsigned>> multisets;
  for (const auto& [placed, layout] : walk.found) {
    std::multiset<unsigned> ids;
    for (const auto& [id, start] : placed) ids.insert(id);
    multisets.insert(ids);
  }
  EXPECT_EQ(multisets.size(), 78u);
}

std::vector<unsigned> ids_after(const CutMachine& machine, const std::vector<unsigned>& profiles) {
  std::vector<unsigned> ids;
  for (const unsigned profile : profiles) {
    Return code = success;
    GpuInstanceHandle made = machine.nvml.create(machine.nvml.device(0), profile, &code);
    if (made == nullptr) {
      EXPECT_EQ(code, insufficient_resources);
      break;
    }
    ids.push_back(machine.nvml.info(made).id);
  }
  return ids;
}

struct Recorded {
  const char* card;
  std::vector<unsigned> profiles;
  std::vector<unsigned> ids;  // fewer than profiles: the next one found no room
};

TEST(Placement, WithoutAPlaceGoesWhereRecordedDriversPutIt) {
  const Recorded recorded[] = {
      {"a100-40gb", {19, 19, 14, 9}, {13, 11, 3}},
      {"a100-40gb", {9, 19, 14, 19}, {2, 7, 4, 8}},
      {"a100-40gb", {19, 14, 5}, {13, 5, 1}},
      {"a100-40gb", {14, 19, 19, 19, 19, 19}, {5, 13, 7, 8, 9, 10}},
      {"a100-80gb", {19, 19, 19, 19, 19, 19, 19}, {13, 11, 12, 7, 8, 9, 10}},
      {"h100-pcie-80gb", {9, 19, 19, 19}, {2, 7, 8, 9}},
      {"h100-nvl-94gb", {9, 15, 19}, {1, 5, 13}},
      {"rtx-pro-6000-96gb", {14, 14, 14, 14}, {3, 4, 5, 6}},
      {"rtx-pro-6000-96gb", {5, 14, 14}, {1, 5, 6}},
  };
  for (const Recorded& row : recorded) {
    const CutMachine machine(row.card);
    EXPECT_EQ(ids_after(machine, row.profiles), row.ids) << row.card << ", first profile " << row.profiles.front();
  }
}

TEST(Placement, FollowsTheGapOfTheBoard) {
  CardOrder order = card_of("h100-pcie-80gb");
  order.gap = 3;
  const CutMachine machine(machine_of({order}));
  EXPECT_THAT(ids_after(machine, {19, 19, 19, 19, 19, 19, 19}), ElementsAre(9, 7, 8, 11, 12, 13, 14));
}

TEST(Placement, TheUsualGapGivesTheRecordedPlaces) {
  CardOrder with_gap = card_of("a100-40gb");
  with_gap.gap = 7;
  const CutMachine machine(machine_of({with_gap, card_of("a100-40gb")}));
  for (const unsigned id : {19u, 20u, 15u, 14u, 9u, 5u, 0u}) {
    const auto derived = machine.nvml.placements(machine.nvml.device(0), id);
    const auto recorded = machine.nvml.placements(machine.nvml.device(1), id);
    ASSERT_EQ(derived.size(), recorded.size()) << id;
    for (std::size_t i = 0; i < derived.size(); ++i) EXPECT_EQ(derived[i].start, recorded[i].start) << id;
  }
}

TEST(Placement, BoardsOfOneModelMayDifferInTheirProfileIds) {
  CardOrder other = card_of("h100-80gb");
  other.profile_ids = {{"1g.10gb", 119}};
  const CutMachine machine(machine_of({card_of("h100-80gb"), other}));
  Return code = success;
  EXPECT_EQ(machine.nvml.create(machine.nvml.device(1), 19, &code), nullptr);
  EXPECT_EQ(code, invalid_argument);
  const GpuInstanceHandle made = machine.nvml.create(machine.nvml.device(1), 119);
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(machine.nvml.info(made).profile_id, 119u);
  EXPECT_NE(machine.nvml.create(machine.nvml.device(0), 19), nullptr);
}

TEST(Placement, AnA30HasFourUnits) {
  const CutMachine machine("a30");
  EXPECT_THAT(ids_after(machine, {14, 14, 14, 14, 14}), ElementsAre(3, 4, 5, 6));
  const CutMachine halves("a30");
  EXPECT_THAT(ids_after(halves, {5, 5, 5}), ElementsAre(1, 2));
  const CutMachine whole("a30");
  EXPECT_THAT(ids_after(whole, {0, 14}), ElementsAre(0));
}

TEST(Placement, AnRtxPro6000HasTwelveUnits) {
  const CutMachine machine("rtx-pro-6000-96gb");
  const auto places = machine.nvml.placements(machine.nvml.device(0), 14);
  ASSERT_EQ(places.size(), 4u);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(places[i].start, 3 * i);
    EXPECT_EQ(places[i].size, 3u);
  }
  Return code = success;
  EXPECT_EQ(machine.nvml.create_at(machine.nvml.device(0), 14, {1, 3}, &code), nullptr);
  EXPECT_EQ(code, invalid_argument);
}

// Profile ids of the RTX PRO 6000: 21 "+me", 65 "+me.all", 67 "-me", 14 plain, 47 "+gfx".
TEST(Placement, MediaEnginesDecideWhoStandsBesideWhom) {
  const CutMachine one("a100-40gb");
  EXPECT_EQ(ids_after(one, {20, 20}).size(), 1u);
  EXPECT_EQ(ids_after(one, {19, 19}).size(), 2u);
  const CutMachine all("rtx-pro-6000-96gb");
  EXPECT_EQ(ids_after(all, {65}).size(), 1u);
  for (const unsigned other : {14u, 21u, 47u, 65u, 64u}) EXPECT_THAT(ids_after(all, {other}), IsEmpty()) << other;
  EXPECT_EQ(ids_after(all, {67, 67, 67}).size(), 3u);
  const CutMachine late("rtx-pro-6000-96gb");
  EXPECT_EQ(ids_after(late, {67, 14}).size(), 2u);
  EXPECT_THAT(ids_after(late, {65}), IsEmpty()) << "a plain instance already has a media engine";
}

TEST(Placement, RemainingCapacityIsWhatCanStillBeMade) {
  const CutMachine machine("h100-80gb");
  const Device card = machine.nvml.device(0);
  const auto capacity = [&](unsigned id) {
    unsigned count = 99;
    EXPECT_EQ(machine.nvml.call("nvmlDeviceGetGpuInstanceRemainingCapacity", card, id, &count), success);
    return count;
  };
  EXPECT_EQ(capacity(19), 7u);
  EXPECT_EQ(capacity(9), 2u);
  ASSERT_NE(machine.nvml.create_at(card, 9, {4, 4}), nullptr);
  EXPECT_EQ(capacity(19), 4u);
  EXPECT_EQ(capacity(15), 2u);
  EXPECT_EQ(capacity(9), 1u);
  EXPECT_EQ(capacity(5), 1u);
  ASSERT_NE(machine.nvml.create_at(card, 9, {0, 4}), nullptr);
  EXPECT_EQ(capacity(19), 0u) << "one compute slice is left, and no memory";
}

TEST(Placement, TheHostileChooserTakesWhatHurts) {
  CardOrder order = card_of("a100-40gb");
  order.chooser = Chooser::hostile;
  const CutMachine machine(machine_of({order}));
  const auto ids = ids_after(machine, {19});
  ASSERT_EQ(ids.size(), 1u);
  Return code = success;
  EXPECT_EQ(machine.nvml.create(machine.nvml.device(0), 5, &code), nullptr) << "no 4g beside it";
  EXPECT_EQ(code, insufficient_resources);
}

}  // namespace

}  // namespace carve::sim
