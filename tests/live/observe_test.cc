// `carve observe` as a person runs it, on simulated cards.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/program.h"
#include "live/running.h"

namespace carve::sample {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

Ran observe(const std::vector<std::string>& environment, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"observe", "--for", "200ms", "--every", "100ms"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  std::vector<std::string> whole{"LC_ALL=C.UTF-8"};
  whole.insert(whole.end(), environment.begin(), environment.end());
  return run_carve(Invocation{std::move(arguments), std::move(whole)});
}

boost::json::value json_of(const Ran& ran) {
  EXPECT_EQ(ran.code, 0) << ran.err;
  boost::system::error_code failed;
  boost::json::value value = boost::json::parse(ran.out, failed);
  EXPECT_FALSE(failed) << ran.out.substr(0, 300);
  return value;
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// What `carve plan` makes of it.
Ran plan(const Folder& folder, const std::string& draft) {
  return run_carve({"plan", folder.write("observed.yaml", draft), "--fleet", "4xh100-80gb"});
}

TEST(Observe, WritesAWorkloadFileThatCanBePlanned) {
  const sim::MachineFolder machine("2xh100-80gb");
  const Running first("/opt/reranker"), second("/opt/reranker"), other("/opt/trainer");
  first.hold(machine, {0}, 18000, 30);
  second.hold(machine, {1}, 17000, 10);
  other.hold(machine, {1}, 9000);
  const Ran ran = observe({in(machine)});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, IsEmpty());
  EXPECT_THAT(ran.out, AllOf(HasSubstr("- name: reranker\n"), HasSubstr("    replicas: 2\n"),
                             HasSubstr("    memory: 18000MiB\n"), HasSubstr("    compute: 30%\n"),
                             HasSubstr("    duty: 100%\n"), HasSubstr("- name: trainer\n"), HasSubstr("It was not")));
  const Folder folder;
  const Ran planned = plan(folder, ran.out);
  EXPECT_EQ(planned.code, 0) << planned.err << ran.out;
}

TEST(Observe, NothingRan) {
  const sim::MachineFolder machine("h100-80gb");
  const Ran ran = observe({in(machine)});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, IsEmpty());
  EXPECT_THAT(ran.err, HasSubstr("nothing ran on the cards"));
}

TEST(Observe, EachProcessAsJson) {
  const sim::CutMachine machine("h100-80gb");
  const sim::GpuInstanceHandle made = machine.nvml.create(machine.nvml.device(0), 9);
  ASSERT_NE(machine.nvml.create_compute(made, 2), nullptr);
  const Running work("work");
  work.hold(machine.folder, {0, 2, 0}, 4000, 50);
  const boost::json::value seen = json_of(observe({in(machine.folder)}, {"--json"}));
  EXPECT_EQ(seen.at("format").as_string(), "carve-observe/1");
  EXPECT_GE(seen.at("samples").as_int64(), 1);
  const boost::json::value& workload = seen.at("workloads").at(0);
  EXPECT_EQ(workload.at("memory_mib").as_int64(), 4000);
  EXPECT_EQ(workload.at("sm").at("peak_permille").as_int64(), 228) << "half of 60 of 132 SMs";
  EXPECT_EQ(workload.at("members").at(0).at("pid").as_int64(), work.pid());
  EXPECT_TRUE(workload.at("members").at(0).at("sm").is_null()) << "only the instance is told";
  EXPECT_TRUE(workload.at("members").at(0).at("started_ticks").is_number());
}

TEST(Observe, WhatTheDriverCannotTellIsSaid) {
  const sim::CutMachine machine("a100-40gb");
  const sim::GpuInstanceHandle made = machine.nvml.create(machine.nvml.device(0), 19);
  ASSERT_NE(machine.nvml.create_compute(made, 0), nullptr);
  const Running work("work");
  work.hold(machine.folder, {0, sim::GpuInstanceInfo(machine.nvml.info(made)).id, 0}, 400, 50);
  const Ran ran = observe({in(machine.folder)});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("# compute and duty were not told: nvmlGpmMigSampleGet: Not Supported (3)"),
                             Not(HasSubstr("    compute:")), Not(HasSubstr("    duty:"))));
}

// Nothing that a process is called breaks the file.
TEST(Observe, HostileNames) {
  const std::string names[] = {"\"x\": 'y' \\ # {",
                               "a\nworkloads:\n  - name: evil",
                               "\xff\xfe\x80 bytes",
                               "\xc2\x85\xe2\x80\xa8\x1b[2J",
                               std::string(4096, 'n'),
                               " ",
                               "- ",
                               "true"};
  const sim::MachineFolder machine("h100-80gb");
  std::vector<std::unique_ptr<Running>> all;
  for (const std::string& name : names) {
    all.push_back(std::make_unique<Running>(name));
    all.back()->hold(machine, {0}, 100, 5);
  }
  const Ran ran = observe({in(machine)});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const Folder folder;
  const Ran planned = run_carve({"plan", folder.write("observed.yaml", ran.out), "--fleet", "4xh100-80gb", "--json"});
  EXPECT_EQ(json_of(planned).at("workloads").as_array().size(), std::size(names)) << ran.out;
  json_of(observe({in(machine)}, {"--json"}));
  json_of(run_carve(Invocation{{"status", "--json"}, {in(machine)}}));
}

TEST(Observe, WritesAFileWholeOrNotAtAll) {
  const sim::MachineFolder machine("h100-80gb");
  const Running work("work");
  work.hold(machine, {0}, 100);
  const Folder folder;
  const std::string path = folder.path("observed.yaml");
  const Ran ran = observe({in(machine)}, {"-o", path});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("1 workload in "));
  EXPECT_THAT(contents(path), HasSubstr("- name: work\n"));
  const sim::MachineFolder idle("h100-80gb");
  EXPECT_EQ(observe({in(idle)}, {"-o", folder.path("none.yaml")}).code, 1);
  EXPECT_FALSE(std::filesystem::exists(folder.path("none.yaml")));
}

TEST(Observe, RefusesBeforeItLooks) {
  const sim::MachineFolder machine("h100-80gb");
  const Folder folder;
  const std::vector<std::vector<std::string>> wrong{
      {"--for", "10"},        {"--for", "soon"}, {"--for", "0s"}, {"--for", "1000h"},
      {"--every", "1ms"},     {"--every", "2h"}, {"-o", "-"},     {"-o", folder.path("no/such.yaml")},
      {"-o", folder.path("")}};
  for (const std::vector<std::string>& more : wrong) {
    std::vector<std::string> arguments{"observe"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ran ran = run_carve(Invocation{arguments, {in(machine)}});
    EXPECT_EQ(ran.code, 2) << more[0] << " " << more[1];
    EXPECT_THAT(ran.out, IsEmpty());
    EXPECT_THAT(ran.err, StartsWith("error: ")) << more[0] << " " << more[1];
  }
}

TEST(Observe, ADriverThatFailsLater) {
  const sim::MachineFolder machine("h100-80gb");
  const Running work("work");
  work.hold(machine, {0}, 100);
  sim::FaultOrder order;
  order.function = "nvmlDeviceGetCount_v2";
  order.skip = 1;
  order.times = 1000;
  ASSERT_TRUE(machine.control().arm(order));
  const Ran ran = observe({in(machine)});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, StartsWith("error: after 1 sample: "));
  EXPECT_THAT(ran.out, AllOf(HasSubstr("# Ended early: "), HasSubstr("- name: work\n")));
}

TEST(Observe, ShowsHowFarItIsOnATerminal) {
  const sim::MachineFolder machine("h100-80gb");
  const Running work("work");
  work.hold(machine, {0}, 100);
  const Folder folder;
  const Ran ran = carve_on_terminal({{"observe", "--for", "200ms", "--every", "100ms", "-o", folder.path("o.yaml")},
                                     {in(machine), "LC_ALL=C.UTF-8", "TERM=xterm"}});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("observing: "), HasSubstr("1 workload")));
}

int count_in(const std::string& text, const std::string& word) {
  int count = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size()) ++count;
  return count;
}

TEST(Observe, CtrlCWritesWhatWasSeen) {
  const sim::MachineFolder machine("h100-80gb");
  const Running work("work");
  work.hold(machine, {0}, 100);
  const Folder folder;
  std::string draft = folder.path("observed.yaml");
  const std::string log = folder.path("log"), err = folder.path("err");
  std::vector<std::string> words{CARVE_BINARY, "observe", "--for", "1h", "--every", "100ms", "-o", draft};
  std::vector<std::string> settings{in(machine), "CARVE_SIM_LOG=" + log};
  std::vector<char*> arguments, environment;
  for (std::string& word : words) arguments.push_back(word.data());
  for (std::string& setting : settings) environment.push_back(setting.data());
  arguments.push_back(nullptr);
  environment.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT, 0600);
  pid_t child = 0;
  ASSERT_EQ(::posix_spawn(&child, CARVE_BINARY, &actions, nullptr, arguments.data(), environment.data()), 0);
  posix_spawn_file_actions_destroy(&actions);
  for (int tries = 0; tries < 3000 && count_in(contents(log), "nvmlDeviceGetCount_v2") < 2; ++tries) ::usleep(10000);
  ::kill(child, SIGINT);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_THAT(contents(err), AllOf(HasSubstr("interrupted after"), HasSubstr("what was seen so far")));
  EXPECT_THAT(contents(draft), AllOf(HasSubstr("# Ended early: interrupted"), HasSubstr("- name: work\n")));
}

}  // namespace
}  // namespace carve::sample
