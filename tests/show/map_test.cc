// Complete maps, compared literally: what a person sees must not change by accident. The expected maps are files in
// tests/show/maps/; CARVE_WRITE_MAPS=1 writes them anew, to be looked at before they are committed.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "show/sample_plan.h"
#include "show/show.h"
#include "show/table.h"

namespace carve {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  }
  return lines;
}

// A card with a gap in its middle, seven workloads in one partition, a measured one, and one tenant each.
Plan crowd() {
  Plan plan;
  plan.fleet = {{"a100-80gb", "a100-80gb", {}, 9, 1000, 1}};
  Workload resnet = sample::workload("resnet-serving", "vision", 0, Mib{0});
  resnet.memory.reset();
  resnet.measured = {{"a100-80gb", "1g.10gb", 2, 16, MilliPerSecond{385'714}, Micros{40'000}, std::nullopt}};
  plan.workloads = {resnet};
  std::vector<Share> many;
  for (const char* name : {"a-model", "b-model", "c-model", "d-model", "e-model", "f-model", "g-model"})
    many.push_back(sample::share(name, "vision", 0, 1, Mib{2048}));
  Share measured = sample::share("resnet-serving", "vision", 3, 1, Mib{9728});
  measured.processes = 2;
  measured.batch = 16;
  measured.throughput = MilliPerSecond{385'714};
  Share student = sample::share("course", "", 4, 1, Mib{4096});
  student.tenant_each = true;
  plan.cards = {{"a100-80gb",
                 true,
                 {{"node-0", 8}},
                 {sample::mig("2g.20gb", {0, 2}, Mib{19968}, Mechanism::mps, many),
                  sample::mig("1g.10gb", {4, 1}, Mib{9728}, Mechanism::exclusive, {measured}),
                  sample::mig("1g.10gb", {5, 1}, Mib{9728}, Mechanism::exclusive, {student})}}};
  return plan;
}

// Twelve cards that look alike, in two classes that differ only in their replicas.
Plan alike() {
  Plan plan = sample::team();
  plan.cards.erase(plan.cards.begin());
  CardClass more = plan.cards.front();
  more.positions.clear();
  for (int i = 0; i < 9; ++i) more.positions.push_back({"node-2", i});
  more.partitions.front().shares.front().first = 100;
  plan.cards.push_back(more);
  return plan;
}

struct MapCase {
  std::string name;
  Plan (*plan)();
  Style style;
};

class Map : public testing::TestWithParam<MapCase> {};

TEST_P(Map, IsDrawnAsExpected) {
  const MapCase& c = GetParam();
  const std::string path = std::string(CARVE_SOURCE_DIR) + "/tests/show/maps/" + c.name + ".txt";
  const std::string drawn = map_of(c.plan(), c.style);
  if (std::getenv("CARVE_WRITE_MAPS") != nullptr) {
    ASSERT_TRUE(write_file_atomically(path, drawn));
  }
  const Result<std::string> expected = read_file(path, 1 << 20);
  ASSERT_TRUE(expected) << path;
  EXPECT_EQ(drawn, *expected);
}

INSTANTIATE_TEST_SUITE_P(All, Map,
                         testing::Values(MapCase{"team-40", sample::team, {true, false, 40}},
                                         MapCase{"team-80", sample::team, {true, false, 80}},
                                         MapCase{"team-100", sample::team, {true, false, 100}},
                                         MapCase{"team-120", sample::team, {true, false, 120}},
                                         MapCase{"team-40-ascii", sample::team, {false, false, 40}},
                                         MapCase{"team-80-ascii", sample::team, {false, false, 80}},
                                         MapCase{"crowd-100", crowd, {true, false, 100}},
                                         MapCase{"crowd-60-ascii", crowd, {false, false, 60}},
                                         MapCase{"alike-80", alike, {true, false, 80}}),
                         [](const auto& each) {
                           std::string name = each.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(MapWidth, IsNeverExceeded) {
  for (int width = 40; width <= 130; ++width)
    for (const bool unicode : {true, false})
      for (const Plan& plan : {sample::team(), crowd(), alike()})
        for (const std::string& line : lines_of(map_of(plan, Style{unicode, false, width})))
          ASSERT_LE(display_width(line), width) << line;
}

TEST(MapColour, IsOnlyAnAddition) {
  std::string coloured = map_of(sample::team(), Style{true, true, 100});
  EXPECT_NE(coloured.find('\x1b'), std::string::npos);
  for (std::size_t at; (at = coloured.find('\x1b')) != std::string::npos;)
    coloured.erase(at, coloured.find('m', at) - at + 1);
  EXPECT_EQ(coloured, map_of(sample::team(), Style{true, false, 100}));
}

TEST(MapAscii, IsAscii) {
  for (const unsigned char c : map_of(sample::team(), Style{false, false, 80})) EXPECT_LT(c, 0x80);
}

// Every box is as wide as its slices: the borders of an occupied partition stand at start and end of its slices.
TEST(MapScale, BoxesStandOnTheirSlices) {
  const std::vector<std::string> lines = lines_of(map_of(sample::team(), Style{false, false, 80}));
  const std::string& top = lines[1];
  const int cell = (80 - 2 - 1) / 8;
  for (const int slice : {0, 4, 6, 7, 8}) EXPECT_EQ(top[static_cast<std::size_t>(2 + slice * cell)], '+') << top;
}

TEST(MapStranded, IsNotClaimedWhereNothingWasMeasured) {
  Plan plan = crowd();
  EXPECT_NE(map_of(plan, Style{}).find("at least 11.0 of 80.0 GiB stranded"), std::string::npos);
  plan.cards.front().partitions.erase(plan.cards.front().partitions.begin());
  plan.cards.front().partitions.pop_back();
  EXPECT_NE(map_of(plan, Style{}).find("memory in use not measured"), std::string::npos);
}

TEST(MapClasses, AThousandCardsAreDrawnOnce) {
  Plan plan = sample::team();
  plan.cards.front().positions.clear();
  for (int i = 0; i < 100'000; ++i) plan.cards.front().positions.push_back({"node-" + std::to_string(i / 8), i % 8});
  const auto start = std::chrono::steady_clock::now();
  const std::string drawn = map_of(plan, Style{true, false, 100});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
  EXPECT_LT(lines_of(drawn).size(), 20u);
  EXPECT_NE(drawn.find("×100000  node-0/0 … node-12499/7"), std::string::npos) << drawn;
}

}  // namespace
}  // namespace carve
