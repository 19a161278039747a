// `carve status` as a person runs it, on simulated cards.
#include <gmock/gmock.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <chrono>
#include <set>

#include "cli/program.h"
#include "simgpu/loaded.h"

namespace carve::sample {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr const char* hopper = "h100-80gb";

Ran status(const std::vector<std::string>& environment, std::vector<std::string> arguments = {}) {
  arguments.insert(arguments.begin(), "status");
  std::vector<std::string> whole{"LC_ALL=C.UTF-8", "COLUMNS=100"};
  whole.insert(whole.end(), environment.begin(), environment.end());
  return run_carve(Invocation{std::move(arguments), std::move(whole)});
}

std::string in(const sim::MachineFolder& folder) { return "CARVE_SIM_DIR=" + folder.path(); }
std::string nvml_of(int branch) {
  return std::string("CARVE_NVML=") + CARVE_SIM_LIBRARIES + "/" + std::to_string(branch) + "/libnvidia-ml.so.1";
}

boost::json::value json_of(const Ran& ran) {
  EXPECT_EQ(ran.code, 0) << ran.err;
  boost::system::error_code failed;
  boost::json::value value = boost::json::parse(ran.out, failed);
  EXPECT_FALSE(failed) << ran.out.substr(0, 300);
  return value;
}

void cut(const sim::CutMachine& machine, unsigned card, unsigned profile, unsigned compute) {
  const sim::GpuInstanceHandle made = machine.nvml.create(machine.nvml.device(card), profile);
  ASSERT_NE(made, nullptr);
  ASSERT_NE(machine.nvml.create_compute(made, compute), nullptr);
}

void fill(const sim::CutMachine& machine, unsigned cards) {
  for (unsigned card = 0; card < cards; ++card)
    for (int i = 0; i < 7; ++i) cut(machine, card, 19, 0);
}

void hold(const sim::MachineFolder& folder, std::int32_t pid, sim::Held where, std::int64_t mib) {
  sim::ProcessOrder order;
  order.pid = pid;
  order.where = where;
  order.memory = Mib{mib};
  ASSERT_TRUE(folder.control().add_process(order));
}

sim::FaultOrder fault(std::string function, sim::FaultAction action) {
  sim::FaultOrder order;
  order.action = action;
  order.function = std::move(function);
  order.code = sim::unknown_error;
  order.times = 1000;
  return order;
}

TEST(Status, DrawsAMixtureWithWhoHoldsIt) {
  const sim::CutMachine machine(hopper);
  cut(machine, 0, 9, 2);
  cut(machine, 0, 19, 0);
  hold(machine.folder, ::getpid(), {0, 2, 0}, 2048);
  const Ran ran = status({in(machine.folder)});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, IsEmpty());
  EXPECT_THAT(ran.out, StartsWith("driver 580.65.06: 1 card\n"));
  EXPECT_THAT(ran.out, HasSubstr("0  NVIDIA H100 80GB HBM3  MIG on"));
  EXPECT_THAT(ran.out, HasSubstr("2.0 of 79.6 GiB in use"));
  EXPECT_THAT(ran.out, HasSubstr("┬─ 3g.40gb ─"));
  EXPECT_THAT(ran.out, HasSubstr("2.0 of 39.5"));
  EXPECT_THAT(ran.out, HasSubstr("2g.20gb fits"));
  EXPECT_THAT(ran.out, HasSubstr("3g.40gb@4"));
  EXPECT_THAT(ran.out, HasSubstr(std::to_string(::getpid())));
  EXPECT_THAT(ran.out, HasSubstr("status_test"));
  EXPECT_THAT(ran.out, Not(HasSubstr("not told")));
}

TEST(Status, FiftySixPartitionsOnEightCards) {
  const sim::CutMachine machine("8xh100-80gb");
  fill(machine, 8);
  std::set<std::string> uuids;
  const boost::json::value whole = json_of(status({in(machine.folder)}, {"--json"}));
  for (const boost::json::value& card : whole.at("cards").as_array())
    for (const boost::json::value& instance : card.at("instances").as_array())
      for (const boost::json::value& compute : instance.at("compute_instances").as_array())
        uuids.insert(std::string(compute.at("uuid").as_string()));
  EXPECT_EQ(uuids.size(), 56u);
  const Ran ran = status({in(machine.folder)});
  for (const std::string& uuid : uuids) EXPECT_THAT(ran.out, HasSubstr(uuid));
}

TEST(Status, ACardThatIsNotCut) {
  const sim::MachineFolder folder("h100-80gb,t4");
  hold(folder, ::getpid(), {1}, 100);
  const Ran ran = status({in(folder)});
  EXPECT_THAT(ran.out, HasSubstr("0  NVIDIA H100 80GB HBM3  MIG off"));
  EXPECT_THAT(ran.out, HasSubstr("nobody holds it"));
  EXPECT_THAT(ran.out, HasSubstr("no MIG"));
  EXPECT_THAT(ran.out, HasSubstr("100 MiB"));
  EXPECT_THAT(ran.out, Not(HasSubstr("not told"))) << "what a card cannot have is not missing";
}

TEST(Status, SaysWhatAPendingModeWaitsFor) {
  const sim::MachineFolder folder("a100-40gb");
  {
    const sim::Nvml nvml;
    ASSERT_EQ(nvml.call("nvmlInit_v2"), sim::success);
    sim::Return activation = sim::success;
    ASSERT_EQ(nvml.call("nvmlDeviceSetMigMode", nvml.device(0), 1u, &activation), sim::success);
    nvml.call("nvmlShutdown");
  }
  const Ran ran = status({in(folder)});
  EXPECT_THAT(ran.out, HasSubstr("MIG off, on pending"));
  EXPECT_THAT(ran.out, HasSubstr("waits for a reset of the card"));
  const boost::json::value json = json_of(status({in(folder)}, {"--json"}));
  const boost::json::value& mig = json.at("cards").at(0).at("mig");
  EXPECT_FALSE(mig.at("current").as_bool());
  EXPECT_TRUE(mig.at("pending").as_bool());
  EXPECT_TRUE(mig.at("waits_for").is_string());
}

TEST(Status, ALostCardLeavesTheOthersReadable) {
  const sim::MachineFolder folder("2xh100-80gb");
  ASSERT_TRUE(folder.control().lose(0));
  const Ran ran = status({in(folder)});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("0  does not answer"));
  EXPECT_THAT(ran.out, HasSubstr("GPU is lost (15)"));
  EXPECT_THAT(ran.out, HasSubstr("1  NVIDIA H100 80GB HBM3"));
  const boost::json::value json = json_of(status({in(folder)}, {"--json"}));
  EXPECT_TRUE(json.at("cards").at(0).at("lost").is_string());
  EXPECT_TRUE(json.at("cards").at(0).at("memory").is_null());
  EXPECT_TRUE(json.at("cards").at(1).at("lost").is_null());
}

// An older driver tells the same partitions; what it lacks is said.
TEST(Status, OlderDrivers) {
  for (const int branch : {450, 525}) {
    const sim::CutMachine machine(hopper, branch);
    cut(machine, 0, 9, 2);
    const Ran ran = status({in(machine.folder), nvml_of(branch)});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, StartsWith("driver " + std::to_string(branch)));
    EXPECT_THAT(ran.out, HasSubstr("3g.40gb@4"));
    EXPECT_EQ(ran.out.find("not told: clients of MPS: this driver has no nvml") != std::string::npos, branch < 470);
  }
}

TEST(Status, WithoutPrivilegePlacesAreNotTold) {
  const sim::CutMachine machine(hopper);
  cut(machine, 0, 9, 2);
  const Ran ran = status({in(machine.folder), "CARVE_SIM_PRIVILEGE=none"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("3g.40gb, GI 2"));
  EXPECT_THAT(ran.out, HasSubstr("not told: places of instances: only a privileged user"));
  EXPECT_THAT(ran.out, Not(HasSubstr("┌"))) << "no grid without places";
  const boost::json::value json = json_of(status({in(machine.folder), "CARVE_SIM_PRIVILEGE=none"}, {"--json"}));
  EXPECT_TRUE(json.at("cards").at(0).at("instances").at(0).at("placement").is_null());
  EXPECT_EQ(json.at("cards").at(0).at("missing").at(0).at("why").as_string(), "denied");
}

TEST(Status, ACallThatFailsIsSaidBesideTheRest) {
  const sim::MachineFolder folder(hopper);
  ASSERT_TRUE(folder.control().arm(fault("nvmlDeviceGetUUID", sim::FaultAction::fail)));
  const Ran ran = status({in(folder)});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, HasSubstr("not told: UUID: nvmlDeviceGetUUID: Unknown Error (999)"));
}

TEST(Status, ACallThatHangsEndsWithinFiveSeconds) {
  const sim::MachineFolder folder(hopper);
  ASSERT_TRUE(folder.control().arm(fault("nvmlDeviceGetName", sim::FaultAction::hang)));
  const auto start = std::chrono::steady_clock::now();
  const Ran ran = status({in(folder)});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.out, IsEmpty());
  EXPECT_THAT(ran.err, AllOf(StartsWith("error: the driver did not answer"), HasSubstr("nvmlDeviceGetName")));
}

TEST(Status, WithoutALibrarySaysWhatWasLookedForAndWhere) {
  const Ran none = status({"CARVE_NVML=/nowhere/libnvidia-ml.so.1"});
  EXPECT_EQ(none.code, 3);
  EXPECT_THAT(none.out, IsEmpty());
  EXPECT_THAT(none.err, AllOf(HasSubstr("/nowhere/libnvidia-ml.so.1"), HasSubstr("help: ")));
  const Ran other = status({"CARVE_NVML=libm.so.6"});
  EXPECT_EQ(other.code, 3);
  EXPECT_THAT(other.err, HasSubstr("is no NVML"));
}

TEST(Status, WithoutAMachineInTheFolder) {
  const Folder folder;
  const Ran ran = status({"CARVE_SIM_DIR=" + folder.path("nothing")});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.out, IsEmpty());
  EXPECT_THAT(ran.err, HasSubstr("nvmlInit_v2"));
}

TEST(Status, IsExplained) {
  const Ran ran = run_carve({"status", "--help"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("carve status --json"), HasSubstr("CARVE_NVML"), HasSubstr("CARVE_SIM_DIR")));
  for (std::size_t start = 0; start < ran.out.size();) {
    const std::size_t end = ran.out.find('\n', start);
    EXPECT_LE(end - start, 80u) << ran.out.substr(start, end - start);
    start = end + 1;
  }
  EXPECT_THAT(run_carve({"--help"}).out, HasSubstr("  status"));
}

TEST(Status, StaysWithinTheWidthInAscii) {
  const sim::CutMachine machine(hopper);
  fill(machine, 1);
  for (const std::string width : {"60", "80", "120"}) {
    const Ran ran = status({in(machine.folder)}, {"--ascii", "--width", width});
    for (std::size_t start = 0; start < ran.out.size();) {
      const std::size_t end = ran.out.find('\n', start);
      EXPECT_LE(end - start, std::stoul(width)) << ran.out.substr(start, end - start);
      start = end + 1;
    }
    for (const char byte : ran.out) ASSERT_GE(byte, 0) << "not ASCII";
  }
}

}  // namespace
}  // namespace carve::sample
