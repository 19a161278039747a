#include <gmock/gmock.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <set>

#include "cli/command.h"
#include "cli/program.h"

namespace carve::sample {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const std::string team = std::string(CARVE_SOURCE_DIR) + "/examples/team.yaml";

constexpr const char* small = R"(
fleet:
  - {card: h100-80gb, count: 1}
workloads:
  - {name: ranker, tenant: search, replicas: 1, memory: 18GiB, compute: 8%, objective: {p99: 60ms}}
)";

constexpr const char* too_much = R"(
fleet:
  - {card: a30, count: 1}
workloads:
  - {name: big, tenant: search, replicas: 1, memory: 90GiB, objective: throughput}
)";

boost::json::value parsed(const std::string& text) {
  boost::system::error_code failed;
  boost::json::value value = boost::json::parse(text, failed);
  EXPECT_FALSE(failed) << text.substr(0, 400);
  return value;
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// --------------------------------------------------------------------------------------------------------------- help

TEST(Help, OverviewNamesEveryCommandAndAnExample) {
  const Ran alone = run_carve(Invocation{});
  EXPECT_EQ(alone.code, 0);
  for (const char* command : {"plan FILE", "why FILE WORKLOAD", "check PLAN", "cards [CARD]", "mechanisms", "status",
                              "observe", "sim COMMAND", "completion SHELL"})
    EXPECT_THAT(alone.out, HasSubstr(command));
  EXPECT_THAT(alone.out, HasSubstr("Example\n  carve plan examples/team.yaml\n"));
  for (const std::vector<std::string>& same : {std::vector<std::string>{"--help"}, {"-h"}, {"help"}})
    EXPECT_EQ(run_carve(same).out, alone.out);
}

TEST(Help, OfEveryCommandHasAnExampleAndItsOptions) {
  for (const std::string command : {"plan", "why", "check", "cards", "mechanisms", "status", "observe", "diff", "apply",
                                    "rollback", "journal", "import", "export", "completion"}) {
    const Ran ran = run_carve({command, "--help"});
    EXPECT_EQ(ran.code, 0);
    EXPECT_THAT(ran.out, testing::ContainsRegex("Examples?\n  .*carve " + command));
    EXPECT_EQ(ran.out.find("--json") != std::string::npos, command != "completion" && command != "export") << command;
    EXPECT_THAT(ran.err, IsEmpty());
    EXPECT_EQ(run_carve({"help", command}).out, ran.out);
    for (std::size_t start = 0; start < ran.out.size();) {
      const std::size_t end = ran.out.find('\n', start);
      EXPECT_LE(end - start, 80u) << ran.out.substr(start, end - start);
      start = end + 1;
    }
  }
}

TEST(Help, OfEveryCommandOfAGroup) {
  int groups = 0;
  for (const Command* command : every_command()) {
    if (command->name.find(' ') == std::string_view::npos) continue;
    std::vector<std::string> words;
    for (std::size_t start = 0; start < command->name.size(); start += words.back().size() + 1)
      words.emplace_back(command->name.substr(start, command->name.find(' ', start) - start));
    words.emplace_back("--help");
    const Ran ran = run_carve(words);
    EXPECT_EQ(ran.code, 0) << command->name;
    EXPECT_THAT(ran.out, testing::ContainsRegex("Examples?\n  .*carve " + std::string(command->name)));
    for (std::size_t start = 0; start < ran.out.size();) {
      const std::size_t end = ran.out.find('\n', start);
      EXPECT_LE(end - start, 80u) << ran.out.substr(start, end - start);
      start = end + 1;
    }
    words.pop_back();
    if (command->run != nullptr) continue;
    ++groups;
    EXPECT_EQ(run_carve(words).out, ran.out) << "a group alone explains itself";
    words.insert(words.begin(), "help");
    EXPECT_EQ(run_carve(words).out, ran.out);
  }
  EXPECT_EQ(groups, 1) << "sim inject";
}

// -------------------------------------------------------------------------------------------------------------- usage

struct Usage {
  std::vector<std::string> arguments;
  std::string message, help;
};

TEST(Usage, IsAnsweredWithTheNearestName) {
  const std::vector<Usage> table{
      {{"plam", "x"}, "there is no command 'plam'", "did you mean 'carve plan'?"},
      {{"mechanism"}, "there is no command 'mechanism'", "did you mean 'carve mechanisms'?"},
      {{"frobnicate"}, "there is no command 'frobnicate'", "'carve --help' lists the commands"},
      {{"plan", "x", "--flet", "2xa30"}, "'carve plan' has no option --flet", "did you mean --fleet?"},
      {{"plan", "x", "--jsn=yes"}, "'carve plan' has no option --jsn", "did you mean --json?"},
      {{"check", "x", "--fleet", "2xa30"}, "'carve check' has no option --fleet", "see 'carve check --help'"},
      {{"--versio"}, "has no option --versio", "did you mean --version?"},
      {{"sim", "creat"}, "'carve sim' has no command 'creat'", "did you mean 'carve sim create'?"},
      {{"sim", "--json"}, "'carve sim' has no option --json", "'carve sim --help' lists its commands"},
      {{"help", "sim", "frobnicate"}, "'carve sim' has no command 'frobnicate'", "'carve sim --help'"},
      {{"sim", "create"}, "'carve sim create' needs CARDS", "for example: carve sim create"},
      {{"plan"}, "'carve plan' needs FILE", "for example: carve plan"},
      {{"why", team}, "'carve why' needs WORKLOAD", "for example: carve why"},
      {{"plan", "x", "y"}, "'y' is one argument too many", "see 'carve plan --help'"},
      {{"plan", team, "--width", "9"}, "--width 9: expected a whole number from 40 to 400", ""},
      {{"plan", team, "--width", "wide"}, "--width wide: expected a whole number", ""},
      {{"plan", team, "--fleet", "a30", "--fleet", "t4"}, "", ""},
      {{"plan", team, "--fleet"}, "", ""},
  };
  for (const Usage& row : table) {
    const Ran ran = run_carve(row.arguments);
    EXPECT_EQ(ran.code, 2) << row.message;
    EXPECT_THAT(ran.out, IsEmpty());
    EXPECT_THAT(ran.err, StartsWith("error: "));
    EXPECT_THAT(ran.err, HasSubstr(row.message));
    EXPECT_THAT(ran.err, HasSubstr(row.help));
  }
}

// --------------------------------------------------------------------------------------------------------------- plan

TEST(Usage, AnOptionStandsOnceAndWithItsValue) {
  for (const auto& [arguments, says] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"plan", "x.yaml", "--fleet"}, "--fleet needs FLEET: "},
           {{"plan", "x.yaml", "-o"}, "--output needs PLAN: "},
           {{"plan", "x.yaml", "-o", ""}, "--output needs PLAN: "},
           {{"plan", "x.yaml", "--html", "--json"}, "--html needs PAGE: "},
           {{"plan", "--fleet", "1xa30", "--fleet", "2xa30", "x.yaml"}, "--fleet stands here 2 times"},
           {{"team.yaml"}, "did you mean 'carve plan team.yaml'?"},
           {{"-V"}, "did you mean --version?"}}) {
    const Ran ran = run_carve(arguments);
    EXPECT_EQ(ran.code, 2) << says;
    EXPECT_THAT(ran.err, HasSubstr(says));
  }
}

TEST(Plan, DrawsTheTeam) {
  const Ran ran = run_carve(Invocation{{"plan", team}, {"LC_ALL=C.UTF-8"}});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("team.yaml: "));
  EXPECT_THAT(ran.out, HasSubstr("h100-80gb is taken as h100-sxm5-80gb; it would also fit h100-pcie-80gb"));
  EXPECT_THAT(ran.out, HasSubstr("┌─ "));
  EXPECT_THAT(ran.out, HasSubstr("time-slicing · research"));
  EXPECT_THAT(ran.out, HasSubstr("proof: "));
  EXPECT_THAT(ran.err, IsEmpty());
}

TEST(Plan, IsTheSameEveryTime) {
  EXPECT_EQ(run_carve({"plan", team, "--json"}).out, run_carve({"plan", team, "--json"}).out);
}

TEST(Plan, FleetOnTheCommandLineOverrulesTheFile) {
  const Folder folder;
  const Ran ran = run_carve({"plan", folder.write("a.yaml", small), "--fleet", "2xa100-80gb"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("on 1 of 2 cards"));
  EXPECT_THAT(ran.out, HasSubstr("a100-80gb"));
}

TEST(Plan, WithoutAFleetSaysHowToGiveOne) {
  const Folder folder;
  const std::string text(small);
  const std::string file = folder.write("a.yaml", text.substr(text.find("workloads:")));
  const Ran ran = run_carve(Invocation{{"plan", file}, {"CARVE_NVML=/nowhere/libnvidia-ml.so.1"}});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, HasSubstr("names no cards to plan for"));
  EXPECT_THAT(ran.err, HasSubstr("--fleet 8xh100-80gb"));
  EXPECT_THAT(ran.out, IsEmpty());
}

TEST(Plan, ReadsStandardInput) {
  const Ran ran = run_carve(Invocation{{"plan", "-"}, {}, small});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("standard input: 1 replica on 1 of 1 card"));
}

TEST(Plan, WhatCannotBePlacedIsAnsweredNo) {
  const Folder folder;
  const Ran ran = run_carve({"plan", folder.write("a.yaml", too_much)});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, HasSubstr("unplaced big/0: 1 replica"));
  EXPECT_THAT(ran.out, HasSubstr("90.0 GiB"));
  EXPECT_THAT(ran.err, IsEmpty());
}

TEST(Plan, ErrorsNameThePlaceAndStandOnStandardError) {
  const Folder folder;
  const std::string path = folder.write("bad.yaml", "tenant: a\nworkloads:\n  - {name: x, replicas: 1, memry: 3GiB}\n");
  const Ran ran = run_carve({"plan", path, "-o", folder.path("plan.json")});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.out, IsEmpty());
  EXPECT_THAT(ran.err, HasSubstr("--> " + path + ":3:"));
  EXPECT_THAT(ran.err, HasSubstr("memry"));
  EXPECT_THAT(ran.err, HasSubstr("^"));
  EXPECT_FALSE(std::filesystem::exists(folder.path("plan.json"))) << "-o wrote a file in spite of the error";
}

TEST(Plan, OutputIsThePlanThatJsonPrints) {
  const Folder folder;
  const std::string file = folder.write("a.yaml", small);
  const Ran written = run_carve({"plan", file, "-o", folder.path("plan.json")});
  EXPECT_EQ(written.code, 0) << written.err;
  EXPECT_THAT(written.out, HasSubstr("1 replica on 1 of 1 card"));
  const Ran copied = run_carve(Invocation{{"plan", file, "--json"}, {}, {}, folder.path("printed.json")});
  EXPECT_EQ(copied.code, 0);
  const auto size = std::filesystem::file_size(folder.path("printed.json"));
  EXPECT_GT(size, 100u);
  EXPECT_EQ(size, std::filesystem::file_size(folder.path("plan.json")));
}

TEST(Plan, AnOutputThatCannotBeWrittenIsTheEnvironment) {
  const Folder folder;
  const Ran ran = run_carve({"plan", folder.write("a.yaml", small), "-o", folder.path("no/such/plan.json")});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.out, IsEmpty());
  EXPECT_THAT(ran.err, HasSubstr("cannot write"));
}

TEST(Plan, WritesAPageAndADrawingBesideWhatItPrints) {
  const Folder folder;
  const std::string page = folder.path("plan.html"), drawing = folder.path("plan.svg");
  const Ran ran = run_carve({"plan", folder.write("a.yaml", small), "--html", page, "--svg", drawing});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("1 replica on 1 of 1 card"));
  EXPECT_THAT(content(page), HasSubstr("<h1>1 replica on 1 of 1 card</h1>"));
  EXPECT_THAT(content(page), HasSubstr("<p class=\"file\">a.yaml</p>")) << "the file's own name, and no folder";
  EXPECT_THAT(content(drawing), StartsWith("<svg "));
  const Ran refused = run_carve({"plan", folder.path("a.yaml"), "--html", folder.path("no/such/plan.html")});
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.out, IsEmpty());
  EXPECT_THAT(refused.err, HasSubstr("cannot write"));
}

// Each of these once cost somebody a file: the workload file, the plan, or one of two outputs.
TEST(Plan, NothingIsWrittenOverWhatIsReadOrOverAnother) {
  const Folder folder;
  const std::string file = folder.write("team.yaml", small);
  const std::string same = folder.path("./team.yaml");
  for (const std::vector<std::string>& outputs : std::vector<std::vector<std::string>>{
           {"-o", file}, {"--html", same}, {"-o", folder.path("x"), "--svg", folder.path("x")}, {"--html", "-"}}) {
    std::vector<std::string> arguments{"plan", file};
    arguments.insert(arguments.end(), outputs.begin(), outputs.end());
    const Ran ran = run_carve(arguments);
    EXPECT_EQ(ran.code, 2) << outputs.front();
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, HasSubstr("help: ")) << outputs.front();
  }
  EXPECT_EQ(content(file), small);
  EXPECT_FALSE(std::filesystem::exists(folder.path("x")));
  const std::string plan = folder.path("plan.json");
  ASSERT_EQ(run_carve({"plan", file, "-o", plan}).code, 0);
  EXPECT_EQ(run_carve({"check", plan, "--html", plan}).code, 2);
  EXPECT_EQ(run_carve({"check", plan}).code, 0);
}

TEST(Plan, APlanIsNamedAsOne) {
  const Folder folder;
  const std::string plan = folder.path("plan.json");
  ASSERT_EQ(run_carve({"plan", folder.write("team.yaml", small), "-o", plan}).code, 0);
  const Ran ran = run_carve({"plan", plan});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("this is a plan, expected a workload file"), HasSubstr("`carve check`")));
}

TEST(Plan, StatsGoToStandardError) {
  const Ran ran = run_carve(Invocation{{"plan", "-", "--stats", "--json"}, {}, small});
  EXPECT_THAT(ran.err, HasSubstr("pack"));
  parsed(ran.out);
}

// ----------------------------------------------------------------------------------------------------- check and why

TEST(Check, AcceptsAPlanAndReDerivesItsBound) {
  const Folder folder;
  ASSERT_EQ(run_carve({"plan", team, "-o", folder.path("plan.json")}).code, 0);
  const Ran ran = run_carve({"check", folder.path("plan.json")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("every rule of geometry, mechanisms and workloads holds"));
  EXPECT_THAT(ran.out, HasSubstr("agrees"));
  EXPECT_THAT(ran.out, Not(HasSubstr("differs")));
}

TEST(Check, DrawsAKeptPlanAndSaysWhenItCannotBeUsed) {
  const Folder folder;
  const std::string page = folder.path("plan.html");
  boost::json::value plan = parsed(run_carve(Invocation{{"plan", "-", "--json"}, {}, small}).out);
  ASSERT_EQ(run_carve({"check", folder.write("good.json", boost::json::serialize(plan)), "--html", page}).code, 0);
  EXPECT_THAT(content(page), Not(HasSubstr("cannot be used")));
  plan.at("cards").at(0).at("partitions").at(0).at("start") = 7;
  EXPECT_EQ(run_carve({"check", folder.write("bad.json", boost::json::serialize(plan)), "--html", page}).code, 1);
  EXPECT_THAT(content(page), HasSubstr("This plan cannot be used"));
}

TEST(Check, RefusesAPlanThatClaimsTooMuch) {
  const Folder folder;
  ASSERT_EQ(run_carve(Invocation{{"plan", "-", "-o", folder.path("plan.json")}, {}, small}).code, 0);
  boost::json::value plan = parsed(run_carve(Invocation{{"plan", "-", "--json"}, {}, small}).out);
  plan.at("summary").at("lower_bound") = 7;
  const Ran bound = run_carve({"check", folder.write("bound.json", boost::json::serialize(plan))});
  EXPECT_EQ(bound.code, 1);
  EXPECT_THAT(bound.out, HasSubstr("differs"));
  plan.at("cards").at(0).at("partitions").at(0).at("start") = 7;
  const Ran layout = run_carve({"check", folder.write("layout.json", boost::json::serialize(plan))});
  EXPECT_EQ(layout.code, 1);
  EXPECT_THAT(layout.out, HasSubstr("the plan cannot be used"));
  const boost::json::value found = parsed(run_carve({"check", folder.path("layout.json"), "--json"}).out);
  EXPECT_FALSE(found.at("valid").as_bool());
  EXPECT_FALSE(found.at("violations").as_array().empty());
}

TEST(Check, WhatIsNoPlanIsBadInput) {
  const Ran ran = run_carve(Invocation{{"check", "-"}, {}, "{\"format\": \"carve-plan/2\"}"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.out, IsEmpty());
}

TEST(Why, NamesTheNearMissAndTheRefused) {
  const Ran ran = run_carve({"why", team, "reranker"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("on h100-sxm5-80gb: MIG, exclusive, in 2g.20gb"));
  EXPECT_THAT(ran.out, HasSubstr("26 of 132 SMs are 19.7 %, needs 20 %"));
  EXPECT_THAT(ran.out, HasSubstr("not MPS: "));
  EXPECT_THAT(ran.out, HasSubstr("would allow it: "));
}

TEST(Why, UnknownWorkloadIsAnsweredWithTheNearest) {
  const Ran ran = run_carve({"why", team, "rerankr"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("has no workload 'rerankr'"));
  EXPECT_THAT(ran.err, HasSubstr("did you mean 'reranker'?"));
  EXPECT_THAT(ran.out, IsEmpty());
}

// --------------------------------------------------------------------------------------------------------------- JSON

TEST(Json, OfEveryCommandParsesAndNamesItsFormat) {
  const Folder folder;
  ASSERT_EQ(run_carve({"plan", team, "-o", folder.path("plan.json")}).code, 0);
  const std::vector<std::pair<std::vector<std::string>, std::string>> table{
      {{"plan", team}, "carve-plan/1"},
      {{"why", team, "notebooks"}, "carve-why/1"},
      {{"check", folder.path("plan.json")}, "carve-check/1"},
      {{"cards"}, "carve-cards/1"},
      {{"cards", "h100-80gb"}, "carve-cards/1"},
      {{"mechanisms"}, "carve-mechanisms/1"}};
  for (auto [arguments, format] : table) {
    arguments.emplace_back("--json");
    const Ran ran = run_carve(arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(parsed(ran.out).at("format").as_string(), format);
  }
}

TEST(Json, UnknownFiguresAreNullAndNeverZero) {
  const boost::json::value cards = parsed(run_carve({"cards", "--json"}).out);
  bool unknown = false;
  for (const boost::json::value& card : cards.at("cards").as_array()) {
    unknown = unknown || card.at("sms").is_null();
    EXPECT_TRUE(card.at("sms").is_null() || card.at("sms").as_int64() > 0);
  }
  EXPECT_TRUE(unknown);
}

void collect_keys(const boost::json::value& value, std::set<std::string>& keys) {
  if (value.is_array())
    for (const boost::json::value& item : value.as_array()) collect_keys(item, keys);
  if (value.is_object())
    for (const auto& [key, item] : value.as_object()) {
      keys.insert(std::string(key));
      if (key != "workload" && key != "by_choice")
        collect_keys(item, keys);  // described elsewhere; keys that are names
    }
}

TEST(Json, EveryKeyIsDocumented) {
  const std::string document = content(std::string(CARVE_SOURCE_DIR) + "/docs/json.md");
  const Folder folder;
  const std::string plan = folder.path("plan.json");
  ASSERT_EQ(run_carve({"plan", folder.write("a.yaml", too_much), "-o", plan}).code, 1);
  std::set<std::string> keys;
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"cards", "--json"},
                                                    {"cards", "a30", "--json"},
                                                    {"mechanisms", "--json"},
                                                    {"check", plan, "--json"},
                                                    {"why", folder.path("a.yaml"), "big", "--json"}})
    collect_keys(parsed(run_carve(arguments).out), keys);
  EXPECT_GT(keys.size(), 60u);
  for (const std::string& key : keys) EXPECT_THAT(document, HasSubstr("`" + key + "`"));
}

// -------------------------------------------------------------------------------------------------- where output goes

TEST(Output, HasNoColourInAPipe) {
  EXPECT_THAT(run_carve(Invocation{{"plan", team}, {"TERM=xterm-256color"}}).out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run_carve(Invocation{{"plan", "nofile"}, {"TERM=xterm-256color"}}).err, Not(HasSubstr("\x1b")));
}

TEST(Output, HasColourOnATerminalUnlessItIsUnwanted) {
  EXPECT_THAT(carve_on_terminal({{"mechanisms"}, {"TERM=xterm-256color"}}).out, HasSubstr("\x1b[1m"));
  EXPECT_THAT(carve_on_terminal({{"mechanisms"}, {"TERM=xterm-256color", "NO_COLOR=1"}}).out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(carve_on_terminal({{"mechanisms"}, {"TERM=dumb"}}).out, Not(HasSubstr("\x1b")));
}

TEST(Output, IsAsciiUnlessTheLocaleIsUtf8) {
  const auto ascii = [](const std::string& text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  };
  EXPECT_TRUE(ascii(run_carve({"plan", team}).out));
  EXPECT_TRUE(ascii(run_carve(Invocation{{"plan", team, "--ascii"}, {"LC_ALL=C.UTF-8"}}).out));
  EXPECT_FALSE(ascii(run_carve(Invocation{{"plan", team}, {"LANG=de_DE.UTF-8"}}).out));
}

TEST(Output, AFullDiskIsTheEnvironment) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
  const Ran ran = run_carve(Invocation{{"mechanisms"}, {}, {}, "/dev/full"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, HasSubstr("writing to standard output: No space left on device"));
}

TEST(Output, AReaderThatWentAwayIsNoError) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);  // nobody reads: the first write fails with EPIPE
  Invocation invocation{{"mechanisms"}};
  invocation.stdout_descriptor = ends[1];
  const Ran ran = run_carve(invocation);
  ::close(ends[1]);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, IsEmpty());
}

}  // namespace
}  // namespace carve::sample
