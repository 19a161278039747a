// `carve cards` and `carve cards CARD` as a person sees them.
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "show/show.h"
#include "show/table.h"

namespace carve {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr Style plain{.unicode = true, .colour = false, .width = 100};
constexpr Style ascii{.unicode = false, .colour = false, .width = 100};

std::string page(const char* name, const Style& style = plain) {
  const Result<ModelMatch> match = find_model(name);
  EXPECT_TRUE(match.has_value()) << name;
  return card_page(*match, style);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(CardPage, SaysWhichBoardWasTaken) {
  EXPECT_THAT(page("h100-80gb"), HasSubstr("The name also fits h100-pcie-80gb; it means the SXM board."));
  EXPECT_THAT(page("h100-80gb"), testing::StartsWith("h100-sxm5-80gb\n"));
  EXPECT_THAT(page("h100-sxm5-80gb"), Not(HasSubstr("also fits")));
}

TEST(CardPage, ShowsTheFiguresOfTheBoard) {
  const std::string text = page("h100-80gb");
  EXPECT_THAT(text, HasSubstr("NVIDIA H100 80GB HBM3"));
  EXPECT_THAT(text, HasSubstr("Hopper, chip GH100, compute capability 9.0"));
  EXPECT_THAT(text, HasSubstr("79.6 GiB (81559 MiB) as the driver reports it; sold as 80 GB"));
  EXPECT_THAT(text, HasSubstr("723 layouts"));
  EXPECT_THAT(text, HasSubstr("28 of them in no other"));
  EXPECT_THAT(text, HasSubstr("\n  1g.20gb     15     9      1/7     2/8  19.62   26   19.7 %    4 "));
  EXPECT_THAT(text, Not(HasSubstr("?"))) << "everything about this board is known";
}

TEST(CardPage, SaysWhatMigCosts) {
  EXPECT_THAT(page("a100-40gb"), HasSubstr("108; with MIG 7g.40gb has 98, the other 10 are lost"));
  EXPECT_THAT(page("h100-80gb"), Not(HasSubstr("are lost")));
  EXPECT_THAT(page("a100-40gb"), HasSubstr("needs a reset of the card"));
}

// Observed bars are solid, inferred ones dotted; each begins under the number of its unit.
TEST(CardPage, DrawsThePlacements) {
  constexpr Style narrow{.unicode = true, .colour = false, .width = 44};
  EXPECT_THAT(page("a30", narrow), HasSubstr("              0      1      2      3\n"
                                             "  1g.6gb      ├─────┤├─────┤├─────┤├─────┤\n"
                                             "  1g.6gb+me   ├─────┤├─────┤├─────┤├─────┤\n"
                                             "  2g.12gb     ├────────────┤├────────────┤\n"
                                             "  2g.12gb+me  ├╌╌╌╌╌╌╌╌╌╌╌╌┤├╌╌╌╌╌╌╌╌╌╌╌╌┤\n"
                                             "  4g.24gb     ├──────────────────────────┤\n"));
  EXPECT_THAT(page("a30", narrow), HasSubstr("  ├──┤ observed"));
  EXPECT_THAT(page("a30", narrow), HasSubstr("  ├╌╌┤ inferred"));
  EXPECT_THAT(page("a100-40gb"), Not(HasSubstr("inferred")));
  EXPECT_THAT(page("a30", ascii), HasSubstr("  1g.6gb      [============][============]"));
  EXPECT_THAT(page("a30", ascii), HasSubstr("  2g.12gb+me  [--------------------------]"));
}

TEST(CardPage, DrawsBoardsWhoseUnitsAreNoEighths) {
  const std::vector<std::string> lines = lines_of(page("rtx-pro-6000", ascii));
  EXPECT_THAT(lines, testing::Contains("                  0   1   2   3   4   5   6   7   8   9   10  11"));
  EXPECT_THAT(lines, testing::Contains("  1g.24gb         [==========][==========][==========][==========]"));
  EXPECT_THAT(lines, testing::Contains("  2g.48gb         [======================][======================]"));
}

// Placements of one profile may overlap; none of the catalog does, so this one is made up.
TEST(CardPage, OverlappingPlacementsTakeFurtherRows) {
  CardModel model = *find_model("a30")->model;
  for (Profile& profile : model.profiles) profile.placements = {{0, 2}, {1, 2}, {2, 2}};
  const std::string text = card_page({&model, {}}, ascii);
  EXPECT_THAT(text, HasSubstr("  4g.24gb     [==========================][==========================]\n"
                              "                            [==========================]\n"));
}

TEST(CardPage, UnknownFiguresAreQuestionMarks) {
  const std::string text = page("h100-94gb");
  EXPECT_THAT(text, HasSubstr("memory       ?; sold as 94 GB"));
  EXPECT_THAT(text, HasSubstr("SMs          ?\n"));
  EXPECT_THAT(text, HasSubstr("7g.94gb"));
  EXPECT_THAT(text, HasSubstr("? means that no public source has the figure."));
}

TEST(CardPage, ABoardWithoutAGridSaysSo) {
  const std::string text = page("rtx-pro-5000");
  EXPECT_THAT(text, HasSubstr("No public source has this card's grid"));
  EXPECT_THAT(text, Not(HasSubstr("layouts of")));
}

TEST(CardPage, ABoardWithoutMig) {
  const std::string text = page("t4");
  EXPECT_THAT(text, HasSubstr("15.0 GiB (15360 MiB)"));
  EXPECT_THAT(text, HasSubstr("MIG          no"));
  EXPECT_THAT(text, Not(HasSubstr("Profiles")));
}

TEST(CardPage, CitesEverySourceOnce) {
  for (const CardModel& model : catalog()) {
    const Style wide{.unicode = true, .colour = false, .width = 100'000};
    const std::string text = card_page({&model, {}}, wide);
    std::set<std::string> keys(model.sources.begin(), model.sources.end());
    for (const Profile& profile : model.profiles) keys.insert(profile.sources.begin(), profile.sources.end());
    std::size_t cited = 0;
    for (const CatalogSource& source : catalog_sources()) {
      const std::size_t at = text.find("  - " + source.citation + '\n');
      EXPECT_EQ(at != std::string::npos, keys.contains(source.key)) << model.id << ' ' << source.key;
      cited += at != std::string::npos ? 1 : 0;
    }
    EXPECT_EQ(cited, keys.size());
  }
}

// An address or a path of a source is not broken; everything else keeps to the width.
bool fits(const std::string& line, int width) {
  return display_width(line) <= width || line.find('/') != std::string::npos;
}

TEST(CardPage, KeepsToTheWidth) {
  for (const int width : {40, 60, 80, 100, 120}) {
    for (const bool unicode : {true, false}) {
      const Style style{.unicode = unicode, .colour = false, .width = width};
      for (const std::string& line : lines_of(card_list(style)))
        EXPECT_TRUE(fits(line, width)) << width << ": " << line;
      for (const CardModel& model : catalog()) {
        for (const std::string& line : lines_of(card_page({&model, {}}, style))) {
          EXPECT_TRUE(fits(line, width)) << model.id << ' ' << width << ": " << line;
          EXPECT_FALSE(line.ends_with(' ')) << model.id << ": " << line;
        }
      }
    }
  }
}

TEST(CardPage, AsciiIsAscii) {
  std::string text = card_list(ascii);
  for (const CardModel& model : catalog()) text += card_page({&model, {}}, ascii);
  for (const char c : text) ASSERT_GE(c, 0) << "a byte that is not ASCII";
}

TEST(CardPage, ColourAddsNothingButColour) {
  const Style coloured{.unicode = true, .colour = true, .width = 100};
  std::string text = page("h200", coloured);
  EXPECT_THAT(text, HasSubstr("\x1b["));
  for (std::size_t at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b')) {
    text.erase(at, text.find('m', at) - at + 1);
  }
  EXPECT_EQ(text, page("h200"));
}

// The words of a line with one space between them, whatever the widths of the columns.
std::string words_of(const std::string& line) {
  std::istringstream stream(line);
  std::string words;
  for (std::string word; stream >> word;) words += (words.empty() ? "" : " ") + word;
  return words;
}

TEST(CardList, HasEveryModel) {
  std::vector<std::string> lines;
  for (const std::string& line : lines_of(card_list(plain))) lines.push_back(words_of(line));
  for (const CardModel& model : catalog()) {
    EXPECT_THAT(lines, testing::Contains(testing::StartsWith(model.id + ' ' + model.architecture)));
  }
  EXPECT_THAT(lines,
              testing::IsSupersetOf({"a100-80gb Ampere 80.0 GiB 108 7 8 observed 723 5 of 6",
                                     "h200-141gb Hopper 140.4 GiB 132 7 8 inferred 723 all 6",
                                     "rtx-pro-4500-32gb Blackwell ? ? 2 ? ? ? 0 of 2",
                                     "t4-16gb Turing 15.0 GiB 40 Tesla T4", "l40-48gb Ada 44.9 GiB ? NVIDIA L40"}));
}

TEST(CardList, ExplainsOnlyTheColumnsThatItShows) {
  EXPECT_THAT(card_list(plain), HasSubstr("grid        memory slices"));
  const Style narrow{.unicode = true, .colour = false, .width = 50};
  EXPECT_THAT(card_list(narrow), Not(HasSubstr("grid  ")));
}

}  // namespace
}  // namespace carve
