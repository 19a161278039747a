// Each NVML call of a change fails once, with each code that NVIDIA's header documents for it: the card ends in the old
// or the new layout, nothing half-made stays, nobody who was to stay is lost, and what went wrong is said in a
// sentence.
//
// Only every n-th of these points is tried: CARVE_CHANGE_FAULT_STRIDE is that n, and 1 tries all.
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "change/bench.h"

namespace carve::changing {
namespace {

using testing::AnyOf;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// The return codes that the comments of nvml.h list for each function; functions that a change calls only.
const std::map<std::string, std::vector<sim::Return>>& documented() {
  static const std::map<std::string, std::vector<sim::Return>> table{
      {"nvmlSystemGetDriverVersion", {sim::uninitialized, sim::invalid_argument, sim::insufficient_size}},
      {"nvmlDeviceGetCount_v2", {sim::uninitialized, sim::invalid_argument, sim::unknown_error}},
      {"nvmlDeviceGetHandleByIndex_v2",
       {sim::uninitialized, sim::invalid_argument, sim::insufficient_power, sim::no_permission, sim::irq_issue,
        sim::gpu_is_lost, sim::unknown_error}},
      {"nvmlDeviceGetUUID",
       {sim::uninitialized, sim::invalid_argument, sim::insufficient_size, sim::not_supported, sim::gpu_is_lost,
        sim::unknown_error}},
      {"nvmlDeviceGetIndex", {sim::uninitialized, sim::invalid_argument, sim::gpu_is_lost, sim::unknown_error}},
      {"nvmlDeviceGetName",
       {sim::uninitialized, sim::invalid_argument, sim::insufficient_size, sim::gpu_is_lost, sim::unknown_error}},
      {"nvmlDeviceGetPciInfo_v3", {sim::uninitialized, sim::invalid_argument, sim::gpu_is_lost, sim::unknown_error}},
      {"nvmlDeviceGetMinorNumber",
       {sim::uninitialized, sim::invalid_argument, sim::not_supported, sim::gpu_is_lost, sim::unknown_error}},
      {"nvmlDeviceGetMemoryInfo_v2",
       {sim::uninitialized, sim::no_permission, sim::invalid_argument, sim::gpu_is_lost, sim::not_supported,
        sim::unknown_error}},
      {"nvmlDeviceGetComputeMode",
       {sim::uninitialized, sim::invalid_argument, sim::not_supported, sim::gpu_is_lost, sim::unknown_error}},
      {"nvmlDeviceGetMigMode", {sim::uninitialized, sim::invalid_argument, sim::not_supported, sim::unknown_error}},
      {"nvmlDeviceSetMigMode", {sim::uninitialized, sim::invalid_argument, sim::no_permission, sim::not_supported}},
      {"nvmlDeviceGetGpuInstanceProfileInfoV",
       {sim::uninitialized, sim::invalid_argument, sim::not_supported, sim::no_permission}},
      {"nvmlDeviceGetGpuInstancePossiblePlacements_v2",
       {sim::uninitialized, sim::invalid_argument, sim::not_supported, sim::no_permission}},
      {"nvmlDeviceGetGpuInstances",
       {sim::uninitialized, sim::invalid_argument, sim::not_supported, sim::no_permission}},
      {"nvmlGpuInstanceGetInfo", {sim::uninitialized, sim::invalid_argument, sim::no_permission}},
      {"nvmlGpuInstanceDestroy",
       {sim::uninitialized, sim::invalid_argument, sim::not_supported, sim::no_permission, sim::in_use}},
      {"nvmlDeviceCreateGpuInstanceWithPlacement",
       {sim::uninitialized, sim::invalid_argument, sim::not_supported, sim::no_permission,
        sim::insufficient_resources}},
      {"nvmlGpuInstanceGetComputeInstanceProfileInfo",
       {sim::uninitialized, sim::invalid_argument, sim::not_supported, sim::no_permission}},
      {"nvmlGpuInstanceCreateComputeInstance",
       {sim::uninitialized, sim::invalid_argument, sim::not_supported, sim::no_permission,
        sim::insufficient_resources}},
      {"nvmlGpuInstanceGetComputeInstances",
       {sim::uninitialized, sim::invalid_argument, sim::not_supported, sim::no_permission}},
      {"nvmlComputeInstanceGetInfo_v2", {sim::uninitialized, sim::invalid_argument, sim::no_permission}},
      {"nvmlComputeInstanceDestroy", {sim::uninitialized, sim::invalid_argument, sim::no_permission, sim::in_use}},
      {"nvmlDeviceGetComputeRunningProcesses_v3",
       {sim::uninitialized, sim::insufficient_size, sim::no_permission, sim::invalid_argument, sim::gpu_is_lost,
        sim::not_supported, sim::unknown_error}},
      {"nvmlDeviceGetGraphicsRunningProcesses_v3",
       {sim::uninitialized, sim::insufficient_size, sim::no_permission, sim::invalid_argument, sim::gpu_is_lost,
        sim::not_supported, sim::unknown_error}},
      {"nvmlDeviceGetMPSComputeRunningProcesses_v3",
       {sim::uninitialized, sim::insufficient_size, sim::invalid_argument, sim::gpu_is_lost, sim::not_supported,
        sim::unknown_error}},
  };
  return table;
}

// A change to try: what is there before, who stays, and what is wanted.
struct Scenario {
  const char* cards;
  bool mig;
  std::vector<At> from;
  std::vector<At> occupied;
  bool wants_mig;
  std::vector<std::string> to;
};

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> list{
      {"1xh100-80gb",
       true,
       {{"1g.10gb", 0}, {"1g.10gb", 1}, {"3g.40gb", 4}},
       {{"1g.10gb", 0}},
       true,
       {"1g.10gb", "2g.20gb", "3g.40gb", "1g.10gb"}},
      {"1xh100-80gb",
       true,
       {{"3g.40gb", 0}, {"3g.40gb", 4}},
       {{"3g.40gb", 4}},
       true,
       {"1g.10gb", "1g.20gb", "3g.40gb"}},
      {"1xa100-80gb", false, {}, {}, true, {"3g.40gb", "3g.40gb"}},
      {"1xh100-80gb", true, {{"7g.80gb", 0}}, {}, false, {}},
  };
  return list;
}

using Counts = std::map<std::string, int>;

Counts counted(const std::vector<At>& layout) {
  Counts counts;
  for (const At& at : layout) ++counts[at.profile];
  return counts;
}

Counts counted(const std::vector<std::string>& profiles) {
  Counts counts;
  for (const std::string& profile : profiles) ++counts[profile];
  return counts;
}

class Trial {
 public:
  explicit Trial(const Scenario& scenario) : scenario_(scenario), bench_(scenario.cards) {
    if (scenario.mig) bench_.mig_on();
    bench_.cut(0, scenario.from);
    bench_.own_all();
    for (const At& at : scenario.occupied) bench_.occupy(0, at);
    wanted_ = bench_.wants(0, scenario.to);
    wanted_.mig = scenario.wants_mig;
  }

  // How often each function is called when nothing fails.
  std::map<std::string, int> calls() {
    const std::string log = bench_.root() + "/calls";
    ::setenv("CARVE_SIM_LOG", log.c_str(), 1);
    run();
    ::unsetenv("CARVE_SIM_LOG");
    std::map<std::string, int> counts;
    std::ifstream file(log);
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string pid, change, function;
      words >> pid >> change >> function;
      ++counts[function];
    }
    return counts;
  }

  void fail(const std::string& function, int call, sim::Return code) {
    sim::FaultOrder fault;
    fault.function = function;
    fault.code = code;
    fault.skip = static_cast<std::uint64_t>(call);
    ASSERT_TRUE(bench_.control().arm(fault));
    run();
    ASSERT_TRUE(bench_.control().disarm());
    judge();
  }

 private:
  // What carve does: looks, plans, and applies what is possible.
  void run() {
    const Result<Machine> machine = read_machine(bench_.options().driver);
    const Result<Made> made = made_by_carve({bench_.root()});
    ASSERT_TRUE(made);
    if (!machine) return said(machine.error().message);
    Target target;
    target.cards.push_back(wanted_);
    const Change change = plan_change(*machine, target, *made, {});
    if (!change.possible()) return said(change.cards.front().obstacles.front().message);
    const auto applied = bench_.apply(change);
    ASSERT_TRUE(applied) << applied.error().message;
    const CardResult& card = applied->cards.front();
    outcome_ = card.outcome;
    EXPECT_EQ(card.outcome == Outcome::done, card.message.empty()) << card.message;
    if (card.outcome != Outcome::done) said(card.message);
  }

  void said(const std::string& message) { EXPECT_THAT(message, Not(IsEmpty())); }

  void judge() {
    const LiveCard card = bench_.card();
    const Counts now = counted(bench_.layout()), before = counted(scenario_.from), after = counted(scenario_.to);
    EXPECT_THAT(now, AnyOf(before, after));
    if (outcome_ == Outcome::done) {
      EXPECT_EQ(now, after);
    }
    if (outcome_ == Outcome::rolled_back) {
      EXPECT_EQ(now, before);
    }
    EXPECT_THAT(outcome_, AnyOf(std::nullopt, Outcome::done, Outcome::rolled_back));
    EXPECT_EQ(card.mig->current, now == after ? scenario_.wants_mig : scenario_.mig);
    EXPECT_EQ(card.mig->pending, card.mig->current);
    for (const LiveGpuInstance& instance : *card.instances) EXPECT_THAT(*instance.compute, SizeIs(1));
    EXPECT_THAT(*card.occupants, SizeIs(scenario_.occupied.size()));
  }

  const Scenario& scenario_;
  Bench bench_;
  WantedCard wanted_;               // known by its UUID, from before
  std::optional<Outcome> outcome_;  // nothing: it was not begun
};

int stride() {
  const char* text = std::getenv("CARVE_CHANGE_FAULT_STRIDE");
  return text == nullptr ? 151 : std::max(1, std::atoi(text));
}

TEST(Faults, ACallThatFailsOnceLeavesTheOldOrTheNewLayout) {
  int points = 0, tried = 0;
  for (const Scenario& scenario : scenarios()) {
    const std::map<std::string, int> calls = Trial(scenario).calls();
    EXPECT_FALSE(calls.empty());
    for (const auto& [function, codes] : documented()) {
      const auto called = calls.find(function);
      if (called == calls.end()) continue;
      for (int call = 0; call < called->second; ++call) {
        for (const sim::Return code : codes) {
          if (points++ % stride() != 0) continue;
          SCOPED_TRACE(std::string(scenario.cards) + ": call " + std::to_string(call) + " of " + function + " gives " +
                       std::to_string(code));
          Trial(scenario).fail(function, call, code);
          ++tried;
          if (testing::Test::HasFailure()) return;
        }
      }
    }
  }
  std::printf("%d of %d fault points tried\n", tried, points);
}

}  // namespace
}  // namespace carve::changing
