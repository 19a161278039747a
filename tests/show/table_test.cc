#include "show/table.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace carve {
namespace {

const Style unicode{true, false, 80};
const Style ascii{false, false, 80};

TEST(Width, CountsColumnsOfATerminal) {
  struct Case {
    std::string text;
    int width;
  };
  const std::vector<Case> cases{
      {"", 0},         {"abc", 3}, {"é", 1},        {"e\u0301", 1},  {"漢字", 4},
      {"×4", 2},       {"▓░", 2},  {"\xff\xfe", 2}, {"\xe6\xbc", 2},  // a character cut in half
      {"\xc0\xaf", 2},                                                // overlong
      {"🚀", 2},
  };
  for (const Case& c : cases) EXPECT_EQ(display_width(c.text), c.width) << c.text;
}

TEST(Printable, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(printable("a\x1b[31mb\tc\x7f"), "a?[31mb c?");
  EXPECT_EQ(printable("x\xff"
                      "y"),
            "x?y");
  EXPECT_EQ(printable("a\u202e"
                      "b"),
            "a?b");
  EXPECT_EQ(printable("größe 漢"), "größe 漢");
}

TEST(Shortened, EndsWithAnEllipsis) {
  EXPECT_EQ(shortened("reranker", 8, unicode), "reranker");
  EXPECT_EQ(shortened("reranker", 7, unicode), "rerank…");
  EXPECT_EQ(shortened("reranker", 7, ascii), "rerank~");
  EXPECT_EQ(shortened("漢字漢字", 4, unicode), "漢…");  // a wide character that would stick out is left away
  EXPECT_EQ(shortened("reranker", 0, unicode), "");
  EXPECT_EQ(shortened("ab", 1, unicode), "…");
}

RC_GTEST_PROP(Fitted, AlwaysHasTheWidth, (const std::string& text)) {
  const int width = *rc::gen::inRange(1, 30);
  const auto align = *rc::gen::element(Align::left, Align::right, Align::centre);
  RC_ASSERT(display_width(fitted(printable(text), width, align, unicode)) == width);
}

TEST(Wrapped, BreaksAtSpaces) {
  EXPECT_EQ(wrapped("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("extraordinarily long", 6), (std::vector<std::string>{"extraordinarily", "long"}));
  EXPECT_EQ(wrapped("", 6), std::vector<std::string>{""});
}

TEST(Paragraph, HangsBehindItsFirstWords) {
  EXPECT_EQ(paragraph("help: ", "give the memory a unit", Style{true, false, 26}),
            "help: give the memory a\n"
            "      unit\n");
  EXPECT_EQ(paragraph("  not MIG, exclusive: ", "takes a larger part of a card", Style{true, false, 40}),
            "  not MIG, exclusive: takes a larger\n"
            "      part of a card\n");
}

Table sample() {
  Table table({{"workload"}, {"memory", Align::right}, {"why", Align::left, 1}, {"note", Align::left, 2}});
  table.add({"reranker", "18.0 GiB", "p99 60 ms", "x"});
  table.add({"a", "512 MiB", "", ""});
  return table;
}

TEST(TableText, LinesUp) {
  EXPECT_EQ(sample().render(unicode),
            "workload    memory  why        note\n"
            "reranker  18.0 GiB  p99 60 ms  x\n"
            "a          512 MiB\n");
}

TEST(TableText, DropsColumnsByRankWhenNarrow) {
  EXPECT_EQ(sample().render(Style{true, false, 32}, 2),
            "  workload    memory  why\n"
            "  reranker  18.0 GiB  p99 60 ms\n"
            "  a          512 MiB\n");
  EXPECT_EQ(sample().render(Style{true, false, 20}),
            "workload    memory\n"
            "reranker  18.0 GiB\n"
            "a          512 MiB\n");
}

TEST(TableText, ShortensTheWidestLeftColumnAtLast) {
  Table table({{"workload"}, {"memory", Align::right}});
  table.add({"a-workload-with-a-long-name", "18.0 GiB"});
  EXPECT_EQ(table.render(Style{true, false, 24}),
            "workload          memory\n"
            "a-workload-wi…  18.0 GiB\n");
}

TEST(TableText, WrapsALongLastColumn) {
  Table table({{"fits"}, {"because"}});
  table.add({"no", "26 of 132 SMs are 19.7 %, needs 20 %"});
  table.add({"yes", ""});
  EXPECT_EQ(table.render(Style{true, false, 26}),
            "fits  because\n"
            "no    26 of 132 SMs are\n"
            "      19.7 %, needs 20 %\n"
            "yes\n");
}

TEST(TableText, ColourChangesNoColumn) {
  Table table({{"code"}, {"message"}});
  table.add({Text("trust.mixed", Ink::red), "two tenants"});
  const std::string plain = table.render(Style{true, false, 80});
  std::string coloured = table.render(Style{true, true, 80});
  EXPECT_NE(coloured, plain);
  for (std::size_t at; (at = coloured.find('\x1b')) != std::string::npos;)
    coloured.erase(at, coloured.find('m', at) - at + 1);
  EXPECT_EQ(coloured, plain);
}

}  // namespace
}  // namespace carve
