// Units as people read them, whole files, and "did you mean".

#include "base/base.h"

#include <sys/stat.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace carve {

namespace {

using ::testing::HasSubstr;

// A folder that is gone after the test.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "carve-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST(Units, AreWrittenAsPeopleReadThem) {
  EXPECT_EQ(to_string(Mib{512}), "512 MiB");
  EXPECT_EQ(to_string(Mib{18 * 1024}), "18.0 GiB");
  EXPECT_EQ(to_string(Permille{200}), "20 %");
  EXPECT_EQ(to_string(Permille{125}), "12.5 %");
  EXPECT_EQ(to_string(Micros{60'000}), "60 ms");
  EXPECT_EQ(to_string(Micros{1'500}), "1.5 ms");
  EXPECT_EQ(to_string(Micros{2'000'000}), "2 s");
  EXPECT_EQ(to_string(MilliPerSecond{3'500'000}), "3500/s");
  EXPECT_EQ(to_string(MilliPerSecond{500}), "0.5/s");
}

TEST(Units, MemoryNeverLooksLargerThanItIs) { EXPECT_EQ(to_string(Mib{19968 + 1023}), "20.4 GiB"); }

TEST(Units, CountsAndNounsAreInStep) {
  EXPECT_EQ(counted(1, "replica"), "1 replica");
  EXPECT_EQ(counted(0, "replica"), "0 replicas");
  EXPECT_EQ(counted(2, "card"), "2 cards");
}

TEST(Units, DivisionRoundsUp) {
  EXPECT_EQ(ceil_div(0, 7), 0);
  EXPECT_EQ(ceil_div(14, 7), 2);
  EXPECT_EQ(ceil_div(15, 7), 3);
}

TEST(Nearest, ForgivesSlipsAndNothingElse) {
  const std::vector<std::string> keys{"replicas", "tenant", "memory", "compute"};
  EXPECT_EQ(nearest("replica", keys), "replicas");
  EXPECT_EQ(nearest("mmeory", keys), "memory");  // two neighbours swapped
  EXPECT_EQ(nearest("tenent", keys), "tenant");
  EXPECT_EQ(nearest("zzz", keys), std::nullopt);
  EXPECT_EQ(nearest("", keys), std::nullopt);
  EXPECT_EQ(nearest(std::string(100'000, 'a'), keys), std::nullopt);  // at once, not in minutes
}

TEST(Files, AreReadWholeUpToALimit) {
  const Folder folder;
  std::ofstream(folder / "a") << "hello";
  EXPECT_EQ(*read_file(folder / "a", 5), "hello");
  EXPECT_THAT(read_file(folder / "a", 4).error().message, HasSubstr("larger"));
}

TEST(Files, WhatIsNoFileIsRefusedAtOnce) {
  const Folder folder;
  EXPECT_THAT(read_file(folder / ".", 10).error().message, HasSubstr("folder"));
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  EXPECT_THAT(read_file(folder / "fifo", 10).error().message, HasSubstr("not a regular file"));
  EXPECT_EQ(read_file(folder / "none", 10).error().fault, Fault::bad_input);
}

TEST(Files, AreReplacedAsAWholeOrNotAtAll) {
  const Folder folder;
  ASSERT_TRUE(write_file_atomically(folder / "a", "one"));
  ASSERT_TRUE(write_file_atomically(folder / "a", "two"));
  EXPECT_EQ(*read_file(folder / "a", 10), "two");
  EXPECT_EQ(folder.entries(), 1u);  // no temporary left
  EXPECT_EQ(write_file_atomically(folder / "none/a", "x").error().fault, Fault::environment);
  std::filesystem::create_directory(folder / "taken");
  EXPECT_FALSE(write_file_atomically(folder / "taken", "x"));
  EXPECT_EQ(folder.entries(), 2u);
}

// `carve plan -o /dev/stdout` as root put a file in the place of the device.
TEST(Files, OnlyAFileIsReplaced) {
  const Folder folder;
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  const auto refused = write_file_atomically(folder / "fifo", "x");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().fault, Fault::bad_input);
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "fifo"));
  std::filesystem::create_symlink("/dev/null", folder / "device");
  EXPECT_FALSE(write_file_atomically(folder / "device", "x"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(folder.entries(), 2u);
}

TEST(Files, ALinkStaysAndWhatItLeadsToIsReplaced) {
  const Folder folder;
  std::ofstream(folder / "a") << "old";
  std::filesystem::create_symlink(folder / "a", folder / "link");
  ASSERT_TRUE(write_file_atomically(folder / "link", "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(*read_file(folder / "a", 10), "new");
  std::filesystem::create_symlink(folder / "none", folder / "lost");
  EXPECT_FALSE(write_file_atomically(folder / "lost", "x"));
}

TEST(Files, WhatCannotBeWrittenSaysWhatToDo) {
  const Folder folder;
  EXPECT_THAT(write_file_atomically(folder / "none/a", "x").error().help, HasSubstr("none does not exist"));
  EXPECT_THAT(write_file_atomically(folder / ".", "x").error().help, HasSubstr("name a file in it"));
}

TEST(Random, RepeatsAndStaysInRange) {
  Random a(42), b(42);
  for (int i = 0; i < 1000; ++i) {
    const auto drawn = a.between(-3, 3);
    EXPECT_EQ(drawn, b.between(-3, 3));
    EXPECT_GE(drawn, -3);
    EXPECT_LE(drawn, 3);
  }
  EXPECT_EQ(Random(0).next(), 0xe220a8397b1dcdafu);  // the published first output for seed 0
}

TEST(Errors, TakeContextOnTheWayOut) {
  Error error{Fault::bad_input, "no such key", {}, {}, {}};
  EXPECT_EQ(error.within("reading team.yaml").message, "reading team.yaml: no such key");
}

}  // namespace carve
