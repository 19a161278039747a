// The generator refuses a catalog that contradicts itself, says where, and writes nothing. Each row breaks one line of
// a copy of the real files.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base.h"

namespace carve {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string contents(const fs::path& path) {
  const Result<std::string> bytes = read_file(path.string(), 1 << 22);
  EXPECT_TRUE(bytes.has_value()) << path;
  return bytes.value_or("");
}

struct Outcome {
  int exit_code = 0;
  std::string message;
};

class Generate : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "carve-catalog-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    for (const auto& entry : fs::directory_iterator(fs::path(CARVE_SOURCE_DIR) / "catalog")) {
      if (entry.path().extension() == ".yaml") fs::copy(entry.path(), folder_);
    }
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path output() const { return folder_ / "table.cc"; }

  void replace_first(const std::string& file, const std::string& old_text, const std::string& new_text) {
    std::string text = contents(folder_ / file);
    const std::size_t at = text.find(old_text);
    ASSERT_NE(at, std::string::npos) << file << " has no " << old_text;
    std::ofstream(folder_ / file) << text.replace(at, old_text.size(), new_text);
  }

  // The generator over all files of the folder, in the order of their names.
  Outcome run() const {
    std::vector<std::string> arguments;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().extension() == ".yaml") arguments.push_back(entry.path().string());
    }
    std::sort(arguments.begin(), arguments.end());
    const fs::path program = fs::path(CARVE_BINARY).parent_path() / "catalog" / "catalog_generate";
    arguments.insert(arguments.begin(), {program.string(), output().string()});
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);

    const std::string messages = (folder_ / "messages").string();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 2, messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t child = 0;
    const int spawned = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    if (spawned != 0 || waitpid(child, &status, 0) != child) return {-1, "cannot start " + arguments[0]};
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(messages)};
  }

  fs::path folder_;
};

TEST_F(Generate, TheRealCatalog) {
  const Outcome outcome = run();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.message;
  const std::string first = contents(output());
  EXPECT_THAT(first, HasSubstr("\"h100-sxm5-80gb\""));
  ASSERT_EQ(run().exit_code, 0);
  EXPECT_EQ(contents(output()), first) << "the same files give the same bytes";
}

struct Broken {
  const char* file;
  const char* old_text;
  const char* new_text;
  const char* place;
  const char* message;
};

TEST_F(Generate, RefusesWhatContradictsItself) {
  const Broken rows[] = {
      {"a30.yaml", "mib: 5952", "mib: 5951", "a30.yaml:30:17: error", "the two figures do not agree"},
      {"a30.yaml", "shown_gib: \"5.81\"", "shown_gib: \"5.80\"", "a30.yaml:30:17: error",
       "the two figures do not agree"},
      {"a30.yaml", "starts: [0, 1, 2, 3]", "starts: [0, 2, 1, 3]", "a30.yaml:", "starts must ascend"},
      {"a30.yaml", "starts: [0, 1, 2, 3]", "starts: [0, 1, 2, 4]", "a30.yaml:", "reaches beyond the grid"},
      {"a30.yaml", "{size: 1, ", "{size: 2, ", "a30.yaml:", "the size must be the profile's memory slices"},
      {"a30.yaml", "sources: [guide-gpus]", "sources: [guide-gpu]", "a30.yaml:", "does not explain \"guide-gpu\""},
      {"a30.yaml", "1g.6gb+me", "1g.6gb", "a30.yaml:", "a second profile 1g.6gb"},
      {"a30.yaml", "id: a30-24gb", "id: t4-16gb", "", "a second card \"t4-16gb\""},
      {"a30.yaml", "evidence: observed", "evidence: inferred", "a30.yaml:", "what was inferred has none"},
      {"a30.yaml", "compute_slices: 2", "compute_slices: 5", "a30.yaml:", "more than the card has"},
      {"a30.yaml", "max_instances", "max_instance", "a30.yaml:", "max_instance"},
      {"t4.yaml", "total_mib: 15360, ", "", "t4.yaml:", "total_mib needs its sources"},
      {"sources.yaml", "sources:\n", "sources:\n  unused: \"a book\"\n", "", "explains \"unused\""},
  };
  for (const Broken& row : rows) {
    SCOPED_TRACE(row.message);
    const std::string before = contents(folder_ / row.file);
    replace_first(row.file, row.old_text, row.new_text);
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.message, HasSubstr(row.message));
    EXPECT_THAT(outcome.message, HasSubstr(row.place));
    EXPECT_FALSE(fs::exists(output())) << "nothing is written";
    std::ofstream(folder_ / row.file) << before;
  }
}

}  // namespace
}  // namespace carve
