// The workload file that is written: the reader takes it, whatever processes and users are called.
#include <gmock/gmock.h>

#include "observe/observe.h"
#include "workload/workload.h"

namespace carve::sample {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

SeenWorkload workload(const std::string& name) {
  SeenWorkload seen;
  seen.name = name;
  seen.tenant = "ana";
  seen.held_by = "process group";
  seen.user = "ana";
  seen.command = "python3 train.py";
  seen.samples = 10;
  seen.replicas = 2;
  seen.processes = 1;
  seen.memory = Mib{900};
  seen.sm = SmUse{Permille{100}, Permille{305}, Permille{500}, 10};
  return seen;
}

std::string draft(std::vector<SeenWorkload> workloads) {
  return workload_draft({10, std::move(workloads), {}, 0}, {std::chrono::seconds(10), std::chrono::seconds(1), ""});
}

WorkloadFile read(const std::string& text) {
  const Result<WorkloadFile> file = parse_workload_file(text, "draft.yaml");
  if (!file) ADD_FAILURE() << file.error().message << "\n" << text;
  return file ? *file : WorkloadFile{};
}

TEST(Draft, EveryFigureIsReadBack) {
  const WorkloadFile file = read(draft({workload("train.py")}));
  ASSERT_THAT(file.workloads, SizeIs(1));
  const Workload& read = file.workloads.front();
  EXPECT_EQ(read.name, "train.py");
  EXPECT_EQ(read.tenant, "ana");
  EXPECT_EQ(read.replicas, 2);
  EXPECT_EQ(read.memory, Mib{900});
  EXPECT_EQ(std::get<ComputeShare>(read.compute).of_card, Permille{305});
  EXPECT_EQ(read.duty, Permille{500});
  EXPECT_EQ(read.objective.kind, ObjectiveKind::best_effort);
  EXPECT_EQ(read.processes, 1);
}

TEST(Draft, WhatWasNotToldIsAComment) {
  SeenWorkload seen = workload("a");
  seen.sm.reset();
  seen.memory_told = MemoryTold::of_partition;
  seen.untold = {{"SM use", {Absence::unsupported, "this driver has none"}},
                 {"memory", {Absence::denied, "not for you"}}};
  const std::string text = draft({seen});
  EXPECT_THAT(text, AllOf(HasSubstr("# compute and duty were not told: this driver has none"),
                          HasSubstr("# not told of its processes (not for you)"), Not(HasSubstr("compute: 3"))));
  EXPECT_FALSE(read(text).workloads.at(0).duty);
}

TEST(Draft, WhatWasNotSeenToCompute) {
  SeenWorkload seen = workload("a");
  seen.sm = SmUse{Permille{0}, Permille{0}, Permille{0}, 10};
  const Workload read_back = read(draft({seen})).workloads.at(0);
  EXPECT_FALSE(read_back.duty);
  EXPECT_TRUE(std::holds_alternative<NoComputeNeed>(read_back.compute));
}

TEST(Draft, SeveralProcessesAndSeveralCards) {
  SeenWorkload many = workload("many");
  many.processes = 100;
  SeenWorkload wide = workload("wide");
  wide.cards = 2;
  wide.processes = 4;
  const WorkloadFile file = read(draft({many, wide}));
  EXPECT_EQ(file.workloads.at(0).processes, 64);
  EXPECT_EQ(file.workloads.at(1).cards, 2);
}

TEST(Draft, NoMemoryAndNoMebibyte) {
  SeenWorkload none = workload("none");
  none.memory.reset();
  none.untold = {{"memory", {Absence::denied, "not for you"}}};
  SeenWorkload empty = workload("empty");
  empty.memory = Mib{0};
  const std::string text = draft({none, empty});
  EXPECT_THAT(text, HasSubstr("# Left out, because its memory was not told (not for you): ana: python3 train.py"));
  const WorkloadFile file = read(text);
  ASSERT_THAT(file.workloads, SizeIs(1));
  EXPECT_EQ(file.workloads.front().memory, Mib{1});
}

// What a process is called is in comments, and nothing in it ends one.
TEST(Draft, NothingThatSomebodyIsCalledBreaksIt) {
  const std::string hostile[] = {"\"quoted\" 'twice' \\ #",
                                 "a\nworkloads: []\n- name: evil",
                                 "\xff\xfe\x80",
                                 "tab\tand\rreturn\x1b[2J\x7f",
                                 "\xc2\x85next\xe2\x80\xa8line\xe2\x80\xa9",
                                 "",
                                 std::string(4096, 'x'),
                                 std::string(4096, '\n'),
                                 std::string("zero\0byte", 9),
                                 "\xef\xbb\xbf{}: [",
                                 std::string(299, 'x') + "\xe2\x82\xac\xe2\x82\xac"};
  for (const std::string& words : hostile) {
    SeenWorkload seen = workload("w");
    seen.command = words;
    seen.user = words.empty() ? "ana" : words;
    seen.untold = {{"SM use", {Absence::failed, words}}};
    const std::string text = draft({seen, workload("other")});
    ASSERT_THAT(read(text).workloads, SizeIs(2)) << text;
    EXPECT_EQ(read(text).workloads.at(1).name, "w");
    for (const char byte : text) ASSERT_TRUE(byte == '\n' || static_cast<unsigned char>(byte) >= 0x20);
  }
}

TEST(Draft, NamesThatLookLikeSomethingElse) {
  std::vector<SeenWorkload> seen;
  for (const char* name : {"1", "1.5", "true", "null", "No", "0x1f", "1e3", "each", "a"}) {
    seen.push_back(workload(name));
    seen.back().tenant = name;
  }
  const WorkloadFile file = read(draft(seen));
  EXPECT_THAT(file.workloads, SizeIs(seen.size()));
}

TEST(Draft, SaysHowItEnded) {
  Observed observed{3, {workload("a")}, {"card 1 did not answer"}, 2};
  const std::string text = workload_draft(observed, {std::chrono::seconds(3), std::chrono::seconds(1), "interrupted"});
  EXPECT_THAT(text, AllOf(HasSubstr("3 samples within 3 s, one every 1 s"), HasSubstr("# Ended early: interrupted"),
                          HasSubstr("# Note: card 1 did not answer")));
  read(text);
}

}  // namespace
}  // namespace carve::sample
