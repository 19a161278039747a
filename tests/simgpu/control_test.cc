// Making machines: what is understood, what is refused and how, and what happens to figures that nobody has published.
#include <fstream>

#include <gmock/gmock.h>

#include "simgpu/loaded.h"

namespace carve::sim {

namespace {

using ::testing::HasSubstr;

std::string refusal(const MachineOrder& order) {
  const MachineFolder folder("a30");
  const auto made = create_machine(folder.path(), order);
  return made ? "" : made.error().message;
}

std::string refusal_of(const std::string& cards) {
  const auto order = parse_cards(cards);
  return order ? refusal(*order) : order.error().message;
}

Board board_of(const std::string& card) {
  const MachineFolder folder(card);
  return (*folder.control().look())->boards.rows[0];
}

const Profile& profile_of(const Board& board, std::string_view name) {
  for (const Profile& profile : board.profiles) {
    if (profile.name.view() == name) return profile;
  }
  ADD_FAILURE() << "no profile " << name;
  return board.profiles[0];
}

TEST(Create, UnderstandsCountsAndShortNames) {
  const MachineFolder folder("8xh100-80gb,2xa30");
  const auto machine = folder.control().look();
  ASSERT_TRUE(machine);
  EXPECT_EQ((*machine)->boards.count, 10);
  EXPECT_EQ((*machine)->boards.rows[7].model.view(), "h100-sxm5-80gb");
  EXPECT_EQ((*machine)->boards.rows[8].model.view(), "a30-24gb");
}

TEST(Create, RefusesWithASentence) {
  EXPECT_THAT(refusal_of("h100-81gb"), HasSubstr("no card is called 'h100-81gb'"));
  EXPECT_THAT(refusal_of("a100"), HasSubstr("may be any of"));
  EXPECT_THAT(refusal_of("0xa30"), HasSubstr("not a count and a card"));
  EXPECT_THAT(refusal_of("2xa30,"), HasSubstr("not a count and a card"));
  EXPECT_THAT(refusal_of("32xa30,a30"), HasSubstr("at most 32"));
  CardOrder gap = card_of("a30");
  gap.gap = 2;
  EXPECT_THAT(refusal(machine_of({gap})), HasSubstr("no gap"));
  CardOrder ids = card_of("h100-80gb");
  ids.profile_ids = {{"1g.10gb", 9}};
  EXPECT_THAT(refusal(machine_of({ids})), HasSubstr("same profile id"));
}

TEST(Create, UnknownFiguresAreNamed) {
  EXPECT_THAT(refusal_of("h20-141gb"), HasSubstr("total memory is not known"));
  EXPECT_THAT(refusal_of("b300"), HasSubstr("1g.34gb"));
  EXPECT_THAT(refusal_of("h20-96gb"), HasSubstr("1g.12gb"));
  EXPECT_THAT(refusal_of("rtx-pro-5000-48gb"), HasSubstr("is not known"));
}

TEST(Create, DerivedFiguresAreMarkedAndNeverZero) {
  const Board b200 = board_of("b200");
  const Profile& half = profile_of(b200, "3g.90gb");
  EXPECT_EQ(half.memory_mib, 4 * 22528);
  EXPECT_EQ(half.multiprocessors, 3 * 18);
  EXPECT_EQ(half.derived, derived_memory | derived_multiprocessors | derived_engines);
  EXPECT_EQ(half.decoders, 2) << "at least what a 2g has";
  EXPECT_EQ(profile_of(b200, "2g.45gb").derived, 0u);
  const Board a30 = board_of("a30");
  EXPECT_EQ(a30.profile_count, 4) << "the id of 2g.12gb+me is not known, so it is not offered";
}

TEST(MachineFile, SaysMoreThanTheShortForm) {
  const MachineFolder folder("a30");
  const std::string path = folder.path() + "/machine.yaml";
  std::ofstream(path) << "seed: 7\ncards:\n"
                         "  - {card: h100-pcie-80gb, count: 2, gap: 3, placement: hostile, nvswitch: 1}\n"
                         "  - {card: a100-40gb, mode-change: pretends, profile-ids: {1g.5gb: 119}}\n";
  const auto order = read_machine_file(path);
  ASSERT_TRUE(order) << order.error().message;
  ASSERT_TRUE(create_machine(folder.path(), *order));
  const auto machine = folder.control().look();
  ASSERT_TRUE(machine);
  const Boards& boards = (*machine)->boards;
  EXPECT_EQ(boards.count, 3);
  EXPECT_EQ(boards.rows[1].gap, 3);
  EXPECT_EQ(boards.rows[1].chooser, Chooser::hostile);
  EXPECT_EQ(boards.rows[1].nvswitch_group, 1u);
  EXPECT_EQ(boards.rows[2].mode_change, ModeChange::pretends);
  EXPECT_EQ(profile_of(boards.rows[2], "1g.5gb").id, 119);

  std::ofstream(path) << "cards:\n  - {card: a30, placment: hostile}\n";
  const auto wrong = read_machine_file(path);
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().help, HasSubstr("placement"));
  ASSERT_TRUE(wrong.error().place);
  EXPECT_EQ(wrong.error().place->line, 2);
}

TEST(MachineFile, IsDocumentedAsItIsRead) {
  const auto page = read_file(std::string(CARVE_SOURCE_DIR) + "/docs/simulated-cards.md", 1 << 20);
  ASSERT_TRUE(page);
  EXPECT_THAT(*page, HasSubstr(machine_file_reference()));
}

TEST(Create, AnotherSeedGivesOtherUuids) {
  const auto uuid = [](std::uint64_t seed) {
    const MachineFolder folder(MachineOrder{{card_of("a30")}, seed});
    return std::string((*folder.control().look())->boards.rows[0].uuid.view());
  };
  EXPECT_EQ(uuid(1), uuid(1));
  EXPECT_NE(uuid(1), uuid(2));
  EXPECT_EQ(uuid(1).size(), 40u);
}

}  // namespace

}  // namespace carve::sim
