// write_json: stable, readable, and read back as the same value.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <boost/json.hpp>

#include "text/text.h"

namespace carve {
namespace {

TEST(WriteJson, KeepsSmallThingsOnOneLine) {
  const Json value = boost::json::parse(
      R"({"b":1,"a":[{"x":1,"y":null},{"x":true,"y":"q\"\n\u0001"}],"empty":{},"none":[],"n":[1,2,3]})");
  EXPECT_EQ(write_json(value), R"({
  "b": 1,
  "a": [
    {"x": 1, "y": null},
    {"x": true, "y": "q\"\n\u0001"}
  ],
  "empty": {},
  "none": [],
  "n": [1, 2, 3]
}
)");
}

TEST(WriteJson, BreaksWhatIsWiderThanALine) {
  boost::json::array words;
  for (int i = 0; i < 40; ++i) words.emplace_back("word");
  const std::string text = write_json(boost::json::object{{"words", words}});
  EXPECT_EQ(text.substr(0, 30), "{\n  \"words\": [\n    \"word\",\n   ");
}

Json any_json(int depth) {
  const int kind = *rc::gen::inRange(0, depth > 0 ? 6 : 4);
  if (kind == 0) return nullptr;
  if (kind == 1) return *rc::gen::arbitrary<std::int64_t>();
  if (kind == 2) return *rc::gen::arbitrary<bool>();
  if (kind == 3) return Json(*rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127)));
  const int count = *rc::gen::inRange(0, 5);
  if (kind == 4) {
    boost::json::array array;
    for (int i = 0; i < count; ++i) array.push_back(any_json(depth - 1));
    return array;
  }
  boost::json::object object;
  for (int i = 0; i < count; ++i)
    object[*rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127))] = any_json(depth - 1);
  return object;
}

// Our own reader must take what the writer writes, and Boost's must read the same value out of it.
TEST(WriteJson, IsReadBack) {
  EXPECT_TRUE(rc::check("any value survives", [] {
    const Json value = any_json(4);
    const std::string text = write_json(value);
    RC_ASSERT(boost::json::parse(text) == value);
    RC_ASSERT(parse_json(text, "f").has_value());
    RC_ASSERT(write_json(boost::json::parse(text)) == text);
  }));
}

}  // namespace
}  // namespace carve
