// carve --version: the first line is for scripts; text and JSON say the same.
#include <gmock/gmock.h>

#include <boost/json.hpp>
#include <fstream>

#include "cli/program.h"

namespace carve::sample {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;

boost::json::object version_object() { return boost::json::parse(run_carve({"--version", "--json"}).out).as_object(); }

TEST(Version, FirstLineIsNameAndVersionAlone) {
  const Ran ran = run_carve({"--version"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.err, IsEmpty());
  EXPECT_THAT(ran.out.substr(0, ran.out.find('\n')), MatchesRegex("carve [0-9]+[.][0-9]+[.][0-9]+"));
}

TEST(Version, SaysWhatItWasBuiltFrom) {
  const std::string text = run_carve({"--version"}).out;
  for (const char* line : {"\ncommit     ", "\ncompiler   ", "\nbuild      ", "\nlibraries  "})
    EXPECT_THAT(text, HasSubstr(line));
  for (const char* library : {"CBC ", "yaml-cpp ", "Boost ", "fmt ", "CLI11 "}) {
    const std::size_t at = text.find(library);
    ASSERT_NE(at, std::string::npos) << library;
    EXPECT_TRUE(std::isdigit(text[at + std::string(library).size()])) << library << "has no version";
  }
}

TEST(Version, JsonSaysTheSame) {
  const std::string text = run_carve({"--version"}).out;
  const boost::json::object version = version_object();
  EXPECT_EQ(version.at("format").as_string(), "carve-version/1");
  EXPECT_EQ("carve " + std::string(version.at("version").as_string()), text.substr(0, text.find('\n')));
  EXPECT_THAT(text, HasSubstr(std::string(version.at("compiler").as_string())));
  for (const auto& [name, number] : version.at("libraries").as_object())
    EXPECT_THAT(text, HasSubstr(std::string(name) + " " + std::string(number.as_string())));
  if (version.at("commit").is_null()) {
    EXPECT_THAT(text, HasSubstr("unknown: no git"));
    EXPECT_TRUE(version.at("modified").is_null());
  } else {
    EXPECT_THAT(text, HasSubstr("\ncommit     " + std::string(version.at("commit").as_string()).substr(0, 12)));
    EXPECT_EQ(version.at("modified") == true, text.find(", modified\n") != std::string::npos);
  }
}

TEST(Version, EveryKeyIsDocumented) {
  std::ifstream file(std::string(CARVE_SOURCE_DIR) + "/docs/json.md");
  const std::string document((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string section = document.substr(document.find("## carve-version/1"));
  for (const auto& [key, value] : version_object()) EXPECT_THAT(section, HasSubstr("`" + std::string(key) + "`"));
}

TEST(Version, KnowsNoOtherOption) {
  const Ran ran = run_carve({"--version", "--jsn"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("'carve --version' has no option --jsn"));
}

}  // namespace
}  // namespace carve::sample
