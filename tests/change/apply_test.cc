// Changes that are really made, on simulated cards through the real driver seam.
#include "change/bench.h"

namespace carve::changing {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Apply, CutsAnEmptyCard) {
  Bench bench("1xh100-80gb");
  const Change change = bench.plan({bench.wants(0, {"1g.10gb", "3g.40gb", "1g.10gb"})});
  ASSERT_TRUE(change.possible());
  const auto applied = bench.apply(change);
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(applied->outcome, Outcome::done) << applied->cards.front().message;
  EXPECT_THAT(bench.layout(), SizeIs(3));
  EXPECT_TRUE(bench.plan({bench.wants(0, {"1g.10gb", "3g.40gb", "1g.10gb"})}).same());
}

TEST(Apply, DisturbsNobodyWhoStays) {
  Bench bench("1xh100-80gb");
  bench.mig_on();
  bench.cut(0, {{"1g.10gb", 0}, {"1g.10gb", 1}, {"1g.10gb", 2}, {"1g.10gb", 3}, {"3g.40gb", 4}});
  bench.own_all();
  for (int start = 0; start < 4; ++start) bench.occupy(0, {"1g.10gb", start});
  const Change change =
      bench.plan({bench.wants(0, {"1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb", "2g.20gb", "1g.10gb"})});
  ASSERT_TRUE(change.possible()) << change.cards.front().obstacles.front().message;
  EXPECT_EQ(change.cards.front().count(Act::destroy), 1);
  const auto applied = bench.apply(change);
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(applied->outcome, Outcome::done) << applied->cards.front().message;
  EXPECT_THAT(*bench.card().occupants, SizeIs(4));
  EXPECT_THAT(bench.layout(), SizeIs(6));
}

TEST(Apply, RefusesWhatIsOccupiedAndNamesTheHolder) {
  Bench bench("1xh100-80gb");
  bench.mig_on();
  bench.cut(0, {{"3g.40gb", 4}});
  bench.own_all();
  const std::int32_t pid = bench.occupy(0, {"3g.40gb", 4});
  const Change change = bench.plan({bench.wants(0, {"7g.80gb"})});
  ASSERT_THAT(change.cards.front().obstacles, SizeIs(1));
  EXPECT_EQ(change.cards.front().obstacles.front().kind, Obstacle::Kind::occupied);
  EXPECT_THAT(change.cards.front().obstacles.front().message, HasSubstr(std::to_string(pid)));
}

TEST(Apply, RefusesWhatOthersMade) {
  Bench bench("1xh100-80gb");
  bench.mig_on();
  bench.cut(0, {{"3g.40gb", 4}});
  const Change change = bench.plan({bench.wants(0, {"7g.80gb"})});
  ASSERT_THAT(change.cards.front().obstacles, SizeIs(1));
  EXPECT_EQ(change.cards.front().obstacles.front().kind, Obstacle::Kind::foreign);
  EXPECT_TRUE(bench.plan({bench.wants(0, {"3g.40gb", "1g.10gb"})}).possible());  // adopted
  EXPECT_TRUE(bench.plan({bench.wants(0, {"7g.80gb"})}, {Drain::refuse, Foreign::replace}).possible());
}

TEST(Plan, PlacesLeaveOpenWhatTheyCan) {
  Bench bench("1xa100-40gb");
  const auto start_of = [&](const std::vector<std::string>& profiles) {
    return bench.plan({bench.wants(0, profiles)}).cards.front().wanted.instances.front().placement->start;
  };
  EXPECT_EQ(start_of({"3g.20gb"}), 4);  // 4g.20gb stands at 0 only
  EXPECT_EQ(start_of({"1g.5gb"}), 6);
}

TEST(Plan, ComputeThatStaysIdleIsSaid) {  // the third wave of two cards
  Bench bench("1xa100-40gb");
  const Change change = bench.plan({bench.wants(0, std::vector<std::string>(4, "1g.10gb"))});
  EXPECT_THAT(change.cards.front().remark, HasSubstr("idle: 3 of 7 compute slices"));
  EXPECT_THAT(bench.plan({bench.wants(0, std::vector<std::string>(7, "1g.5gb"))}).cards.front().remark, IsEmpty());
}

struct Impossible {
  std::vector<std::string> profiles;
  const char *why, *help;
};

TEST(Plan, WhatIsImpossibleNamesTheLimitAndWhatComesNearest) {
  Bench bench("1xh100-80gb,a30");
  bench.mig_on();
  const std::vector<Impossible> rows{
      {{"4g.40gb", "4g.40gb"},
       "cannot be cut into 2 of 4g.40gb: at most 1 fits",
       "it can be cut into 3g.40gb and 4g.40gb"},
      {{"3g.40gb", "3g.40gb", "1g.10gb"}, "they need 9 of 8 memory slices", "it can be cut into 2 of 3g.40gb, or "},
      {std::vector<std::string>(8, "1g.10gb"), "at most 7 fits", "it can be cut into 7 of 1g.10gb, or "},
      {{"4g.40gb", "2g.20gb", "1g.10gb", "1g.10gb"}, "they need 8 of 7 compute slices", "it can be cut into "},
      {{"3g.40gb", "1g.20gb", "1g.10gb", "1g.10gb", "2g.20gb"}, "", "it can be cut into "},
      {{"3g.20gb"}, "has no profile 3g.20gb", "the same share is called 3g.40gb"},
  };
  for (const Impossible& row : rows) {
    const Change change = bench.plan({bench.wants(0, row.profiles)});
    ASSERT_THAT(change.cards.front().obstacles, SizeIs(1)) << row.why;
    const Obstacle& obstacle = change.cards.front().obstacles.front();
    EXPECT_EQ(obstacle.kind, Obstacle::Kind::impossible);
    EXPECT_THAT(obstacle.message, HasSubstr(row.why));
    EXPECT_THAT(obstacle.help, HasSubstr(row.help));
  }
}

// Every layout that is offered instead can really be cut.
TEST(Plan, TheNearestLayoutsArePossible) {
  Bench bench("1xh100-80gb");
  const Change change = bench.plan({bench.wants(0, {"4g.40gb", "3g.40gb", "1g.10gb"})});
  EXPECT_THAT(change.cards.front().obstacles.front().help, HasSubstr("it can be cut into 3g.40gb and 4g.40gb, or "));
}

TEST(Apply, GoesBackWhenAStepFails) {
  Bench bench("1xh100-80gb");
  bench.mig_on();
  bench.cut(0, {{"3g.40gb", 4}, {"1g.10gb", 0}});
  bench.own_all();
  const std::vector<At> before = bench.layout();
  sim::FaultOrder fault;
  fault.function = "nvmlGpuInstanceCreateComputeInstance";
  fault.code = sim::insufficient_resources;
  fault.skip = 1;
  ASSERT_TRUE(bench.control().arm(fault));
  const auto applied = bench.apply(bench.plan({bench.wants(0, {"2g.20gb", "2g.20gb", "3g.40gb"})}));
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(applied->outcome, Outcome::rolled_back) << applied->cards.front().message;
  EXPECT_EQ(bench.layout(), before);
}

TEST(Apply, ResetsOnlyTheCardThatNeedsIt) {  // case O2
  Bench bench("2xa100-40gb");
  bench.occupy_card(0);
  const Change change = bench.plan({bench.wants(1, {"3g.20gb", "3g.20gb"})});
  ASSERT_TRUE(change.possible());
  EXPECT_EQ(change.cards.front().count(Act::reset), 1);
  const auto applied = bench.apply(change);
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(applied->outcome, Outcome::done) << applied->cards.front().message;
  EXPECT_THAT(bench.layout(1), ElementsAre(At{"3g.20gb", 0}, At{"3g.20gb", 4}));
  EXPECT_THAT(*bench.card(0).occupants, SizeIs(1));
}

// A session of ours has all cards open, and would block the change of another card's mode.
TEST(Apply, ManyModesAreChangedOneAfterAnother) {
  Bench bench("3xh100-80gb,2xa100-80gb");
  std::vector<WantedCard> wanted;
  for (int card = 0; card < 5; ++card) wanted.push_back(bench.wants(card, {"3g.40gb", "1g.10gb"}));
  auto applied = bench.apply(bench.plan(wanted));
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(applied->outcome, Outcome::done) << applied->cards.front().message;
  for (int card = 0; card < 5; ++card) EXPECT_THAT(bench.layout(card), SizeIs(2)) << card;
  for (WantedCard& card : wanted) card = {card.uuid, false, {}};
  wanted[1] = bench.wants(1, {"7g.80gb"});
  applied = bench.apply(bench.plan(wanted));
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(applied->outcome, Outcome::done) << applied->cards.front().message;
  for (int card = 0; card < 5; ++card) EXPECT_EQ(bench.card(card).mig->current, card == 1) << card;
}

TEST(Apply, AModeThatSomebodyBlocksIsTakenBack) {  // case O2, its variant
  Bench bench("2xa100-40gb");
  bench.occupy_card(1);
  const Change refused = bench.plan({bench.wants(1, {"3g.20gb", "3g.20gb"})});
  EXPECT_FALSE(refused.possible());
  ASSERT_TRUE(bench.control().block("nvsm", {0}));
  const auto applied = bench.apply(bench.plan({bench.wants(0, {"3g.20gb", "3g.20gb"})}));
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(applied->outcome, Outcome::rolled_back) << applied->cards.front().message;
  EXPECT_FALSE(bench.card(0).mig->pending);
}

TEST(Apply, ARebootThatIsNeededIsAResultOfItsOwn) {  // case O3
  sim::CardOrder order = sim::card_of("a100-40gb");
  order.mode_change = sim::ModeChange::needs_reboot;
  Bench bench(sim::machine_of({order}));
  const Change change = bench.plan({bench.wants(0, {"3g.20gb", "3g.20gb"})});
  auto applied = bench.apply(change);
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(applied->outcome, Outcome::reboot_needed) << applied->cards.front().message;
  EXPECT_THAT(bench.layout(), IsEmpty());
  ASSERT_TRUE(bench.control().reboot());
  applied = bench.apply(bench.plan({bench.wants(0, {"3g.20gb", "3g.20gb"})}));
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(applied->outcome, Outcome::done) << applied->cards.front().message;
  EXPECT_THAT(bench.layout(), SizeIs(2));
}

}  // namespace
}  // namespace carve::changing
