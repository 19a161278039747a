// Processes below a root folder: users, command lines, control groups.
#include "driver/proc/proc.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace carve::sample {
namespace {

class ProcFolder : public testing::Test {
 protected:
  void SetUp() override {
    root = (std::filesystem::temp_directory_path() / "carve-proc-XXXXXX").string();
    ASSERT_NE(::mkdtemp(root.data()), nullptr);
    std::filesystem::create_directories(root + "/proc/7");
    std::filesystem::create_directories(root + "/etc");
    write("etc/passwd", fmt::format("daemon:x:77777:1:::\nana:x:{}:100:Ana:/:/bin/sh\n", ::getuid()));
  }
  void TearDown() override { std::filesystem::remove_all(root); }
  void write(const std::string& path, const std::string& text) const {
    std::ofstream(root + "/" + path, std::ios::binary) << text;
  }
  ProcessFacts facts() {
    const Reading<ProcessFacts> read = read_process(7, root, watch);
    if (!read) ADD_FAILURE() << read.error().sentence;
    return read.value_or(ProcessFacts{});
  }
  std::string root;
  Watch watch;
};

TEST_F(ProcFolder, UserCommandAndControlGroup) {
  write("proc/7/cmdline", std::string("python\0train.py\0--size\0003\0", 25));
  write("proc/7/cgroup", "0::/kubepods.slice/pod1.scope\n");
  EXPECT_EQ(facts().user, "ana");
  EXPECT_EQ(facts().command, "python train.py --size 3");
  EXPECT_EQ(facts().cgroup, "/kubepods.slice/pod1.scope");
}

TEST_F(ProcFolder, AUserWithoutANameIsANumber) {
  write("etc/passwd", "daemon:x:77777:1:::\n");
  EXPECT_EQ(facts().user, std::to_string(::getuid()));
}

TEST_F(ProcFolder, OldHierarchiesHaveThePath) {
  write("proc/7/cgroup", "1:name=systemd:/slurm\n12:devices:/slurm/uid_1/job_5\n0::/\n");
  EXPECT_EQ(facts().cgroup, "/slurm/uid_1/job_5");
}

TEST_F(ProcFolder, WithoutACommandLineTheShortNameStands) {
  write("proc/7/cmdline", "");
  write("proc/7/comm", "nv_queue\n");
  EXPECT_EQ(facts().command, "nv_queue");
}

TEST_F(ProcFolder, AProcessThatIsNotHere) {
  const Reading<ProcessFacts> read = read_process(8, root, watch);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().why, Absence::unsupported);
}

// The name of a process may look like the rest of the line.
TEST_F(ProcFolder, StartGroupAndAncestors) {
  write("proc/7/stat", "7 (a) R 1 (b) S 5 6 7 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 987654 100 2\n");
  std::filesystem::create_directories(root + "/proc/5");
  write("proc/5/stat", "5 (sh) S 1 5 5 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 11 100 2\n");
  const ProcessFacts found = facts();
  EXPECT_EQ(found.started, 987654u);
  EXPECT_EQ(found.group, 6);
  EXPECT_THAT(found.ancestors, testing::ElementsAre(5, 1));
}

TEST_F(ProcFolder, AStartThatIsNotToldIsNotZero) {
  EXPECT_FALSE(facts().started);
  write("proc/7/stat", "7 (a) S 5 6 7 0");
  EXPECT_FALSE(facts().started);
}

// A parent that names itself would be climbed for ever.
TEST_F(ProcFolder, AncestorsEnd) {
  write("proc/7/stat", "7 (a) S 7 6 7 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 987654 100 2\n");
  EXPECT_LE(facts().ancestors.size(), 64u);
}

TEST_F(ProcFolder, AVeryLongCommandLineIsCut) {
  write("proc/7/cmdline", std::string(100000, 'x'));
  EXPECT_EQ(facts().command.size(), 4096u);
}

}  // namespace
}  // namespace carve::sample
