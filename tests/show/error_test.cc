#include <gtest/gtest.h>

#include "show/show.h"

namespace carve {
namespace {

const Style plain{true, false, 80};

Error sample() {
  Error error;
  error.message = "memory needs a unit";
  error.place = Place{"team.yaml", 7, 13, 2, "    memory: 18"};
  error.help = "write 18GiB (2^30 bytes each) or 18GB (10^9)";
  return error;
}

TEST(RenderError, PointsAtThePlace) {
  EXPECT_EQ(render_error(sample(), plain),
            "error: memory needs a unit\n"
            " --> team.yaml:7:13\n"
            "  |\n"
            "7 |     memory: 18\n"
            "  |             ^^\n"
            "  = help: write 18GiB (2^30 bytes each) or 18GB (10^9)\n");
}

TEST(RenderError, WithoutAPlace) {
  EXPECT_EQ(render_error(Error{Fault::bad_input, "no such file", {}, "check the path", {}}, plain),
            "error: no such file\n"
            " help: check the path\n");
}

TEST(RenderError, OfAFileAsAWhole) {
  EXPECT_EQ(render_error(Error{Fault::bad_input, "the file is empty", Place{"a.yaml", 0, 0, 1, ""}, "", {}}, plain),
            "error: the file is empty\n"
            "--> a.yaml\n");
}

TEST(RenderError, CountsAll) {
  Error error = sample();
  error.help.clear();
  error.others = {Error{Fault::bad_input, "second", Place{"team.yaml", 120, 1, 1, "x: 1"}, "", {}},
                  Error{Fault::bad_input, "third", {}, "", {}}};
  EXPECT_EQ(render_error(error, plain),
            "error: memory needs a unit\n"
            " --> team.yaml:7:13\n"
            "  |\n"
            "7 |     memory: 18\n"
            "  |             ^^\n"
            "\n"
            "error: second\n"
            "   --> team.yaml:120:1\n"
            "    |\n"
            "120 | x: 1\n"
            "    | ^\n"
            "\n"
            "error: third\n"
            "\n"
            "3 errors\n");
}

TEST(RenderError, ObeysNoControlCharacterOfTheInput) {
  Error error = sample();
  error.message = "bad \x1b[31m name";
  error.place->source_line = "name: \x1b[2J\x07";
  error.place->file = "a\nb.yaml";
  error.place->column = 7;
  const std::string shown = render_error(error, plain);
  EXPECT_EQ(shown.find('\x1b'), std::string::npos);
  EXPECT_EQ(shown.find('\x07'), std::string::npos);
  EXPECT_NE(shown.find("a?b.yaml:7:7"), std::string::npos) << shown;
}

TEST(RenderError, CropsALongLineAroundItsCaret) {
  Error error = sample();
  error.place->source_line = std::string(5000, 'x') + "HERE" + std::string(5000, 'y');
  error.place->column = 5001;
  error.place->width = 4;
  const std::string shown = render_error(error, plain);
  EXPECT_LT(shown.size(), 500u);
  EXPECT_NE(shown.find("...xxxxxxxxxxxxxxxxxxxxHEREyyy"), std::string::npos) << shown;
  EXPECT_NE(shown.find("  |                        ^^^^\n"), std::string::npos) << shown;
}

TEST(RenderError, CaretStandsUnderWideCharacters) {
  Error error = sample();
  error.place->source_line = "漢: 18";  // three characters in four columns before the caret
  error.place->column = 4;
  EXPECT_NE(render_error(error, plain).find("7 | 漢: 18\n  |     ^^\n"), std::string::npos)
      << render_error(error, plain);
}

TEST(RenderError, ColourChangesNoLetter) {
  std::string coloured = render_error(sample(), Style{true, true, 80});
  EXPECT_NE(coloured.find('\x1b'), std::string::npos);
  for (std::size_t at; (at = coloured.find('\x1b')) != std::string::npos;)
    coloured.erase(at, coloured.find('m', at) - at + 1);
  EXPECT_EQ(coloured, render_error(sample(), plain));
}

}  // namespace
}  // namespace carve
