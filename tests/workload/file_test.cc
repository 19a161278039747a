// What a path can lead to, and measured tables: real files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fmt/format.h>

#include "workload/folder.h"
#include "workload/workload.h"

namespace carve {
namespace {

using testing::HasSubstr;

TEST(Path, WhatIsNoFileIsRefused) {
  const Folder folder;
  const auto message = [](const std::string& path) {
    const auto file = read_workload_file(path);
    return file ? std::string("accepted") : file.error().message;
  };
  EXPECT_THAT(message(folder.path("none.yaml")), HasSubstr("No such file"));
  std::filesystem::create_directory(folder.path("folder.yaml"));
  EXPECT_THAT(message(folder.path("folder.yaml")), HasSubstr("is a folder"));
  ASSERT_EQ(::mkfifo(folder.path("fifo.yaml").c_str(), 0600), 0);
  EXPECT_THAT(message(folder.path("fifo.yaml")), HasSubstr("is not a regular file"));
  EXPECT_THAT(message("/dev/zero"), HasSubstr("is not a regular file"));
  folder.write("huge.yaml", "");
  std::filesystem::resize_file(folder.path("huge.yaml"), 100'000'000);
  EXPECT_THAT(message(folder.path("huge.yaml")), HasSubstr("is larger than 16 MiB"));
  EXPECT_THAT(message(folder.write("empty.yaml", "")), HasSubstr("found nothing"));
}

// A workload file that names m.csv; the place of the name is line 3, column 65.
Result<WorkloadFile> read_with_table(const std::string& table) {
  const Folder folder;
  folder.write("m.csv", table);
  return read_workload_file(folder.write("team.yaml", R"(tenant: t
workloads:
  - {name: a, rate: 100/s, objective: {p99: 60ms}, measured:    m.csv}
)"));
}

TEST(Measured, IsReadRelativeToTheFileAndSorted) {
  const auto file = read_with_table(
      "# a comment\r\nbatch,card,throughput_per_s, latency_ms ,profile,processes,memory_mib\r\n"
      "2,a100-80gb,74.4089,13.0001,3g.40gb,2,1000\r\n\r\n# "
      "another\r\n1,a100-80gb,20,1,,1,\r\n4,h100-80gb,5,6,card,1,\r\n");
  ASSERT_TRUE(file) << file.error().message;
  const auto& rows = file->workloads[0].measured;
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(file->workloads[0].measured_file, "m.csv");
  EXPECT_EQ(rows[0].card, "a100-80gb");
  EXPECT_EQ(rows[0].profile, "");
  EXPECT_EQ(rows[0].throughput, MilliPerSecond{20'000});
  EXPECT_FALSE(rows[0].memory);
  EXPECT_EQ(rows[1].profile, "3g.40gb");
  EXPECT_EQ(rows[1].throughput, MilliPerSecond{74'408});  // cut
  EXPECT_EQ(rows[1].latency, Micros{13'001});             // rounded up
  EXPECT_EQ(rows[1].memory, Mib{1000});
  EXPECT_EQ(rows[2].card, "h100-sxm5-80gb");
  EXPECT_EQ(rows[2].profile, "");
}

struct Row {
  std::string table;
  int line;
  int column;
  const char* message;
  const char* help;
};

TEST(Measured, Refused) {
  const std::string header = "card,profile,processes,batch,throughput_per_s,latency_ms\n";
  const std::vector<Row> rows = {
      {"", 1, 1, "the table is empty", "column names"},
      {"# nothing\n\n", 1, 1, "the table is empty", ""},
      {header, 1, 1, "no rows below its header", ""},
      {"card,profile,processes,batch,throughput_per_s,latency\na100-80gb,,1,1,5,6\n", 1, 47, "unknown column `latency`",
       "did you mean `latency_ms`?"},
      {"card,profile,processes,batch,throughput_per_s\na100-80gb,,1,1,5\n", 1, 1, "no column `latency_ms`", "add it"},
      {"card,card\nx,y\n", 1, 6, "two columns are named `card`", ""},
      {"card,,x\n", 1, 6, "a column without a name", ""},
      {header + "a100-80gb,,1,1,5\n", 2, 1, "5 cells in a table of 6 columns", "a cell for each column"},
      {header + "a100-80gb,,1,1,5,6,7\n", 2, 1, "7 cells in a table of 6 columns", ""},
      {header + "a100-80gb,,1,1,5,\"6\"\n", 2, 18, "quotes are not supported", "without quotes"},
      {header + "toaster,,1,1,5,6\n", 2, 1, "no card \"toaster\"", "carve cards"},
      {header + ",,1,1,5,6\n", 2, 1, "`card` has no value", ""},
      {header + "a100-80gb,3g.41gb,1,1,5,6\n", 2, 11, "a100-80gb has no profile `3g.41gb`", "3g.40gb"},
      {header + "t4,1g.10gb,1,1,5,6\n", 2, 4, "t4-16gb has no profile", "it has no MIG"},
      {header + "a100-80gb,,0,1,5,6\n", 2, 12, "0 is less than 1", ""},
      {header + "a100-80gb,,1,x,5,6\n", 2, 14, "`x` is not a whole number", ""},
      {header + "a100-80gb,,1,1,-5,6\n", 2, 16, "is negative", ""},
      {header + "a100-80gb,,1,1,0,6\n", 2, 16, "0 is less than 0.001", ""},
      {header + "a100-80gb,,1,1,nan,6\n", 2, 16, "`nan` is not a number", ""},
      {header + "a100-80gb,,1,1,5,1e3\n", 2, 18, "has an exponent", ""},
      {header + "a100-80gb,,1,1,5,6\na100-80gb,card,1,1,7,8\n", 3, 1, "a second row", "remove one"},
      {header + "a100-80gb,,1,1,5,6\x01\n", 2, 19, "byte 0x01 is not text", ""},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.table);
    const auto file = read_with_table(row.table);
    ASSERT_FALSE(file);
    EXPECT_THAT(file.error().message, HasSubstr(row.message));
    EXPECT_THAT(file.error().help, HasSubstr(row.help));
    ASSERT_TRUE(file.error().place);
    EXPECT_THAT(file.error().place->file, HasSubstr("m.csv"));
    EXPECT_EQ(fmt::format("{}:{}", file.error().place->line, file.error().place->column),
              fmt::format("{}:{}", row.line, row.column))
        << file.error().message;
  }
}

TEST(Measured, AllBadRowsAreReported) {
  std::string table = "card,profile,processes,batch,throughput_per_s,latency_ms\n";
  for (int i = 0; i < 30; ++i) table += "a100-80gb,,1,x,5,6\n";
  const auto file = read_with_table(table);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().others.size(), 19u);
}

TEST(Measured, AMissingTableIsAnErrorWhereItIsNamed) {
  const Folder folder;
  const auto file = read_workload_file(folder.write("team.yaml", R"(tenant: t
workloads:
  - name: a
    rate: 100/s
    objective: {p99: 60ms}
    measured: none.csv
)"));
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().message, HasSubstr("none.csv: No such file"));
  EXPECT_THAT(file.error().help, HasSubstr("relative to the folder of the workload file"));
  EXPECT_EQ(file.error().place->line, 6);
  EXPECT_EQ(file.error().place->column, 15);
}

TEST(Measured, Contradictions) {
  struct Contradiction {
    const char* lines;
    const char* objective;
    const char* message;
  };
  const std::vector<Contradiction> rows = {
      {"rate: 5/s", "best-effort", "`rate` contradicts `objective: best-effort`"},
      {"replicas: 3", "throughput", "`measured` with `replicas`"},
      {"rate: 5/s, memory: 4GiB", "throughput", "`memory` contradicts `measured`"},
      {"rate: 5/s, compute: 4%", "throughput", "`compute` contradicts `measured`"},
      {"rate: 5/s, processes: 4", "throughput", "`processes` contradicts `measured`"},
      {"rate: 5/s, duty: 4%", "throughput", "`duty` contradicts `measured`"},
      {"rate: 5/s, interruptible: true", "throughput", "`interruptible` contradicts `measured`"},
      {"rate: 5/s, latency_margin: 45%", "throughput", "`latency_margin` without a latency objective"},
      {"rate: 5/s, cards: 1", "throughput", "`measured` contradicts `cards`"},
  };
  const Folder folder;
  folder.write("m.csv", "card,profile,processes,batch,throughput_per_s,latency_ms\na100-80gb,,1,1,5,6\n");
  for (const Contradiction& row : rows) {
    const auto file = read_workload_file(folder.write(
        "team.yaml", fmt::format("tenant: t\nworkloads:\n  - {{name: a, measured: m.csv, {}, objective: {}}}\n",
                                 row.lines, row.objective)));
    ASSERT_FALSE(file) << row.lines;
    EXPECT_THAT(file.error().message, HasSubstr(row.message));
    EXPECT_TRUE(file.error().others.empty()) << file.error().others.front().message;
  }
}

}  // namespace
}  // namespace carve
