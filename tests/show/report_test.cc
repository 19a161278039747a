// Pages as wholes are looked at, not compared; what must be in them is.
#include <gmock/gmock.h>

#include "show/sample_plan.h"
#include "show/show.h"

namespace carve {
namespace {

using testing::HasSubstr;

const Style wide{true, false, 100};

Plan decided() {
  Plan plan = sample::team();
  Workload& reranker = plan.workloads[1];
  reranker.objective = {ObjectiveKind::p99, Micros{60'000}};
  reranker.compute = ComputeShare{Permille{200}};
  const CardModel& h100 = *find_model("h100-sxm5-80gb")->model;
  for (const Workload& w : plan.workloads) plan.decisions.push_back({decide(w, h100), {"2g.20gb"}});
  return plan;
}

std::string first_line(const Plan& plan) {
  const std::string text = report(plan, "team.yaml", Style{true, false, 400});
  return text.substr(0, text.find('\n'));
}

TEST(Headline, SaysWhatIsKnownOfTheMinimum) {
  Plan plan = decided();
  EXPECT_EQ(first_line(plan),
            "team.yaml: 14 replicas on 4 of 11 cards; with these mechanisms no plan can use fewer than 4");
  plan.summary.lower_bound = 3;
  plan.summary.optimal = true;
  EXPECT_THAT(first_line(plan), HasSubstr("the bound is 3, and a complete search found nothing cheaper"));
  plan.summary.optimal = false;
  EXPECT_THAT(first_line(plan), HasSubstr("the bound is 3: at most 1 card more than needed"));
  plan.fleet[1].cost = 200;
  plan.summary.cost = 1600;
  plan.summary.cost_lower_bound = 1600;
  EXPECT_THAT(first_line(plan), HasSubstr("cost 1600; with these mechanisms no plan can cost less than 1600"));
}

TEST(Headline, ClaimsNothingForWhatIsNotPlaced) {
  Plan plan = decided();
  plan.unplaced = {{"reranker", 3, 2, {}, "needs 90 GiB; the largest card has 80 GiB", "an h200-141gb"}};
  EXPECT_THAT(first_line(plan), HasSubstr("; with these mechanisms what is placed cannot use fewer than 4"));
  plan.cards.clear();
  plan.summary.cards_used = plan.summary.lower_bound = plan.summary.cost = plan.summary.cost_lower_bound = 0;
  EXPECT_THAT(first_line(plan), HasSubstr("; nothing of it fits this fleet"));
  EXPECT_THAT(report(plan, "team.yaml", wide), HasSubstr("proof: nothing is placed, so there is nothing to prove"));
}

TEST(Report, OnePriceShowsTheBound) {
  Plan plan = decided();
  plan.proof.prices = {{"reranker", 12}};
  EXPECT_THAT(report(plan, "team.yaml", Style{true, false, 400}),
              HasSubstr("proof: 1 price in the plan shows that all replicas cost at least"));
}

TEST(Report, SaysWhichBoardAShortNameMeans) {
  EXPECT_THAT(report(decided(), "team.yaml", wide),
              HasSubstr("h100-80gb is taken as h100-sxm5-80gb; it would also fit h100-pcie-80gb\n"));
}

TEST(Report, NamesWhatEachWorkloadGot) {
  const std::string text = report(decided(), "team.yaml", wide);
  EXPECT_THAT(text, HasSubstr("4 by mps in 1 × 3g.40gb on h100-sxm5-80gb"));
  EXPECT_THAT(text, HasSubstr("6 by mps in 3 × whole card on t4"));
  EXPECT_THAT(text, HasSubstr("reranker     1 × 2g.20gb on h100-sxm5-80gb"));
}

TEST(Report, UnplacedComesWithReasonAndNearest) {
  Plan plan = decided();
  plan.unplaced = {{"reranker", 3, 2, {}, "needs 90 GiB; the largest card has 80 GiB", "an h200-141gb"}};
  const std::string text = report(plan, "team.yaml", wide);
  EXPECT_THAT(text, HasSubstr("unplaced reranker/3-4: 2 replicas\n"
                              "  needs 90 GiB; the largest card has 80 GiB\n"
                              "  nearest: an h200-141gb\n"));
}

TEST(Report, FoldsInfosOfOneCode) {
  Plan plan = decided();
  for (int i = 0; i < 9; ++i)
    plan.findings.push_back({"unknown.compute", Severity::info, "w" + std::to_string(i), "assumed", "state it"});
  plan.findings.insert(plan.findings.begin(), {"trust.mixed", Severity::error, "node-0/0", "two tenants", "a wall"});
  const std::string text = report(plan, "team.yaml", wide);
  EXPECT_THAT(text, HasSubstr("error[trust.mixed] node-0/0\n  two tenants\n  help: a wall\n"));
  EXPECT_THAT(text, HasSubstr("info[unknown.compute] 9 findings"));
  EXPECT_THAT(text, HasSubstr("+3 more"));
}

TEST(Report, FourQuestionsAreMarkedInWordsToo) {
  const std::string text = report(decided(), "team.yaml", Style{false, false, 100});
  std::size_t marks = 0;
  for (const char* mark : {"\n[yes] ", "\n[no]  "})
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; ++at) ++marks;
  EXPECT_EQ(marks, 4u);
}

TEST(FindingsReport, BrokenRulesComeFirstAndClaimsAreCompared) {
  const Plan plan = decided();
  Verification verification;
  verification.cost = 4000;
  verification.cost_lower_bound = 3000;
  verification.lower_bound = 4;
  verification.violations = {{"node-0/0/2g.20gb@4", "memory slice 4 is used twice"}};
  const std::string text = findings_report(plan, verification, wide);
  EXPECT_THAT(text, testing::StartsWith("the plan cannot be used: 1 broken rule\n\nbroken rule node-0/0/2g.20gb@4\n"));
  EXPECT_THAT(text, HasSubstr("least cost           4000        3000  differs\n"));
  EXPECT_THAT(text, HasSubstr("fewest cards            4           4  agrees\n"));
}

TEST(WhyPage, NamesTheNearMissTheTakenAndWhatIsStranded) {
  const Plan plan = decided();
  const std::string text = why_page(plan, plan.workloads[1], wide);
  EXPECT_THAT(text, HasSubstr("reranker: 2 replicas, tenant search; 18.0 GiB each, compute 20 %, p99 60 ms\n"));
  EXPECT_THAT(text, HasSubstr("on h100-sxm5-80gb: MIG, exclusive, in 2g.20gb\n"));
  EXPECT_THAT(text, HasSubstr("1g.20gb     19.6   26  no    26 of 132 SMs are 19.7 %, needs 20 %"));
  EXPECT_THAT(text, HasSubstr("→  2g.20gb     19.6   32  yes   one alone strands 1.6 GiB\n"));
  EXPECT_THAT(text, HasSubstr("3g.40gb     39.5   60  yes   one alone strands 21.5 GiB\n"));
  EXPECT_THAT(text, HasSubstr("would allow it: `isolation: cooperative`\n"));
}

TEST(MechanismTables, ShowEveryRowOfTheData) {
  const std::string text = mechanism_tables(Style{true, false, 120});
  for (const GuaranteeRow& row : guarantee_table()) EXPECT_THAT(text, HasSubstr(std::string(row.meaning)));
  for (const NeedRow& row : need_table()) EXPECT_THAT(text, HasSubstr(std::string(row.who)));
  for (const MechanismLimit& row : limit_table()) EXPECT_THAT(text, HasSubstr(std::string(row.limit)));
  EXPECT_THAT(text, HasSubstr("bandwidth   no            no       yes             yes\n"));
}

}  // namespace
}  // namespace carve
