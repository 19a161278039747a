// The schema-driven reader: typed values out of good input, every error of bad input with its place, and the reference
// from the same table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "text/text.h"

namespace carve {
namespace {

using testing::HasSubstr;

const Schema& goal_schema() {
  static const Schema schema{"a goal",
                             {{"p99", Presence::optional, Shape::duration({1, 1'000'000}), "", "99 % are faster"},
                              {"p50", Presence::optional, Shape::duration({1, 1'000'000}), "", "half are faster"}},
                             KeyCount::one};
  return schema;
}

const Schema& slices_schema() {
  static const Schema schema{"slices", {{"slices", Presence::required, Shape::integer({1, 7}), "", "how many"}}};
  return schema;
}

const Schema& job_schema() {
  static const Schema schema{
      "a job",
      {
          {"name", Presence::required, Shape::name(), "", "what it is called"},
          {"size", Presence::optional, Shape::memory({1, 1 << 20}), "1GiB", "how much"},
          {"count", Presence::optional, Shape::integer({0, 100}), "3", "how many"},
          {"share", Presence::optional, Shape::percent({1, 1000}), "", "a part"},
          {"pace", Presence::optional, Shape::rate({1, 1'000'000}), "", "how often"},
          {"wait", Presence::optional, Shape::duration({0, 10'000'000}), "1.5s", "how long"},
          {"calm", Presence::optional, Shape::boolean(), "false", "whether"},
          {"kind", Presence::optional, Shape::choice({"small", "large"}), "small", "which"},
          {"note", Presence::nullable, Shape::text(), "", "anything"},
          {"goal", Presence::optional, Shape::any_of({Shape::choice({"any", "fast"}), Shape::object(goal_schema())}),
           "", "what for"},
          {"part", Presence::optional,
           Shape::any_of({Shape::percent({1, 1000}), Shape::object(slices_schema()),
                          Shape::map_of(Shape::percent({1, 1000}), {1, 3})}),
           "", "how much"},
          {"parts", Presence::optional, Shape::list_of(Shape::object(slices_schema()), {1, 2}), "", "several"},
          {"numbers", Presence::optional, Shape::list_of(Shape::integer({0, 9}), {0, 9}), "", "digits"},
      }};
  return schema;
}

TEST(Schema, GivesTypedValues) {
  const auto document = parse_yaml(R"(
name: a.b-1
size: 17.5GiB
share: 12.5%
pace: 120/min
calm: true
goal: {p99: 60ms}
part: {a30: 60%, h100: 20%}
parts: [{slices: 2}, {slices: 1}]
numbers: [1, 2]
note: ~
)",
                                   "f.yaml");
  ASSERT_TRUE(document) << document.error().message;
  const auto job = read_record(document->root(), job_schema());
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(job->text("name"), "a.b-1");
  EXPECT_EQ(job->memory("size"), Mib{17920});
  EXPECT_EQ(job->percent("share"), Permille{125});
  EXPECT_EQ(job->rate("pace"), MilliPerSecond{2000});
  EXPECT_EQ(job->boolean("calm"), true);
  EXPECT_FALSE(job->has("note"));
  EXPECT_EQ(job->value("goal")->type(), Type::object);
  EXPECT_EQ(job->value("goal")->as_record().only_key(), "p99");
  EXPECT_EQ(job->value("goal")->as_record().duration("p99"), Micros{60'000});
  const auto part = job->value("part")->as_map();
  ASSERT_EQ(part.size(), 2u);
  EXPECT_EQ(part[0].first, "a30");
  EXPECT_EQ(part[1].second.as_percent(), Permille{200});
  ASSERT_EQ(job->records("parts").size(), 2u);
  EXPECT_EQ(job->records("parts")[0].integer("slices"), 2);
  ASSERT_EQ(job->list("numbers").size(), 2u);
  EXPECT_EQ(job->list("numbers")[1].as_integer(), 2);
  // Defaults come from the table.
  EXPECT_EQ(job->integer("count"), 3);
  EXPECT_EQ(job->duration("wait"), Micros{1'500'000});
  EXPECT_EQ(job->text("kind"), "small");
  EXPECT_EQ(job->place("size").line, 3);
  EXPECT_EQ(job->place("size").column, 7);
  EXPECT_EQ(job->place("size").width, 7);
}

TEST(Schema, ShapesOfOneKeyAreToldApart) {
  const auto type_of_part = [](const std::string& text) {
    const auto document = parse_yaml(fmt::format("name: x\npart: {}", text), "f");
    const auto job = read_record(document->root(), job_schema());
    return job ? job->value("part")->type() : Type::any_of;
  };
  EXPECT_EQ(type_of_part("20%"), Type::percent);
  EXPECT_EQ(type_of_part("{slices: 2}"), Type::object);
  EXPECT_EQ(type_of_part("{a30: 2%}"), Type::map);
  EXPECT_EQ(type_of_part("{a30: 2}"), Type::any_of);
  EXPECT_EQ(type_of_part("[2%]"), Type::any_of);
}

struct Row {
  const char* text;
  int line;
  int column;
  const char* message;
  const char* help;
};

TEST(Schema, Refused) {
  const std::vector<Row> rows = {
      {"", 1, 1, "expected a job, found nothing", "name, size"},
      {"- name: x", 1, 1, "expected a job, found a list", ""},
      {"name: x\nsise: 1GiB", 2, 1, "unknown key `sise` in a job", "did you mean `size`?"},
      {"name: x\nzzzzzz: 1", 2, 1, "unknown key `zzzzzz`", "the keys are: name, size, count"},
      {"size: 1GiB", 1, 1, "a job has no `name`", "add `name`: what it is called"},
      {"name: -x", 1, 7, "`-x` is not a name", "letters"},
      {"name: a b", 1, 7, "`a b` is not a name", ""},
      {"name: \xc3\xa9", 1, 7, "is not a name", ""},
      {"name: \"\"", 1, 7, "empty name", ""},
      {"name: aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggg", 1, 7, "64 bytes is too long", "63"},
      {"name: [x]", 1, 7, "`name` is a list, expected a name", ""},
      {"name:", 1, 1, "`name` has no value", "expected a name"},
      {"name: x\nsize: 0GiB", 2, 7, "0GiB is less than 1 MiB", "from 1 MiB to 1024.0 GiB"},
      {"name: x\nsize: 2TiB", 2, 7, "2TiB is more than 1024.0 GiB", ""},
      {"name: x\nsize: 18", 2, 7, "`size`: `18` has no unit", "GiB is 2^30"},
      {"name: x\ncount: \"3\"", 2, 8, "\"3\" is text, not a number", "without quotes"},
      {"name: x\ncount: 101", 2, 8, "101 is more than 100", "from 0 to 100"},
      {"name: x\ncount: -1", 2, 8, "-1 is less than 0", ""},
      {"name: x\ncalm: yes", 2, 7, "`yes` is neither true nor false", "yes, no, on"},
      {"name: x\ncalm: \"true\"", 2, 7, "neither true nor false", "without quotes"},
      {"name: x\nkind: smal", 2, 7, "`smal` is not one of the words", "did you mean `small`?"},
      {"name: x\ngoal: quick", 2, 7, "`quick`", "any, fast"},
      {"name: x\ngoal: {p99:1ms}", 2, 8, "unknown key `p99:1ms` in a goal",
       "space is missing after the colon: `p99: 1ms`"},
      {"name: x\ngoal: {p98: 1ms}", 2, 8, "unknown key `p98` in a goal", "write one of: p99, p50"},
      {"name: x\ngoal: {p99: 1ms, p50: 1ms}", 2, 7, "has 2 keys, expected one", "p99, p50"},
      {"name: x\ngoal: {}", 2, 7, "has 0 keys, expected one", ""},
      {"name: x\ngoal: [p99]", 2, 7, "`goal` is a list, expected `any`, `fast`, or a mapping with one of", ""},
      {"name: x\npart: {a: 1%, b: 1%, c: 1%, d: 1%}", 2, 7, "has 4 items, expected 1 to 3", ""},
      {"name: x\npart: {a: 1}", 2, 11, "`1` has no unit", ""},
      {"name: x\nparts: []", 2, 8, "has 0 items, expected 1 to 2", ""},
      {"name: x\nparts: [~]", 2, 9, "an item of `parts` has no value", ""},
      {"name: x\nparts: [{slices: 8}]", 2, 18, "8 is more than 7", ""},
      {"name: x\nnumbers: [1, 10]", 2, 14, "10 is more than 9", ""},
  };
  for (const Row& row : rows) {
    const auto document = parse_yaml(row.text, "f.yaml");
    ASSERT_TRUE(document) << row.text;
    const auto job = read_record(document->root(), job_schema());
    ASSERT_FALSE(job) << row.text;
    const Error& error = job.error();
    EXPECT_THAT(error.message, HasSubstr(row.message)) << row.text;
    EXPECT_THAT(error.help, HasSubstr(row.help)) << row.text;
    EXPECT_EQ(error.place->line, row.line) << row.text << "\n" << error.message;
    EXPECT_EQ(error.place->column, row.column) << row.text << "\n" << error.message;
  }
}

TEST(Schema, ReportsEverythingInOrderUpToTwenty) {
  const auto document = parse_yaml("count: x\nsize: 3\nzap: 1\nname: a b\n", "f");
  const auto job = read_record(document->root(), job_schema());
  ASSERT_FALSE(job);
  ASSERT_EQ(job.error().others.size(), 3u);
  EXPECT_EQ(job.error().place->line, 1);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(job.error().others[static_cast<std::size_t>(i)].place->line, i + 2);

  std::string many = "name: x\n";
  for (int i = 0; i < 70; ++i) many += fmt::format("k{:03}: 1\n", i);
  const auto bad = parse_yaml(many, "f");
  const auto refused = read_record(bad->root(), job_schema());
  ASSERT_FALSE(refused);
  ASSERT_EQ(refused.error().others.size(), 19u);
  EXPECT_EQ(refused.error().place->line, 2);
  EXPECT_EQ(refused.error().others[17].place->line, 20);
  EXPECT_EQ(refused.error().others[18].message, "and 51 further errors");
}

TEST(Schema, UnknownKeysCanBeIgnored) {
  const auto document = parse_json(R"({"name": "x", "new": [1], "note": null})", "f");
  EXPECT_FALSE(read_record(document->root(), job_schema()));
  const auto job = read_record(document->root(), job_schema(), UnknownKeys::ignore);
  ASSERT_TRUE(job);
  EXPECT_EQ(job->text("name"), "x");
}

TEST(Schema, TheOnlyKeyOfAMappingIsNeverIgnored) {
  const auto document = parse_json(R"({"name": "x", "goal": {"p94": "5ms"}})", "f");
  const auto job = read_record(document->root(), job_schema(), UnknownKeys::ignore);
  ASSERT_FALSE(job);
  EXPECT_THAT(job.error().message, HasSubstr("unknown key `p94`"));
}

TEST(Schema, DescribesItself) {
  const std::string text = describe_schema(job_schema());
  EXPECT_THAT(text, HasSubstr("### a job\n"));
  EXPECT_THAT(text, HasSubstr("| `name` | a name | required | what it is called |"));
  EXPECT_THAT(text, HasSubstr("| `size` | an amount of memory from 1 MiB to 1024.0 GiB | 1GiB | how much |"));
  EXPECT_THAT(text, HasSubstr("### a goal\n\nExactly one of these keys.\n"));
}

}  // namespace
}  // namespace carve
