// The page and the drawing as far as no browser is needed: well-formed, every link leads somewhere, nothing that a
// person named becomes markup, unknown is not zero, the same bytes for the same plan, and small.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "show/page/markup.h"
#include "show/sample_plan.h"
#include "show/show.h"

namespace carve {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string between(const std::string& text, std::string_view open, char close, std::size_t& at) {
  at = text.find(open, at);
  if (at == std::string::npos) return "";
  at += open.size();
  return text.substr(at, text.find(close, at) - at);
}

std::vector<std::string> all_between(const std::string& text, std::string_view open, char close) {
  std::vector<std::string> found;
  for (std::size_t at = 0;;) {
    std::string one = between(text, open, close, at);
    if (at == std::string::npos) return found;
    found.push_back(std::move(one));
  }
}

// What is wrong with the nesting of tags; empty if nothing is. Comments, CDATA and `<` in text are wrong here.
std::string nesting_fault(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const std::size_t end = text.find('>', at);
    if (end == std::string::npos) return "a tag that does not end";
    std::string tag = text.substr(at + 1, end - at - 1);
    if (tag == "!DOCTYPE html" || tag.ends_with('/')) continue;
    const std::string name = tag.substr(0, tag.find_first_of(" \n"));
    if (!name.starts_with('/')) {
      if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0) return "not a tag: <" + tag;
      open.push_back(name);
    } else if (open.empty() || "/" + open.back() != name) {
      return "closes what is not open: " + name + " in " + (open.empty() ? "nothing" : open.back());
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : "left open: " + open.back();
}

// Every text of a plan replaced by one that would break a page.
Plan hostile(const std::string& threat) {
  Plan plan = sample::team();
  plan.fleet.front().asked = threat;
  for (Workload& workload : plan.workloads) workload.tenant = threat;
  for (CardClass& card : plan.cards) {
    for (Position& position : card.positions) position.node = threat;
    for (Partition& partition : card.partitions)
      for (Share& share : partition.shares) share.tenant = share.workload = threat;
  }
  plan.workloads.front().name = threat;
  Decision decision{threat, "h100-sxm5-80gb", Choice::mig, {threat}, {{Choice::mps, {}, threat, threat}}};
  plan.decisions = {{decision, {threat}}};
  plan.unplaced = {{threat, 0, 2, std::nullopt, threat, threat}};
  plan.findings = {{threat, Severity::error, threat, threat, threat},
                   {threat, Severity::info, threat, threat, threat},
                   {threat, Severity::info, threat + "2", threat, threat}};
  plan.proof.prices = {{threat, 1'500'000}};
  return plan;
}

// As many cards as asked for, each with other contents than every other, of a hundred workloads.
Plan of_many_looks(int cards) {
  Plan plan;
  plan.fleet = {{"h100-80gb", "h100-sxm5-80gb", {}, cards, 1000, 1}};
  for (int i = 0; i < 100; ++i)
    plan.workloads.push_back(
        sample::workload(fmt::format("workload-{:02}", i), fmt::format("team-{}", i % 12), 40, Mib{9000}));
  const auto one = [&](int number, int start) {
    const Workload& workload = plan.workloads[static_cast<std::size_t>(number % 100)];
    return sample::mig("2g.20gb", {start, 2}, Mib{20096}, Mechanism::mps,
                       {sample::share(workload.name, workload.tenant, 0, 1 + number / 100 % 2, Mib{9000})});
  };
  for (int i = 0; i < cards; ++i)
    plan.cards.push_back({"h100-sxm5-80gb",
                          true,
                          {{fmt::format("node-{}", i / 8), i % 8}},
                          {one(i, 0), one(i / 100 + i, 2), one(i * 7 + 3, 4)}});
  plan.summary.cards_used = cards;
  return plan;
}

TEST(Markup, EscapesWhatIsFilledIn) {
  Markup inner;
  inner.put("<b>{}</b>", "<&>\"'");
  EXPECT_EQ(Markup().put("<p title=\"{}\">{}{}</p>", "a\"b", inner, 7).text(),
            "<p title=\"a&quot;b\"><b>&lt;&amp;&gt;&quot;&#39;</b>7</p>");
}

TEST(Markup, MakesVisibleWhatADocumentCannotHold) {
  EXPECT_EQ(escaped("a\x01\xff\xef\xbf\xbf\xe2\x80\xae"
                    "b\tc"),
            "a????b c");
  EXPECT_EQ(escaped("日本 é"), "日本 é");
  EXPECT_EQ(escaped("{}"), "{}");
}

TEST(Page, IsWellFormedAndEveryLinkLeadsSomewhere) {
  Plan found = sample::team();
  found.findings = {{"memory.stranded", Severity::warning, "node-0/0/1g.10gb@6", "much", "less"},
                    {"card.whole", Severity::info, "node-1/1", "whole", ""},
                    {"unknown.compute", Severity::info, "reranker", "assumed", "say it"}};
  for (const Plan& plan : {sample::team(), found, Plan{}, of_many_looks(3), of_many_looks(500), hostile("<&\"'>]]>")}) {
    const std::string page = page_of(plan, {}, "team.yaml");
    EXPECT_EQ(nesting_fault(page), "");
    const std::vector<std::string> list = all_between(page, " id=\"", '"');
    const std::set<std::string> ids(list.begin(), list.end());
    EXPECT_EQ(ids.size(), list.size()) << "an id twice";
    for (const std::string& target : all_between(page, "popovertarget=\"", '"'))
      EXPECT_TRUE(ids.contains(target)) << target;
    for (const std::string& target : all_between(page, "href=\"#", '"'))
      EXPECT_TRUE(ids.contains(target) || plan.cards.empty()) << target;
  }
  const std::string page = page_of(found, {}, "team.yaml");
  EXPECT_THAT(page, HasSubstr("<a href=\"#c0-2\">node-0/0/1g.10gb@6</a>"));
  EXPECT_THAT(page, HasSubstr("<a href=\"#c1\">node-1/1</a>"));
  EXPECT_THAT(page, HasSubstr("<a href=\"#w1\">reranker</a>"));
}

TEST(Page, NothingThatAPersonNamedBecomesMarkup) {
  for (const std::string threat :
       {"<script>alert(1)</script>", "\" onload=\"alert(1)", "</style><img src=x>", "\x1b[31m&lt;", "{}"}) {
    const Plan plan = hostile(threat);
    for (const std::string& made : {page_of(plan, {{threat, threat}}, threat), drawing_of(plan, {{threat, threat}})}) {
      EXPECT_EQ(nesting_fault(made), "");
      EXPECT_THAT(made, Not(HasSubstr("<script>alert")));
      EXPECT_THAT(made, Not(HasSubstr("\" onload")));
      EXPECT_THAT(made, Not(HasSubstr("<img")));
      EXPECT_THAT(made, Not(HasSubstr("\x1b")));
    }
    EXPECT_EQ(all_between(page_of(plan, {}, threat), "<script", '>').size(), 1u);
  }
}

TEST(Page, LoadsNothing) {
  const std::string page = page_of(sample::team(), {}, "team.yaml");
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  for (const char* outside : {"http:", "https:", " src=", "@import", "url("})
    EXPECT_THAT(page, Not(HasSubstr(outside)));
}

TEST(Page, UnknownMemoryIsMarkedAndNeverDrawn) {
  Plan plan = sample::team();
  Workload measured = sample::workload("measured", "vision", 0, Mib{0});
  measured.memory.reset();
  measured.measured = {{"t4", "", 2, 16, MilliPerSecond{385'714}, Micros{40'000}, std::nullopt}};
  plan.workloads = {measured};
  Share share = sample::share("measured", "vision", 0, 1, Mib{15360});
  share.processes = 2;
  share.batch = 16;
  share.throughput = MilliPerSecond{385'714};
  plan.cards = {{"t4", false, {{"node-0", 0}}, {sample::whole(Mib{15360}, Mechanism::exclusive, {share})}}};
  const std::string page = page_of(plan, {}, "x");
  EXPECT_THAT(page, HasSubstr("? / 15.0 GiB"));
  EXPECT_THAT(page, HasSubstr("it is not known how much is in use"));
  EXPECT_THAT(page, Not(HasSubstr("<symbol")));
  EXPECT_THAT(drawing_of(plan, {}), Not(HasSubstr("class=\"used\"")));
}

TEST(Page, DrawsTheReplicasToScale) {
  EXPECT_THAT(page_of(sample::team(), {}, "x"),  // 4 × 9216 of 40448 MiB: 227 ‰ each, less the gap between them
              HasSubstr("<path d=\"M0 0h222v1h-222zM227 0h223v1h-223zM455 0h223v1h-223zM683 0h223v1h-223z\"/>"));
}

TEST(Page, SaysThatABrokenPlanCannotBeUsed) {
  const std::vector<Violation> broken{{"node-0/0", "memory is given out twice"}};
  for (const std::string& made : {page_of(sample::team(), broken, "x"), drawing_of(sample::team(), broken)})
    EXPECT_THAT(made, HasSubstr("annot be used: 1 broken rule"));
  EXPECT_THAT(page_of(sample::team(), {}, "x"), Not(HasSubstr("annot be used")));
}

TEST(Page, SamePlanSameBytes) {
  EXPECT_EQ(page_of(of_many_looks(50), {}, "x"), page_of(of_many_looks(50), {}, "x"));
  EXPECT_EQ(drawing_of(of_many_looks(50), {}), drawing_of(of_many_looks(50), {}));
}

TEST(Page, AThousandCardsOfWhichNoTwoAreAlikeFitIntoAMegabyte) {
  const std::string page = page_of(of_many_looks(1000), {}, "x");
  EXPECT_EQ(all_between(page, "<article", '>').size(), 1000u);
  EXPECT_LT(page.size(), 1'000'000u);
}

TEST(Drawing, IsWellFormedAndStandsAlone) {
  for (const Plan& plan : {sample::team(), Plan{}, of_many_looks(20)}) {
    const std::string drawing = drawing_of(plan, {});
    EXPECT_EQ(nesting_fault(drawing), "");
    EXPECT_TRUE(drawing.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    EXPECT_THAT(drawing, HasSubstr("<title id="));
    EXPECT_THAT(drawing, HasSubstr("<desc id="));
    EXPECT_THAT(drawing, HasSubstr("@media (prefers-color-scheme: dark)"));
    EXPECT_THAT(drawing, Not(HasSubstr("var(")));
  }
}

}  // namespace
}  // namespace carve
