// What `carve __complete` offers. That the shells ask it, and show what it says, is tested in tests/install.
#include "cli/complete.h"

#include <gmock/gmock.h>

#include "cli/command.h"
#include "cli/program.h"

namespace carve::sample {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const std::string team = std::string(CARVE_SOURCE_DIR) + "/examples/team.yaml";

// The offered words, without what they mean.
std::vector<std::string> offered(const std::vector<std::string>& words) {
  std::vector<std::string> list;
  std::string text = complete(words);
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    list.push_back(text.substr(start, std::min(end, text.find('\t', start)) - start));
    start = end + 1;
  }
  return list;
}

TEST(Complete, IsWhatTheProgramAnswers) {
  const Ran ran = run_carve({"__complete", "plan", "--fl"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, complete(std::vector<std::string>{"plan", "--fl"}));
  EXPECT_THAT(ran.out, StartsWith("--fleet\tcards to plan for"));
}

TEST(Complete, EveryCommandAndAllItsOptions) {
  for (const Command* command : every_command()) {
    std::vector<std::string> before;  // the words of its groups, if it has any
    for (std::size_t start = 0, end; (end = command->name.find(' ', start)) != std::string_view::npos; start = end + 1)
      before.emplace_back(command->name.substr(start, end - start));
    const auto after = [&](std::vector<std::string> words) {
      words.insert(words.begin(), before.begin(), before.end());
      return words;
    };
    const std::string name(command->word());
    EXPECT_THAT(offered(after({""})), Contains(name));
    before.insert(before.begin(), "help");
    EXPECT_THAT(offered(after({""})), Contains(name));
    before.erase(before.begin());
    EXPECT_THAT(offered(after({name, "-"})), Contains("--help"));
    for (const Option& option : command->options)
      EXPECT_THAT(offered(after({name, "-"})), Contains(std::string(option.name)));
  }
}

TEST(Complete, KnowsWhatBelongsInEveryPlace) {
  for (const Command* command : every_command()) {
    for (const Argument& argument : command->arguments)
      EXPECT_TRUE(completes(argument.name)) << argument.name << " is missing in src/cli/complete.cc";
    for (const Option& option : command->options)
      EXPECT_TRUE(option.value.empty() || completes(option.value))
          << option.value << " is missing in src/cli/complete.cc";
  }
}

TEST(Complete, Commands) {
  EXPECT_THAT(offered({"pl"}), ElementsAre("plan"));
  EXPECT_THAT(offered({"--v"}), ElementsAre("--version"));
  EXPECT_THAT(offered({"--version", ""}), ElementsAre("--json"));
  EXPECT_THAT(offered({"frobnicate", ""}), IsEmpty());
  EXPECT_THAT(offered({}), IsEmpty());
}

TEST(Complete, AnOptionIsOfferedOnce) {
  EXPECT_THAT(offered({"plan", "team.yaml", "--json", "--"}), Not(Contains("--json")));
  EXPECT_THAT(offered({"plan", "-o", "plan.json", "--"}), Not(Contains("--output")));
  EXPECT_THAT(offered({"plan", "--fleet=2xa30", "--"}), Not(Contains("--fleet")));
}

TEST(Complete, FilesWhereAFileIsMeant) {
  EXPECT_THAT(offered({"plan", ""}), ElementsAre(":files .yaml .yml"));
  EXPECT_THAT(offered({"plan", "--json", "ex"}), ElementsAre(":files .yaml .yml"));
  EXPECT_THAT(offered({"plan", "--fleet", "2xa30", ""}), ElementsAre(":files .yaml .yml"));
  EXPECT_THAT(offered({"plan", "team.yaml", ""}), IsEmpty());
  EXPECT_THAT(offered({"plan", "team.yaml", "-o", ""}), ElementsAre(":files .json"));
  EXPECT_THAT(offered({"check", ""}), ElementsAre(":files .json"));
  EXPECT_THAT(offered({"plan", "--width", ""}), IsEmpty());
}

TEST(Complete, CardsAndFleets) {
  EXPECT_THAT(offered({"cards", "h100-sxm5-8"}), ElementsAre("h100-sxm5-80gb"));
  EXPECT_THAT(offered({"cards", "h100-sxm5-80gb", ""}), IsEmpty());
  EXPECT_THAT(offered({"plan", "--fleet", "a3"}), Contains("a30-24gb"));
  EXPECT_THAT(offered({"plan", "--fleet", "8xh100-sxm5-8"}), ElementsAre("8xh100-sxm5-80gb"));
  EXPECT_THAT(offered({"plan", "--fleet", "2xt4,16xh100-sxm5-8"}), ElementsAre("2xt4,16xh100-sxm5-80gb"));
  EXPECT_THAT(offered({"plan", "--fleet=8xh100-sxm5-8"}), ElementsAre("--fleet=8xh100-sxm5-80gb"));
}

TEST(Complete, WorkloadsOfTheFile) {
  EXPECT_THAT(offered({"why", team, ""}), ElementsAre("notebooks", "reranker", "resnet-serving", "tower-train"));
  EXPECT_THAT(offered({"why", "--json", team, "re"}), ElementsAre("reranker", "resnet-serving"));
  EXPECT_THAT(offered({"why", "no-such-file.yaml", ""}), IsEmpty());
  EXPECT_THAT(offered({"why", "/dev/null", ""}), IsEmpty());
  const Folder folder;
  EXPECT_THAT(offered({"why", folder.write("bad.yaml", "workloads: [{nam"), ""}), IsEmpty());
}

TEST(Complete, Scripts) {
  EXPECT_THAT(offered({"completion", ""}), ElementsAre("bash", "zsh", "fish"));
  const Ran nearly = run_carve({"completion", "bsh"});
  EXPECT_EQ(nearly.code, 2);
  EXPECT_THAT(nearly.err, testing::HasSubstr("did you mean bash?"));
  EXPECT_THAT(run_carve({"completion", "tcsh"}).err, testing::HasSubstr("there is: bash, zsh, fish"));
  for (const std::string& shell : offered({"completion", ""}))
    EXPECT_THAT(run_carve({"completion", shell}).out, testing::HasSubstr("__complete"));
}

}  // namespace
}  // namespace carve::sample
