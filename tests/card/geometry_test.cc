#include <chrono>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "card/card.h"
#include "card/plain_model.h"

namespace carve {
namespace {

using testing::ElementsAre;

const CardModel& model(const char* id) {
  for (const CardModel& candidate : catalog()) {
    if (candidate.id == id) return candidate;
  }
  ADD_FAILURE() << id << " is not in the catalog";
  return catalog().front();
}

std::vector<int> all_profiles(const CardModel& card) {
  std::vector<int> all(card.profiles.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

plain::Instances instances_of(const CardModel& card, const Geometry& geometry, Layout layout) {
  plain::Instances instances;
  for (std::size_t i = 0; i < geometry.places().size(); ++i) {
    const PlacedProfile& place = geometry.places()[i];
    if ((layout >> i & 1) == 0) continue;
    instances.insert({card.profiles[static_cast<std::size_t>(place.profile)].name, place.placement.start});
  }
  return instances;
}

plain::Multiset named(const CardModel& card, const ProfileCounts& counts) {
  plain::Multiset result;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) result[card.profiles[i].name] = counts[i];
  }
  return result;
}

std::set<plain::Multiset> named(const CardModel& card, const std::vector<ProfileCounts>& all) {
  std::set<plain::Multiset> result;
  for (const ProfileCounts& counts : all) result.insert(named(card, counts));
  EXPECT_EQ(result.size(), all.size()) << "a multiset occurs twice";
  return result;
}

// The counts of profiles given by name.
ProfileCounts counts(const CardModel& card, const plain::Multiset& wanted) {
  ProfileCounts result(card.profiles.size(), 0);
  for (const auto& [name, count] : wanted) {
    const Profile* profile = card.find_profile(name);
    EXPECT_NE(profile, nullptr) << name;
    if (profile != nullptr) result[static_cast<std::size_t>(profile - card.profiles.data())] = count;
  }
  return result;
}

// "3g.40gb@4 1g.10gb@0", highest start first.
std::string written(const CardModel& card, const Geometry& geometry, Layout layout) {
  std::vector<std::pair<int, std::string>> places;
  for (const plain::Instance& instance : instances_of(card, geometry, layout)) {
    places.emplace_back(-instance.start, instance.profile);
  }
  std::sort(places.begin(), places.end());
  std::vector<std::string> parts;
  for (const auto& [start, profile] : places) parts.push_back(fmt::format("{}@{}", profile, -start));
  return fmt::format("{}", fmt::join(parts, " "));
}

Layout layout_of(const Geometry& geometry, const CardModel& card, const plain::Instances& wanted) {
  for (const Layout layout : geometry.layouts()) {
    if (instances_of(card, geometry, layout) == wanted) return layout;
  }
  ADD_FAILURE() << "no such layout";
  return 0;
}

TEST(Geometry, CountsOfTheGridOfEightUnits) {
  const CardModel& card = model("a100-80gb");
  const Geometry geometry(card, plain_profiles(card));
  EXPECT_EQ(geometry.places().size(), 18u);
  EXPECT_EQ(geometry.layouts().size(), 723u);
  EXPECT_EQ(geometry.multisets().size(), 78u);
  EXPECT_EQ(geometry.complete_multisets().size(), 38u);
  EXPECT_EQ(geometry.largest_multisets().size(), 28u);
}

TEST(Geometry, CountsWithoutTheDoubleMemoryProfile) {
  const CardModel& card = model("a100-80gb");
  std::vector<int> profiles = plain_profiles(card);
  std::erase_if(profiles, [&](int i) { return card.profiles[static_cast<std::size_t>(i)].name == "1g.20gb"; });
  EXPECT_EQ(Geometry(card, profiles).largest_multisets().size(), 12u);
}

// The arithmetic stands beside each number. A half of the A30 is empty, 2g, or any of two 1g: 5 ways; with its one +me
// 5 more: 2g+me, or a 1g+me in one of two places beside nothing or a 1g.
TEST(Geometry, CountsOfTheGridOfFourUnits) {
  const CardModel& card = model("a30-24gb");
  const Geometry geometry(card, plain_profiles(card));
  EXPECT_EQ(geometry.layouts().size(), 5u * 5 + 1);
  EXPECT_EQ(geometry.multisets().size(), 5u + 3 + 1 + 1);  // no 2g and 0-4 1g; one and 0-2; two; 4g
  EXPECT_EQ(geometry.complete_multisets().size(), 4u);     // 4g, 2 x 2g, 2g + 2 x 1g, 4 x 1g
  EXPECT_EQ(geometry.largest_multisets().size(), 4u);
  EXPECT_EQ(Geometry(card, all_profiles(card)).layouts().size(), 5u * 5 + 2 * 5 * 5 + 1);
}

// A half of the RTX PRO 6000: 2g in three kinds, or two places that are each empty or 1g in three kinds: 19 ways; with
// the one +me 8 more (two places, four neighbours). Beside +me.all everything else is -me: a half of -me has 5 ways.
TEST(Geometry, CountsOfTheGridOfTwelveUnits) {
  const CardModel& card = model("rtx-pro-6000-96gb");
  const Geometry geometry(card, plain_profiles(card));
  EXPECT_EQ(geometry.layouts().size(), 5u * 5 + 1);
  EXPECT_EQ(geometry.multisets().size(), 10u);
  EXPECT_EQ(geometry.largest_multisets().size(), 4u);
  const std::size_t without_all = 19 * 19 + 2 * 19 * 8 + 2;  // 4g in two kinds
  const std::size_t with_all = 2 * 4 * 5 + 2 * 5;            // 1g+me.all; 2g+me.all
  EXPECT_EQ(Geometry(card, all_profiles(card)).layouts().size(), without_all + with_all);
}

void compare_with_plain_model(const CardModel& card, const std::vector<int>& profiles) {
  const Geometry geometry(card, profiles);
  const std::set<plain::Instances> expected = plain::all_layouts(card, profiles);
  std::set<plain::Instances> found;
  std::set<plain::Multiset> all_multisets;
  for (const Layout layout : geometry.layouts()) {
    const plain::Instances instances = instances_of(card, geometry, layout);
    found.insert(instances);
    all_multisets.insert(plain::multiset_of(instances));
    EXPECT_TRUE(geometry.valid(layout));
    EXPECT_EQ(named(card, geometry.counts(layout)), plain::multiset_of(instances));
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(found.size(), geometry.layouts().size()) << "a layout occurs twice";
  EXPECT_TRUE(std::is_sorted(geometry.layouts().begin(), geometry.layouts().end()));
  EXPECT_EQ(named(card, geometry.multisets()), all_multisets);
  EXPECT_EQ(named(card, geometry.complete_multisets()), plain::complete(card, profiles, expected));
  EXPECT_EQ(named(card, geometry.largest_multisets()), plain::largest(all_multisets));
}

TEST(Geometry, AgreesWithThePlainModelOnEveryCard) {
  int compared = 0;
  for (const CardModel& card : catalog()) {
    if (!card.can_be_cut()) continue;
    SCOPED_TRACE(card.id);
    compare_with_plain_model(card, plain_profiles(card));
    compare_with_plain_model(card, all_profiles(card));
    ++compared;
  }
  EXPECT_EQ(compared, 17);
}

// Every mask of one card, also those that are no layouts.
TEST(Geometry, JudgesEveryMask) {
  const CardModel& card = model("a30-24gb");
  const std::vector<int> profiles = all_profiles(card);
  const Geometry geometry(card, profiles);
  const std::set<plain::Instances> expected = plain::all_layouts(card, profiles);
  ASSERT_EQ(geometry.places().size(), 13u);
  for (Layout mask = 0; mask < Layout{1} << 13; ++mask) {
    EXPECT_EQ(geometry.valid(mask), expected.contains(instances_of(card, geometry, mask))) << mask;
  }
  EXPECT_FALSE(geometry.valid(Layout{1} << 13)) << "there is no such place";
}

TEST(Geometry, AddsWhatStillFits) {
  const CardModel& card = model("a100-40gb");
  const std::vector<int> profiles = all_profiles(card);
  const Geometry geometry(card, profiles);
  const std::set<plain::Instances> expected = plain::all_layouts(card, profiles);
  for (const Layout layout : geometry.layouts()) {
    bool grows = false;
    for (std::size_t place = 0; place < geometry.places().size(); ++place) {
      const Layout larger = layout | Layout{1} << place;
      const bool fits = larger != layout && expected.contains(instances_of(card, geometry, larger));
      ASSERT_EQ(geometry.can_add(layout, static_cast<int>(place)), fits);
      ASSERT_EQ((geometry.addable(layout) >> place & 1) != 0, fits);
      grows = grows || fits;
    }
    ASSERT_EQ(geometry.complete(layout), !grows);
    ASSERT_EQ(geometry.largest_addable(layout).has_value(), grows);
  }
}

// "4g+1x3": the profiles of an A100, the largest first, D for 1g with double memory at the end.
std::string short_form(const CardModel& card, const ProfileCounts& multiset) {
  std::vector<std::string> parts;
  const auto add = [&](const std::string& name, int count) {
    if (count > 0) parts.push_back(count == 1 ? name : fmt::format("{}x{}", name, count));
  };
  for (std::size_t i = multiset.size(); i-- > 0;) {
    const int slices = card.profiles[i].compute_slices;
    if (card.profiles[i].name != "1g.20gb") add(slices == 1 ? "1" : fmt::format("{}g", slices), multiset[i]);
  }
  add("D", multiset[2]);
  return fmt::format("{}", fmt::join(parts, "+"));
}

TEST(Geometry, CompleteMultisetsOfTheGridOfEightUnits) {
  const CardModel& card = model("a100-80gb");
  ASSERT_EQ(card.profiles[2].name, "1g.20gb");
  std::vector<std::string> found;
  for (const ProfileCounts& multiset : Geometry(card, plain_profiles(card)).complete_multisets()) {
    found.push_back(short_form(card, multiset));
  }
  const std::vector<std::string> expected{
      "7g",      "4g+3g",    "3gx2",      "4g+1x3",     "4g+1x2+D", "4g+1+D",     "4g+Dx2",   "4g+2g+1",
      "4g+2g+D", "3g+2gx2",  "3g+2g+1x2", "3g+2g+1",    "3g+2g+D",  "3g+1x4",     "3g+1x3",   "3g+1x2+D",
      "3g+1+D",  "3g+Dx2",   "2gx3+1",    "2gx3+D",     "2gx2+1x3", "2gx2+1x2+D", "2gx2+1+D", "2gx2+Dx2",
      "2g+1x5",  "2g+1x4+D", "2g+1x3+D",  "2g+1x2+Dx2", "2g+1+Dx2", "2g+Dx3",     "1x7",      "1x6+D",
      "1x5+D",   "1x4+Dx2",  "1x3+Dx2",   "1x2+Dx3",    "1+Dx3",    "Dx4"};
  ASSERT_EQ(expected.size(), 38u);
  EXPECT_THAT(found, testing::UnorderedElementsAreArray(expected));
}

TEST(Geometry, MultisetsAreInDescendingOrderOfTheLastProfile) {
  const CardModel& card = model("h100-sxm5-80gb");
  const Geometry geometry(card, plain_profiles(card));
  const auto later_first = [](ProfileCounts a, ProfileCounts b) {
    std::reverse(a.begin(), a.end());
    std::reverse(b.begin(), b.end());
    return a > b;
  };
  for (const auto& multisets : {geometry.multisets(), geometry.complete_multisets(), geometry.largest_multisets()}) {
    EXPECT_TRUE(std::is_sorted(multisets.begin(), multisets.end(), later_first));
  }
  EXPECT_EQ(named(card, geometry.multisets().front()), (plain::Multiset{{"7g.80gb", 1}}));
  EXPECT_TRUE(named(card, geometry.multisets().back()).empty());
}

struct CannotFit {
  const char* card;
  plain::Multiset wanted;
  const char* why;
};

TEST(Geometry, WhatCannotFit) {
  const CannotFit rows[] = {
      {"a100-80gb", {{"3g.40gb", 2}, {"1g.10gb", 1}}, "two 3g take all eight units"},
      {"a100-80gb", {{"4g.40gb", 2}}, "4g lies at 0 only"},
      {"a100-80gb", {{"4g.40gb", 1}, {"3g.40gb", 1}, {"1g.10gb", 1}}, "no slice is left"},
      {"a100-80gb", {{"7g.80gb", 1}, {"1g.10gb", 1}}, "7g takes everything"},
      {"a100-80gb", {{"1g.10gb", 8}}, "seven compute slices"},
      {"a100-80gb", {{"2g.20gb", 4}}, "2g does not lie at 6"},
      {"a100-80gb", {{"1g.20gb", 5}}, "eight units hold four"},
      {"a100-80gb", {{"1g.10gb+me", 2}}, "one +me on a card"},
      {"a30-24gb", {{"1g.6gb+me", 1}, {"2g.12gb+me", 1}}, "one +me on a card, whatever its size"},
      {"rtx-pro-6000-96gb", {{"1g.24gb+me.all", 1}, {"1g.24gb", 1}}, "+me.all takes every media engine"},
      {"rtx-pro-6000-96gb", {{"1g.24gb+me.all", 1}, {"1g.24gb+me", 1}}, "+me.all takes every media engine"},
      {"rtx-pro-6000-96gb", {{"2g.48gb+me.all", 1}, {"2g.48gb+gfx", 1}}, "+me.all takes every media engine"},
      {"rtx-pro-6000-96gb", {{"1g.24gb+me.all", 1}, {"2g.48gb+me.all", 1}}, "only one can have all"},
  };
  for (const CannotFit& row : rows) {
    const CardModel& card = model(row.card);
    const Geometry geometry(card, all_profiles(card));
    EXPECT_EQ(geometry.best_layout(counts(card, row.wanted)), std::nullopt) << row.card << ": " << row.why;
  }
}

TEST(Geometry, WhatFits) {
  const std::pair<const char*, plain::Multiset> rows[] = {
      {"a100-80gb", {{"4g.40gb", 1}, {"3g.40gb", 1}}},
      {"a100-80gb", {{"1g.20gb", 4}}},
      {"a100-80gb", {{"1g.10gb+me", 1}, {"1g.10gb", 6}}},
      {"rtx-pro-6000-96gb", {{"1g.24gb+me.all", 1}, {"1g.24gb-me", 3}}},
      {"rtx-pro-6000-96gb", {{"2g.48gb+me.all", 1}, {"2g.48gb-me", 1}}},
      {"rtx-pro-6000-96gb", {{"1g.24gb+me", 1}, {"1g.24gb+gfx", 1}, {"2g.48gb", 1}}},
  };
  for (const auto& [id, wanted] : rows) {
    const CardModel& card = model(id);
    const Geometry geometry(card, all_profiles(card));
    const std::optional<Layout> layout = geometry.best_layout(counts(card, wanted));
    ASSERT_TRUE(layout.has_value()) << id;
    EXPECT_EQ(named(card, geometry.counts(*layout)), wanted);
  }
}

TEST(Geometry, PlacesSoThatTheLargestStillFits) {
  const std::pair<plain::Multiset, const char*> rows[] = {
      {{}, ""},
      {{{"3g.40gb", 1}}, "3g.40gb@4"},  // keeps 0 for 4g
      {{{"1g.10gb", 1}}, "1g.10gb@6"},  // the unit beside the one that no 1g can use: 4g and a 2g still fit
      {{{"2g.20gb", 1}}, "2g.20gb@4"},
      {{{"1g.20gb", 1}}, "1g.20gb@6"},  // no 2g lies there
      {{{"1g.10gb", 2}}, "1g.10gb@5 1g.10gb@4"},
      {{{"4g.40gb", 1}, {"1g.10gb", 1}}, "1g.10gb@6 4g.40gb@0"},
      {{{"3g.40gb", 1}, {"2g.20gb", 1}}, "3g.40gb@4 2g.20gb@0"},
  };
  const CardModel& card = model("h100-sxm5-80gb");
  const Geometry geometry(card, plain_profiles(card));
  for (const auto& [wanted, expected] : rows) {
    const std::optional<Layout> layout = geometry.best_layout(counts(card, wanted));
    ASSERT_TRUE(layout.has_value()) << expected;
    EXPECT_EQ(written(card, geometry, *layout), expected);
  }
}

// Whatever the counts, no other layout with them leaves room for more.
TEST(Geometry, NoLayoutLeavesMoreRoomThanTheBest) {
  const CardModel& card = model("a100-40gb");
  const Geometry geometry(card, plain_profiles(card));
  const auto room = [&](Layout layout) {
    std::pair<int, int> largest{0, 0};
    int places = 0;
    for (std::size_t i = 0; i < geometry.places().size(); ++i) {
      if (!geometry.can_add(layout, static_cast<int>(i))) continue;
      const Profile& profile = card.profiles[static_cast<std::size_t>(geometry.places()[i].profile)];
      largest = std::max(largest, std::pair(*profile.memory_slices, profile.compute_slices));
      ++places;
    }
    return std::tuple(largest.first, largest.second, places);
  };
  for (const Layout layout : geometry.layouts()) {
    const Layout best = *geometry.best_layout(geometry.counts(layout));
    ASSERT_EQ(geometry.counts(best), geometry.counts(layout));
    ASSERT_GE(room(best), room(layout));
    if (room(best) == room(layout)) {
      ASSERT_LE(best, layout);
    }
  }
}

TEST(Geometry, KnowsTheLargestThatCanBeAdded) {
  const CardModel& card = model("a100-80gb");
  const Geometry geometry(card, plain_profiles(card));
  const auto name = [&](const plain::Instances& instances) -> std::string {
    const auto index = geometry.largest_addable(layout_of(geometry, card, instances));
    return index ? card.profiles[static_cast<std::size_t>(*index)].name : "";
  };
  EXPECT_EQ(name({}), "7g.80gb");
  EXPECT_EQ(name({{"3g.40gb", 4}}), "4g.40gb");
  EXPECT_EQ(name({{"3g.40gb", 0}}), "3g.40gb");
  EXPECT_EQ(name({{"4g.40gb", 0}, {"2g.20gb", 4}}), "1g.20gb");
  EXPECT_EQ(name({{"4g.40gb", 0}, {"3g.40gb", 4}}), "");
}

// The whole program has 50 ms; the bound is far above what it takes, for slow machines and instrumented builds.
TEST(Geometry, IsFoundInNoTime) {
  const CardModel& card = model("h100-sxm5-80gb");
  const auto begin = std::chrono::steady_clock::now();
  std::size_t multisets = 0;
  for (int i = 0; i < 10; ++i) multisets = Geometry(card, plain_profiles(card)).largest_multisets().size();
  const auto took = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(multisets, 28u);
  RecordProperty("microseconds",
                 static_cast<int>(std::chrono::duration_cast<std::chrono::microseconds>(took).count() / 10));
  EXPECT_LT(took, std::chrono::seconds(1));
}

// On every known grid the memory units bind first. These boards are made up so that the other limits do.
TEST(Geometry, KeepsLimitsThatNoKnownGridReaches) {
  CardModel few_compute = model("a30-24gb");
  few_compute.compute_slices = 3;
  few_compute.profiles.pop_back();  // 4g
  compare_with_plain_model(few_compute, plain_profiles(few_compute));
  EXPECT_EQ(Geometry(few_compute, {0}).layouts().size(), 15u);  // any of four places but not all

  CardModel few_instances = model("a30-24gb");
  few_instances.profiles[0].max_instances = 2;
  compare_with_plain_model(few_instances, plain_profiles(few_instances));
  EXPECT_EQ(Geometry(few_instances, {0}).layouts().size(), 1u + 4 + 6);
}

TEST(Geometry, NothingCanBeAddedToWhatIsNoLayout) {
  const CardModel& card = model("a100-80gb");
  const Geometry geometry(card, plain_profiles(card));
  const Layout everything = (Layout{1} << geometry.places().size()) - 1;
  EXPECT_FALSE(geometry.valid(everything));
  EXPECT_EQ(geometry.addable(everything), 0u);
}

// A choice of profiles leaves the others alone.
TEST(Geometry, CutsWithTheChosenProfilesOnly) {
  const CardModel& card = model("a100-80gb");
  const Geometry geometry(card, {0, 3});
  EXPECT_EQ(geometry.best_layout(counts(card, {{"3g.40gb", 1}})), std::nullopt);
  EXPECT_TRUE(geometry.best_layout(counts(card, {{"1g.10gb", 5}, {"2g.20gb", 1}})).has_value());
  for (const PlacedProfile& place : geometry.places()) EXPECT_THAT(place.profile, testing::AnyOf(0, 3));
}

TEST(Geometry, PlainProfilesHaveNoAttribute) {
  const CardModel& card = model("rtx-pro-6000-96gb");
  std::vector<std::string> names;
  for (const int i : plain_profiles(card)) names.push_back(card.profiles[static_cast<std::size_t>(i)].name);
  EXPECT_THAT(names, ElementsAre("1g.24gb", "2g.48gb", "4g.96gb"));
  EXPECT_TRUE(plain_profiles(model("t4-16gb")).empty());
}

}  // namespace
}  // namespace carve
