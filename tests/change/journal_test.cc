// A journal that a power failure cut short, at every byte.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "change/bench.h"
#include "change/journal_text.h"

namespace carve::changing {
namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

std::size_t lines_of(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(Journal, CutShortAtAnyByteItHasAllWholeRecords) {
  Bench bench("1xh100-80gb");
  ASSERT_TRUE(bench.apply(bench.plan({bench.wants(0, {"3g.40gb", "1g.10gb"})})));
  const auto written = last_journal({bench.root()});
  ASSERT_TRUE(written && *written);
  const std::string path = (*written)->path, whole = bytes_of(path);
  const std::size_t lines = lines_of(whole);
  ASSERT_GT(lines, 7u);
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    // The rest may be gone, or zeros, or what stood on the disk before.
    for (const std::string& rest : {std::string(), std::string(500, '\0'), std::string("\xff\x80 x")}) {
      write(path, whole.substr(0, size) + rest);
      const auto journal = read_journal(path);
      ASSERT_TRUE(journal) << size << ": " << journal.error().message;
      const std::size_t left = lines_of(std::string_view(whole).substr(0, size));
      ASSERT_EQ(journal->has_value(), left > 0) << size;
      if (left == 0) continue;
      EXPECT_EQ((*journal)->opening, (*written)->opening);
      EXPECT_EQ((*journal)->steps.size(), std::min(left - 1, (*written)->steps.size())) << size;
      EXPECT_EQ((*journal)->outcome.has_value(), left == lines) << size;
    }
  }
}

TEST(Journal, WhatIsNotKnownIsReadAsItWasWritten) {  // found by the fuzz target: a boot without an id
  Bench bench("1xh100-80gb");
  ASSERT_TRUE(bench.apply(bench.plan({bench.wants(0, {"3g.40gb"})})));
  const auto known = last_journal({bench.root()});
  ASSERT_TRUE(known && *known);
  JournalOpening opening = (*known)->opening;
  opening.boot = opening.at = opening.command = "";
  write((*known)->path, checked_line(opening_line(opening)));
  const auto journal = read_journal((*known)->path);
  ASSERT_TRUE(journal) << journal.error().message;
  EXPECT_EQ((*journal)->opening, opening);
}

TEST(Journal, NoDamagedByteIsTakenForTruth) {
  Bench bench("1xh100-80gb");
  ASSERT_TRUE(bench.apply(bench.plan({bench.wants(0, {"3g.40gb"})})));
  const auto written = last_journal({bench.root()});
  ASSERT_TRUE(written && *written);
  const std::string path = (*written)->path, whole = bytes_of(path);
  // A last line that is not whole was never acted on; without the line feed before it the last two are one.
  const std::size_t last = whole.rfind('\n', whole.size() - 2);
  for (std::size_t at = 0; at < last; ++at) {
    for (const int bit : {0x01, 0x20, 0x80}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ bit);
      write(path, damaged);
      const auto journal = read_journal(path);
      // A digit of a checksum in the other case is the same number.
      const bool same = journal && *journal && (*journal)->opening == (*written)->opening &&
                        (*journal)->steps == (*written)->steps && (*journal)->outcome == (*written)->outcome;
      EXPECT_TRUE(!journal || same) << "byte " << at << " of " << whole.size();
    }
  }
}

}  // namespace
}  // namespace carve::changing
