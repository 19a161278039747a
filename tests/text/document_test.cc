// YAML and JSON into the same tree: places, caps and everything that is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "text/text.h"

namespace carve {
namespace {

using testing::HasSubstr;

// The tree in one line: "{a: 1, b: ['x', null]}", quoted texts in single quotes.
std::string shape_of(Node node) {
  switch (node.kind()) {
    case NodeKind::null:
      return "null";
    case NodeKind::plain:
      return std::string(node.text());
    case NodeKind::quoted:
      return fmt::format("'{}'", node.text());
    default:
      break;
  }
  std::string out = node.is_mapping() ? "{" : "[";
  const Node::Range range = node.items();
  for (Node::Iterator at = range.begin(); at != range.end(); ++at) {
    if (out.size() > 1) out += ", ";
    out += shape_of(*at);
    if (!node.is_mapping()) continue;
    ++at;
    out += fmt::format(": {}", shape_of(*at));
  }
  return out + (node.is_mapping() ? "}" : "]");
}

std::string yaml(const std::string& text) {
  const auto document = parse_yaml(text, "f.yaml");
  return document ? shape_of(document->root()) : fmt::format("error: {}", document.error().message);
}
std::string json(const std::string& text) {
  const auto document = parse_json(text, "f.json");
  return document ? shape_of(document->root()) : fmt::format("error: {}", document.error().message);
}

TEST(Yaml, Trees) {
  EXPECT_EQ(yaml("a: 1\nb: [\"x\", ~, [], {}]\n"), "{a: 1, b: ['x', null, [], {}]}");
  EXPECT_EQ(yaml("- {card: h100, count: 8}\n- x\n"), "[{card: h100, count: 8}, x]");
  EXPECT_EQ(yaml("\xef\xbb\xbf"
                 "a: 1"),
            "{a: 1}");
  EXPECT_EQ(yaml("a: 1\r\nb: 2\r\n"), "{a: 1, b: 2}");
  EXPECT_EQ(yaml("--- \na: |\n  two\n  lines\n"), "{a: 'two\nlines\n'}");
  EXPECT_EQ(yaml(""), "null");
  EXPECT_EQ(yaml("# nothing\n"), "null");
  EXPECT_EQ(yaml("a: \xc3\xa9\n"), "{a: \xc3\xa9}");
}

TEST(Yaml, AliasesAreExpanded) {
  EXPECT_EQ(yaml("a: &x {p: [1, 2]}\nb: *x\nc: *x\n"), "{a: {p: [1, 2]}, b: {p: [1, 2]}, c: {p: [1, 2]}}");
  EXPECT_EQ(yaml("- &x 1\n- &y [*x, *x]\n- *y\n- 3"), "[1, [1, 1], [1, 1], 3]");
}

struct Row {
  const char* text;
  int line;
  int column;
  const char* message;
};

TEST(Yaml, ATabIsNamedWhateverTheParserSays) {
  for (const std::string_view text : {"a: 1\n\tb: 2\n", "a:\n \t- 1\n", "a:\n\t- 1\n"}) {
    const auto document = parse_yaml(std::string(text), "f.yaml");
    ASSERT_FALSE(document) << text;
    EXPECT_EQ(document.error().help, "this line begins with a tab: indent with spaces") << document.error().message;
  }
  const auto other = parse_yaml("a: 1\n b: 2\n", "f.yaml");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().help, "check near here: the indentation, the quotes, and a space after each colon");
}

TEST(Yaml, Refused) {
  const std::vector<Row> rows = {
      {"a: 1\na: 2\n", 2, 1, "duplicate key `a`, which line 1 gave before"},
      {"x:\n  b: 1\n  c: 2\n  b: 3\n", 4, 3, "duplicate key `b`, which line 2"},
      {"a: !!str 1\n", 1, 4, "tags"},
      {"a: !mine [1]\n", 1, 4, "tags"},
      {"a: &x {b: 1}\nc:\n  <<: *x\n", 3, 3, "merge keys"},
      {"a: 1\n---\nb: 2\n", 2, 1, "second YAML document"},
      {"a: 1\n...\n---\nb: 2\n", 3, 1, "second YAML document"},
      {"[a, b]: 1\n", 1, 1, "a key must be a word"},
      {"? {a: 1}\n: 1\n", 1, 3, "a key must be a word"},
      {"a: &x [1, *x]\n", 1, 11, "an alias inside of what it stands for"},
      {"a: *nowhere\n", 1, 4, "not valid YAML"},
      {"a: [1, 2\n", 2, 1, "not valid YAML"},
      {"a: 1\n b: 2\n", 2, 3, "not valid YAML"},
      {"a: \"open\n", 1, 4, "a quoted text does not end"},
      {"a: &x # c\n  'it''s open\n", 2, 3, "a quoted text does not end"},
      {"a: \"open \\\"\n", 1, 4, "a quoted text does not end"},
      {"a: 1\n\tb: 2\n", 2, 1, ""},
      {"~: 1\n", 1, 1, "a key is missing"},
      {"a: \x01\n", 1, 4, "byte 0x01 is not text"},
      {"a: 1\nb: \xff\n", 2, 4, "byte 0xff is not text"},
      {"a: \xc0\xaf\n", 1, 4, "byte 0xc0 is not text"},
      {"a: \xed\xa0\x80\n", 1, 4, "byte 0xed is not text"},
  };
  for (const Row& row : rows) {
    const auto document = parse_yaml(row.text, "f.yaml");
    ASSERT_FALSE(document) << row.text;
    const Error& error = document.error();
    EXPECT_THAT(error.message, HasSubstr(row.message)) << row.text;
    ASSERT_TRUE(error.place) << row.text;
    EXPECT_EQ(error.place->line, row.line) << row.text << error.message;
    EXPECT_EQ(error.place->column, row.column) << row.text << error.message;
    EXPECT_EQ(error.place->file, "f.yaml");
  }
}

TEST(Yaml, AllDuplicatesAreReported) {
  const auto document = parse_yaml("a: 1\na: 2\nb: {c: 1, c: 2}\na: 3\n", "f.yaml");
  ASSERT_FALSE(document);
  ASSERT_EQ(document.error().others.size(), 2u);
  EXPECT_EQ(document.error().place->line, 2);
  EXPECT_EQ(document.error().others[0].place->line, 3);
  EXPECT_EQ(document.error().others[1].place->line, 4);
}

TEST(Yaml, HostileNestingIsRefusedWithoutDepth) {
  constexpr std::size_t deep = 100'000;
  EXPECT_THAT(yaml(std::string(deep, '[') + std::string(deep, ']')), HasSubstr("nested deeper than 64 levels"));
  std::string block, flow;
  for (std::size_t i = 0; i < deep; ++i) block += "- ", flow += "{a: ";
  EXPECT_THAT(yaml(block), HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(yaml(flow + "1" + std::string(deep, '}')), HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(yaml(flow), HasSubstr("error"));
  EXPECT_THAT(yaml(std::string(deep, '[')), HasSubstr("error"));
}

TEST(Yaml, AliasBombsAreRefused) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 30; ++i)
    bomb += fmt::format("a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n", i, i - 1);
  EXPECT_THAT(yaml(bomb), HasSubstr("more than 200000 values"));
  std::string deep = "a0: &a0 [x]\n";
  for (int i = 1; i < 100; ++i) deep += fmt::format("a{0}: &a{0} [*a{1}]\n", i, i - 1);
  EXPECT_THAT(yaml(deep), HasSubstr("nested deeper than 64 levels"));
}

TEST(Yaml, CapsAreExact) {
  const Caps caps{20, 4, 2};
  EXPECT_TRUE(parse_yaml("[a, b, c]", "f", caps));
  EXPECT_FALSE(parse_yaml("[a, b, c, d]", "f", caps));
  EXPECT_FALSE(parse_yaml("[[a]]", "f", caps));
  EXPECT_FALSE(parse_yaml("a                    ", "f", caps));
}

TEST(Json, Trees) {
  EXPECT_EQ(json(R"({"a": 1, "b": ["x", null, true, false, -1.5e3, [], {}]})"),
            "{'a': 1, 'b': ['x', null, true, false, -1.5e3, [], {}]}");
  EXPECT_EQ(json(R"("\u0041\n\"\\\u00e9\ud83d\ude00")"), "'A\n\"\\\xc3\xa9\xf0\x9f\x98\x80'");
  EXPECT_EQ(json(" 0 "), "0");
  EXPECT_EQ(json(""), "null");
}

TEST(Json, Refused) {
  const std::vector<Row> rows = {
      {"{\"a\": 1,}", 1, 9, "a key in double quotes"},
      {"{'a': 1}", 1, 2, "a key in double quotes"},
      {"[1, 2", 1, 6, "expected `,` or `]`"},
      {"[1 2]", 1, 4, "expected `,` or `]`"},
      {"{\"a\" 1}", 1, 6, "expected `:`"},
      {"{\n \"a\": 1,\n \"a\": 2}", 3, 2, "duplicate key `a`"},
      {"01", 1, 1, "leading zeros"},
      {"1.", 1, 3, "digit after the point"},
      {"1e", 1, 3, "exponent"},
      {"-", 1, 2, "expected a value"},
      {"1e400", 1, 1, "too large"},
      {"NaN", 1, 1, "expected a value"},
      {"nul", 1, 1, "expected a value"},
      {"1 2", 1, 3, "the end of the file"},
      {"\"a", 1, 3, "closing double quote"},
      {"\"a\nb\"", 1, 3, "to end on its line"},
      {"\"\\x\"", 1, 3, "an escape"},
      {"\"\\u12g4\"", 1, 4, "four hexadecimal digits"},
      {"\"\\ud800\"", 1, 8, "surrogate"},
      {"\"\\udc00\"", 1, 8, "surrogate"},
      {"[1,\n\x01]", 2, 1, "byte 0x01"},
  };
  for (const Row& row : rows) {
    const auto document = parse_json(row.text, "f.json");
    ASSERT_FALSE(document) << row.text;
    EXPECT_THAT(document.error().message, HasSubstr(row.message)) << row.text;
    EXPECT_EQ(document.error().place->line, row.line) << row.text << document.error().message;
    EXPECT_EQ(document.error().place->column, row.column) << row.text << document.error().message;
  }
  EXPECT_THAT(json(std::string(100'000, '[')), HasSubstr("nested deeper"));
}

TEST(Places, CountCharactersAndShowTheLine) {
  const auto document = parse_yaml("x: 1\nk\xc3\xa9y: \"v\xc3\xa9\"  # c\r\n", "f.yaml");
  ASSERT_TRUE(document);
  const Place place = document->root().find("k\xc3\xa9y")->place();
  EXPECT_EQ(place.line, 2);
  EXPECT_EQ(place.column, 6);
  EXPECT_EQ(place.source_line, "k\xc3\xa9y: \"v\xc3\xa9\"  # c");
}

}  // namespace
}  // namespace carve
