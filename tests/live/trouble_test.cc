// Machines that are not well, for every command that reads one: whatever is wrong, there is an answer within five
// seconds. Either the machine refused (3): an error with something to do, and nothing else; or what is left is told.
#include <gmock/gmock.h>

#include <boost/json.hpp>
#include <chrono>
#include <future>

#include "cli/program.h"
#include "live/running.h"

namespace carve::sample {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

// A row for each command that reads live cards, and for each form of what it prints.
struct LiveCommand {
  const char* name;
  std::vector<std::string> arguments;
  bool (*whole)(const std::string& out);  // what it prints when it is done
  // It tells what it can. The others answer a question, and what is wrong may leave them without an answer, or with no.
  bool reports = true;
};

bool is_json(const std::string& out) {
  boost::system::error_code failed;
  boost::json::parse(out, failed);
  return !failed;
}
bool is_page(const std::string& out) { return out.starts_with("driver ") && out.ends_with("\n"); }
bool is_draft(const std::string& out) {
  return out.starts_with("# ") && out.find("\nworkloads:\n") != std::string::npos && out.ends_with("best-effort\n");
}

bool is_lines(const std::string& out) { return !out.empty() && out.ends_with("\n"); }

const Folder& inputs() {
  static const Folder folder;
  static const bool written = [] {
    const std::string team = folder.write(
        "team.yaml", "workloads: [{name: one, tenant: t, replicas: 1, memory: 4GiB, objective: {p99: 50ms}}]\n");
    folder.write("layout.yaml",
                 "version: v1\nmig-configs: {one: [{devices: [0], mig-enabled: true, mig-devices: {3g.40gb: 1}}]}\n");
    return run_carve({"plan", team, "--fleet", "1xh100-80gb", "-o", folder.path("plan.json")}).code == 0;
  }();
  EXPECT_TRUE(written);
  return folder;
}

const std::vector<LiveCommand>& commands() {
  static const std::vector<LiveCommand> list{
      {"status", {"status"}, is_page},
      {"status as JSON", {"status", "--json"}, is_json},
      {"observe", {"observe", "--for", "100ms"}, is_draft},
      {"observe as JSON", {"observe", "--for", "100ms", "--json"}, is_json},
      {"cards --live", {"cards", "--live"}, is_lines, false},
      {"cards --live as JSON", {"cards", "--live", "--json"}, is_json, false},
      {"plan", {"plan", inputs().path("team.yaml")}, is_lines, false},
      {"plan as JSON", {"plan", inputs().path("team.yaml"), "--json"}, is_json, false},
      {"export", {"export"}, is_lines, false},
      {"import", {"import", inputs().path("layout.yaml")}, is_lines, false},
      {"diff", {"diff", inputs().path("plan.json"), "--bind"}, is_lines, false},
      {"diff as JSON", {"diff", inputs().path("plan.json"), "--bind", "--json"}, is_json, false},
  };
  return list;
}

Ran run(const LiveCommand& command, const std::vector<std::string>& environment) {
  std::vector<std::string> whole{"LC_ALL=C.UTF-8"};
  whole.insert(whole.end(), environment.begin(), environment.end());
  const auto start = std::chrono::steady_clock::now();
  Ran ran = run_carve(Invocation{command.arguments, std::move(whole)});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5)) << command.name;
  return ran;
}

// All commands in the order of the table, four at a time: most of it is waiting, and more would wait for each other.
std::vector<Ran> run_all(const std::vector<std::string>& environment) {
  constexpr std::size_t at_a_time = 4;
  std::vector<Ran> all;
  for (std::size_t first = 0; first < commands().size(); first += at_a_time) {
    std::vector<std::future<Ran>> running;
    for (std::size_t i = first; i < std::min(first + at_a_time, commands().size()); ++i)
      running.push_back(std::async(std::launch::async, [&, i] { return run(commands()[i], environment); }));
    for (std::future<Ran>& one : running) all.push_back(one.get());
  }
  return all;
}

void expect_refused(const LiveCommand& command, const Ran& ran) {
  EXPECT_THAT(ran.code, testing::AnyOf(3, command.reports ? 3 : 2)) << command.name;
  EXPECT_THAT(ran.out, IsEmpty()) << command.name << ": half an answer";
  EXPECT_THAT(ran.err, AllOf(StartsWith("error: "), HasSubstr("help: "))) << command.name;
}

void expect_told(const LiveCommand& command, const Ran& ran) {
  EXPECT_EQ(ran.code, 0) << command.name << "\n" << ran.err;
  EXPECT_TRUE(command.whole(ran.out)) << command.name << "\n" << ran.out;
  EXPECT_THAT(ran.err, IsEmpty()) << command.name;
}

// Where it depends on what is wrong: refused, told, or an answer that is no, with a sentence.
void expect_an_answer(const LiveCommand& command, const Ran& ran, const std::string& trouble) {
  SCOPED_TRACE(trouble);
  if (ran.code == 3 || (ran.code == 2 && !command.reports)) return expect_refused(command, ran);
  if (ran.code == 0) return expect_told(command, ran);
  EXPECT_EQ(ran.code, 1) << command.name << "\n" << ran.err;
  EXPECT_THAT(ran.err + (command.reports ? "" : ran.out), Not(IsEmpty())) << command.name;
  EXPECT_TRUE(ran.out.empty() || command.whole(ran.out)) << command.name << "\n" << ran.out;
}

void expect_answers(const std::vector<Ran>& all, const std::string& trouble) {
  for (std::size_t i = 0; i < all.size(); ++i) expect_an_answer(commands()[i], all[i], trouble);
}

sim::FaultOrder fault(std::string function, sim::FaultAction action, int code = sim::unknown_error) {
  sim::FaultOrder order;
  order.action = action;
  order.function = std::move(function);
  order.code = static_cast<sim::Return>(code);
  order.times = 1000000;
  return order;
}

class Live : public testing::Test {
 protected:
  void SetUp() override {
    work.hold(machine.folder, {1}, 500, 20);
    const sim::GpuInstanceHandle made = machine.nvml.create(machine.nvml.device(0), 9);
    ASSERT_NE(made, nullptr);
    ASSERT_NE(machine.nvml.create_compute(made, 2), nullptr);
    work.hold(machine.folder, {0, 2, 0}, 100, 10);
  }
  sim::CutMachine machine{"h100-80gb,t4"};
  Running work{"work"};
};

TEST_F(Live, NothingIsWrong) {
  for (const LiveCommand& command : commands()) {
    const Ran ran = run(command, {in(machine.folder)});
    command.reports ? expect_told(command, ran) : expect_an_answer(command, ran, "nothing");
    EXPECT_LE(ran.code, 1) << command.name << ran.err;
  }
}

TEST_F(Live, NoLibrary) {
  for (const LiveCommand& command : commands()) {
    const Ran ran = run(command, {"CARVE_NVML=/nowhere/libnvidia-ml.so.1"});
    expect_refused(command, ran);
    EXPECT_THAT(ran.err, HasSubstr("/nowhere/libnvidia-ml.so.1"));
    expect_refused(command, run(command, {"CARVE_NVML=libm.so.6"}));
  }
}

TEST(LiveWithoutADriver, IsRefused) {
  const sim::MachineFolder folder("h100-80gb");
  ASSERT_TRUE(folder.control().unload_driver());
  for (const LiveCommand& command : commands()) {
    const Ran ran = run(command, {in(folder)});
    expect_refused(command, ran);
    EXPECT_THAT(ran.err, HasSubstr("'modprobe"));
  }
}

TEST(LiveOldDrivers, TellWhatTheyCan) {
  for (const int branch : {450, 525}) {
    const sim::CutMachine machine("h100-80gb,t4", branch);
    const Running work("work");
    work.hold(machine.folder, {1}, 500, 20);
    for (const LiveCommand& command : commands()) {
      const Ran ran = run(command, {in(machine.folder), nvml_of(branch)});
      command.reports ? expect_told(command, ran) : expect_an_answer(command, ran, std::to_string(branch));
    }
  }
}

TEST_F(Live, NoPermission) {
  for (const LiveCommand& command : commands()) {
    const Ran ran = run(command, {in(machine.folder), "CARVE_SIM_PRIVILEGE=none"});
    command.reports ? expect_told(command, ran) : expect_an_answer(command, ran, "no rights");
  }
}

// The codes that these calls are documented to fail with, and one that nobody documented.
TEST_F(Live, TheFirstCallFailsWithEachCode) {
  for (const int code : {1, 2, 3, 4, 6, 9, 10, 13, 15, 18, 999, 12345}) {
    for (const char* function : {"nvmlDeviceGetCount_v2", "nvmlDeviceGetHandleByIndex_v2"}) {
      ASSERT_TRUE(machine.folder.control().disarm());
      ASSERT_TRUE(machine.folder.control().arm(fault(function, sim::FaultAction::fail, code)));
      expect_answers(run_all({in(machine.folder)}), std::string(function) + " " + std::to_string(code));
    }
  }
}

// Every call that is made, one after the other.
TEST_F(Live, OneCallFails) {
  for (const char* function : {"nvmlSystemGetDriverVersion",
                               "nvmlDeviceGetUUID",
                               "nvmlDeviceGetName",
                               "nvmlDeviceGetPciInfo_v3",
                               "nvmlDeviceGetMinorNumber",
                               "nvmlDeviceGetMemoryInfo_v2",
                               "nvmlDeviceGetMigMode",
                               "nvmlDeviceGetComputeMode",
                               "nvmlDeviceGetGpuInstanceProfileInfoV",
                               "nvmlDeviceGetGpuInstancePossiblePlacements_v2",
                               "nvmlDeviceGetGpuInstances",
                               "nvmlGpuInstanceGetInfo",
                               "nvmlGpuInstanceGetComputeInstanceProfileInfo",
                               "nvmlGpuInstanceGetComputeInstances",
                               "nvmlComputeInstanceGetInfo_v2",
                               "nvmlDeviceGetComputeRunningProcesses_v3",
                               "nvmlDeviceGetGraphicsRunningProcesses_v3",
                               "nvmlDeviceGetMPSComputeRunningProcesses_v3",
                               "nvmlDeviceGetIndex",
                               "nvmlDeviceGetUtilizationRates",
                               "nvmlDeviceGetProcessUtilization",
                               "nvmlGpmMigSampleGet",
                               "nvmlGpmMetricsGet"}) {
    for (const int code : {static_cast<int>(sim::unknown_error), static_cast<int>(sim::gpu_is_lost)}) {
      ASSERT_TRUE(machine.folder.control().disarm());
      ASSERT_TRUE(machine.folder.control().arm(fault(function, sim::FaultAction::fail, code))) << function;
      expect_answers(run_all({in(machine.folder)}), std::string(function) + " " + std::to_string(code));
    }
  }
}

TEST_F(Live, ACallThatHangs) {
  for (const std::string function : {"nvmlDeviceGetCount_v2", "nvmlDeviceGetComputeRunningProcesses_v3"}) {
    ASSERT_TRUE(machine.folder.control().disarm());
    ASSERT_TRUE(machine.folder.control().arm(fault(function, sim::FaultAction::hang)));
    const std::vector<Ran> all = run_all({in(machine.folder)});
    for (std::size_t i = 0; i < all.size(); ++i) {
      expect_refused(commands()[i], all[i]);
      EXPECT_THAT(all[i].err, HasSubstr(function));
    }
  }
}

TEST_F(Live, ACallThatKills) {
  ASSERT_TRUE(machine.folder.control().arm(fault("nvmlDeviceGetName", sim::FaultAction::kill_before)));
  for (const LiveCommand& command : commands()) expect_refused(command, run(command, {in(machine.folder)}));
}

TEST_F(Live, ALostCard) {
  ASSERT_TRUE(machine.folder.control().lose(0));
  for (const LiveCommand& command : commands()) {
    const Ran ran = run(command, {in(machine.folder)});
    if (!command.reports) {
      expect_an_answer(command, ran, "a lost card");
      continue;
    }
    expect_told(command, ran);
    EXPECT_THAT(ran.out, HasSubstr("GPU is lost (15)")) << command.name;
  }
}

TEST_F(Live, ACardThatIsLostWhileItIsRead) {
  for (const char* function : {"nvmlDeviceGetIndex", "nvmlDeviceGetMigMode"}) {
    ASSERT_TRUE(machine.folder.control().disarm());
    sim::FaultOrder order = fault(function, sim::FaultAction::fail, sim::gpu_is_lost);
    order.times = 1;
    ASSERT_TRUE(machine.folder.control().arm(order));
    for (const LiveCommand& command : commands())
      expect_an_answer(command, run(command, {in(machine.folder)}), function);
  }
}

}  // namespace
}  // namespace carve::sample
