// Findings and the four questions: what a person should know of a plan that is valid.
#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "check/check.h"
#include "plan/sample_plan.h"

namespace carve {

namespace {

const Finding* first_of(const std::vector<Finding>& found, std::string_view code) {
  const auto at = std::find_if(found.begin(), found.end(), [&](const Finding& f) { return f.code == code; });
  return at == found.end() ? nullptr : &*at;
}

Workload& workload(Plan& plan, std::string_view name) {
  return *std::find_if(plan.workloads.begin(), plan.workloads.end(), [&](const Workload& w) { return w.name == name; });
}

struct Expected {
  std::string_view code;
  void (*change)(Plan&);  // of the sample
  std::string_view subject;
  std::string_view says;
};

void nothing(Plan&) {}

// The first card of the plan is one of a live machine.
void live(Plan& plan, std::optional<std::vector<std::string>> held_by) {
  plan.fleet[0].node = plan.cards[0].positions[0].node;
  plan.fleet[0].live = {{plan.cards[0].positions[0].index, "GPU-1", std::move(held_by)}};
}

const std::vector<Expected> expected{
    {"trust.mixed",
     [](Plan& p) {
       p.cards[0].partitions[2].shares.push_back(sample::share("notebooks", "research", 1, sample::gib(5)));
     },
     "node-0/0/3g.40gb@4", "tenants research and search"},
    {"trust.weakened", [](Plan& p) { workload(p, "reranker").isolation = Isolation::cooperative; }, "reranker",
     "compute no other can take, cache and bandwidth of its own"},
    {"trust.fungible",
     [](Plan& p) {
       p.cards[0].partitions[2].shares[0].tenant = std::string(60, 'a');
       p.cards[1].partitions[2].shares[0].tenant = std::string(60, 'b');
     },
     "node-0/0/3g.40gb@4", "nvidia.com/mig-3g.40gb.shared"},
    {"scheduler.bad-name", [](Plan& p) { p.cards[0].partitions[2].shares[0].tenant = std::string(45, 'a'); },
     "node-0/0/3g.40gb@4", "of at most 63"},
    {"memory.no-margin", [](Plan& p) { p.cards[0].partitions[0].shares[0].memory = Mib{20000}; }, "node-0/0/2g.20gb@0",
     "19.5 GiB of 19.6 GiB"},
    {"memory.stranded", nothing, "node-0/0/3g.40gb@4", "21.5 GiB by nobody"},
    {"memory.measured-unknown", nothing, "served", "2 of 3 rows"},
    {"memory.unlimited", nothing, "node-0/1/3g.40gb@4", "nothing limits the memory of each"},
    {"objective.unprotected",
     [](Plan& p) {
       workload(p, "trainer").objective = {ObjectiveKind::p99, Micros{60'000}};
     },
     "node-0/0/3g.40gb@4", "p99 60 ms of trainer stands beside 1 neighbour under mps"},
    {"stall.refused", [](Plan& p) { workload(p, "notebooks").interruptible = false; }, "node-0/1/3g.40gb@4",
     "notebooks did not accept stalls"},
    {"stall.accepted", nothing, "node-0/1/3g.40gb@4",
     "3 replicas of notebooks take turns; their duties sum to 60 % of"},
    {"stall.duty-unknown", [](Plan& p) { workload(p, "notebooks").duty.reset(); }, "notebooks",
     "counts as always busy"},
    {"scheduler.mps-on-mig", nothing, "node-0/0/3g.40gb@4", "refuses MPS on MIG"},
    {"scheduler.partly-shared",
     [](Plan& p) {
       p.cards[2].positions[0].node = "node-2", p.cards[5].partitions[0].mechanism = Mechanism::mps;
       p.cards[5].partitions.push_back(sample::instance("3g.40gb", {0, 4}, Mib{40192}, {}));
     },
     "node-2", "nvidia.com/mig-3g.40gb"},
    {"scheduler.same-name",
     [](Plan& p) {
       p.cards[5].positions[0] = {"node-0", 3};
     },
     "node-0", "nvidia.com/mig-3g.40gb is a partition of a100-80gb or of h100-sxm5-80gb"},
    {"scheduler.mixed-strategy", nothing, "node-0", "migStrategy"},
    {"card.saturated", [](Plan& p) { workload(p, "noise").memory = Mib{75000}; }, "noise", "needs 91 % of one h100"},
    {"card.whole",
     [](Plan& p) {
       workload(p, "noise").isolation = Isolation::derived;
       workload(p, "noise").memory = sample::gib(45);
     },
     "noise", "has a whole h100-sxm5-80gb"},
    {"card.occupied", [](Plan& p) { live(p, {{"process 4711 of ann"}}); }, "node-0/0", "process 4711 of ann"},
    {"unknown.occupants", [](Plan& p) { live(p, {}); }, "node-0/0", "does not tell who holds"},
    {"card.left-out",
     [](Plan& p) {
       p.left_out = {{{"node-0", 7}, "is lost"}};
     },
     "node-0/7", "is lost"},
    {"card.assumed", nothing, "h100-sxm5-80gb", "`h100-80gb` was taken as h100-sxm5-80gb"},
    {"unknown.placements",
     [](Plan& p) {
       p.fleet.push_back({"r", "rtx-pro-5000-48gb", {}, 1, 1000, 1});
     },
     "rtx-pro-5000-48gb", "can be cut"},
    {"unknown.sms",
     [](Plan& p) {
       p.fleet.push_back({"b", "b200-180gb", {}, 1, 1000, 1});
       workload(p, "noise").compute = ComputeShare{Permille{100}};
     },
     "b200-180gb", "the SMs of 3 of its 6 profiles"},
    {"unknown.memory",
     [](Plan& p) {
       p.cards[5].partitions.push_back(sample::instance("1g.20gb", {0, 2}, Mib{19456}, {}));
     },
     "a100-80gb", "19.0 GiB, on the safe side"},
    {"unknown.placements-inferred",
     [](Plan& p) {
       p.fleet.push_back({"h200", "h200-141gb", {}, 1, 1000, 1});
       p.cards.push_back({"h200-141gb", true, {{"node-3", 0}}, {sample::instance("1g.18gb", {0, 1}, Mib{16384}, {})}});
     },
     "h200-141gb", "relatives"},
    {"unknown.compute", nothing, "notebooks", "content with what its memory brings"},
    {"unknown.nodes", nothing, "big", "all 4 a100-80gb are taken to share one"},
    {"unplaced", nothing, "served", "50/s of the rate of served found no place: the rest fills"},
};

class Found : public testing::TestWithParam<Expected> {};

TEST_P(Found, WithItsSubjectAndFigures) {
  Plan plan = sample::plan();
  GetParam().change(plan);
  const std::vector<Finding> found = findings(plan);
  const Finding* finding = first_of(found, GetParam().code);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->subject, GetParam().subject);
  EXPECT_THAT(fmt::format("{} {}", finding->message, finding->remedy),
              testing::HasSubstr(std::string(GetParam().says)));
}

INSTANTIATE_TEST_SUITE_P(Findings, Found, testing::ValuesIn(expected), [](const auto& row) {
  std::string name(row.param.code);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '.' || c == '-'; }, '_');
  return name;
});

TEST(Findings, EveryCodeIsTestedAndEveryFindingHasACode) {
  std::set<std::string_view> known;
  std::set<std::string_view> tested;
  for (const FindingCode& code : finding_codes()) EXPECT_TRUE(known.insert(code.code).second) << code.code;
  for (const Expected& row : expected) tested.insert(row.code);
  EXPECT_EQ(known, tested);
  for (const Finding& finding : findings(sample::plan())) {
    EXPECT_TRUE(known.contains(finding.code)) << finding.code;
    EXPECT_FALSE(finding.message.empty());
  }
}

TEST(Findings, OfAlikeCardsAreOne) {
  Plan plan = sample::plan();
  plan.fleet[0] = {"h100-80gb", "h100-sxm5-80gb", {}, 1000, 1000, 125};
  plan.cards = {sample::mixed_cards()};
  plan.cards[0].positions.clear();
  for (std::int64_t i = 0; i < 1000; ++i) plan.cards[0].positions.push_back(position_in_fleet(plan.fleet, 0, i));
  const std::vector<Finding> found = findings(plan);
  EXPECT_LT(found.size(), 20U);
  EXPECT_THAT(first_of(found, "stall.accepted")->message, testing::EndsWith("(1000 alike)"));
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.severity, a.code, a.subject) < std::tie(b.severity, b.code, b.subject);
  }));
}

TEST(Findings, StrandedMemoryNamesTheNearMiss) {
  Plan plan = sample::plan();
  workload(plan, "reranker").memory = sample::gib(9);
  plan.cards[0].partitions[0].shares[0].memory = plan.cards[0].partitions[1].shares[0].memory = sample::gib(9);
  const std::vector<Finding> found = findings(plan);
  const auto at = std::find_if(found.begin(), found.end(), [](const Finding& f) {
    return f.code == "memory.stranded" && f.subject == "node-0/0/2g.20gb@0";
  });
  ASSERT_NE(at, found.end());
  EXPECT_THAT(at->remedy, testing::HasSubstr("16 of 132 SMs"));
}

// Several profiles have the memory and none the compute: the largest of them misses the least.
TEST(Findings, StrandedMemoryNamesTheNearestMiss) {
  Plan plan = sample::plan();
  workload(plan, "noise").isolation = Isolation::derived;
  workload(plan, "noise").memory = sample::gib(12);
  workload(plan, "noise").compute = ComputeShare{Permille{250}};
  plan.cards = {
      {"h100-sxm5-80gb",
       true,
       {{"node-0", 0}},
       {sample::instance("3g.40gb", {0, 4}, Mib{40448}, {sample::share("noise", "physics", 1, sample::gib(12))})}}};
  const std::vector<Finding> found = findings(plan);
  ASSERT_NE(first_of(found, "memory.stranded"), nullptr);
  EXPECT_THAT(first_of(found, "memory.stranded")->remedy, testing::HasSubstr("2g.20gb: 32 of 132 SMs are 24.2 %"));
}

TEST(Findings, AreDocumented) {
  std::ifstream file(CARVE_SOURCE_DIR "/docs/findings.md");
  std::stringstream text;
  text << file.rdbuf();
  for (const FindingCode& code : finding_codes()) {
    const std::string row = fmt::format("| `{}` | {} | {} |", code.code, to_string(code.severity), code.meaning);
    EXPECT_THAT(text.str(), testing::HasSubstr(row));
  }
  std::size_t rows = 0;
  for (std::string line; std::getline(text, line);)
    if (line.starts_with("| `")) ++rows;
  EXPECT_EQ(rows, finding_codes().size()) << "docs/findings.md has a code that does not exist";
}

TEST(Answers, AreFourWithFigures) {
  const Plan plan = sample::plan();
  const std::vector<Answer> answered = answers(plan, findings(plan));
  ASSERT_EQ(answered.size(), 4U);
  EXPECT_TRUE(answered[0].yes) << answered[0].sentence;
  EXPECT_THAT(answered[0].sentence, testing::StartsWith("yes: 3 tenants and 2 replicas on their own on 13 partitions"));
  EXPECT_FALSE(answered[1].yes) << answered[1].sentence;
  EXPECT_TRUE(answered[2].yes) << answered[2].sentence;
  EXPECT_THAT(answered[2].sentence, testing::HasSubstr("6 replicas take turns on 2 time-sliced partitions"));
  EXPECT_FALSE(answered[3].yes);
  EXPECT_THAT(answered[3].sentence, testing::HasSubstr("scheduler.mps-on-mig"));
}

// A replica on several whole cards has a share on each and is one all the same.
TEST(Answers, CountReplicasAndNotTheirShares) {
  Plan plan = sample::plan();
  for (CardClass& cards : plan.cards)
    for (Partition& partition : cards.partitions)
      for (Share& share : partition.shares) share.tenant_each = share.tenant_each || share.workload == "big";
  ASSERT_GT(workload(plan, "big").cards, 1);
  EXPECT_THAT(answers(plan, {})[0].sentence, testing::HasSubstr("and 3 replicas on their own on 13 partitions"));
}

// A file that weakens its isolation gets what it asked for; only a broken wall is a no.
TEST(Answers, TrustIsMatchedWhereTheFileWeakensIt) {
  const std::vector<Finding> weakened{{"trust.weakened", Severity::warning, "w", "", ""}};
  EXPECT_TRUE(answers(Plan{}, weakened)[0].yes);
  EXPECT_THAT(answers(Plan{}, weakened)[0].sentence, testing::HasSubstr("trust.weakened"));
  const std::vector<Finding> mixed{{"trust.mixed", Severity::error, "w", "", ""}};
  EXPECT_FALSE(answers(Plan{}, mixed)[0].yes);
}

TEST(Answers, SayWhenNothingIsPlaced) { EXPECT_EQ(answers(Plan{}, {})[1].sentence, "yes: nothing is placed"); }

TEST(Answers, SayWhenNothingIsTimeSliced) { EXPECT_EQ(answers(Plan{}, {})[2].sentence, "yes: nothing is time-sliced"); }

}  // namespace

}  // namespace carve
