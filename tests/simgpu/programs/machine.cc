// machine: makes and changes simulated machines for tests that are no C++ programs.
//
//   machine create FOLDER CARDS|FILE.yaml      machine reset FOLDER CARD        machine structs
//   machine process FOLDER PID MIB CARD [GI CI]                                 machine reference
//   machine busy FOLDER PID MIB CARD PERCENT    machine profiles FOLDER
#include <cstdio>
#include <cstdlib>
#include <span>

#include <fmt/format.h>

#include "simgpu/control/control.h"

namespace carve::sim {

namespace {

using Arguments = std::vector<std::string>;

int number(const std::string& text) { return std::atoi(text.c_str()); }

Result<void> create(const Arguments& words) {
  TRY(const MachineOrder order, words[1].ends_with(".yaml") ? read_machine_file(words[1]) : parse_cards(words[1]));
  return create_machine(words[0], order);
}

Result<void> reset(const Arguments& words) { return Control(words[0]).reset(number(words[1])); }

Result<void> process(const Arguments& words) {
  ProcessOrder order;
  order.pid = number(words[1]);
  order.memory = Mib{number(words[2])};
  order.where.card = number(words[3]);
  if (words.size() > 5) {
    order.where.gpu_instance = static_cast<std::uint32_t>(number(words[4]));
    order.where.compute_instance = static_cast<std::uint32_t>(number(words[5]));
  }
  return Control(words[0]).add_process(order);
}

// A process that uses so much of the SMs of a card that is not cut.
Result<void> busy(const Arguments& words) {
  ProcessOrder order;
  order.pid = number(words[1]);
  order.memory = Mib{number(words[2])};
  order.where.card = number(words[3]);
  order.sm_percent = number(words[4]);
  return Control(words[0]).add_process(order);
}

Result<void> print_profiles(const Arguments& words) {
  TRY(const auto machine, Control(words[0]).look());
  for (int card = 0; card < machine->boards.count; ++card) {
    const Board& board = machine->boards.rows[card];
    for (int i = 0; i < board.profile_count; ++i) fmt::print("profile {} {}\n", card, board.profiles[i].name.view());
  }
  return {};
}

// Not nvmlGpmMetricsGet_t: its array grows with the driver, and only as many rows as the caller says are touched.
struct StructRow {
  const char* name;
  std::size_t size;
};
constexpr StructRow structs[] = {{"nvmlPciInfo_t", sizeof(PciInfo)},
                                 {"c_nvmlMemory_t", sizeof(MemoryInfo)},
                                 {"c_nvmlMemory_v2_t", sizeof(MemoryInfoV2)},
                                 {"c_nvmlUtilization_t", sizeof(Utilization)},
                                 {"c_nvmlProcessInfo_v2_t", sizeof(ProcessInfo)},
                                 {"c_nvmlProcessInfo_v3_t", sizeof(ProcessInfo)},
                                 {"c_nvmlDeviceAttributes", sizeof(Attributes)},
                                 {"c_nvmlEventData_t", sizeof(EventData)},
                                 {"c_nvmlProcessUtilizationSample_t", sizeof(ProcessSample)},
                                 {"c_nvmlGpuInstancePlacement_t", sizeof(Placement)},
                                 {"c_nvmlGpuInstanceProfileInfo_t", sizeof(GpuProfileInfo)},
                                 {"c_nvmlGpuInstanceProfileInfo_v2_t", sizeof(GpuProfileInfoV2)},
                                 {"c_nvmlGpuInstanceInfo_t", sizeof(GpuInstanceInfo)},
                                 {"c_nvmlComputeInstancePlacement_t", sizeof(Placement)},
                                 {"c_nvmlComputeInstanceProfileInfo_t", sizeof(ComputeProfileInfo)},
                                 {"c_nvmlComputeInstanceProfileInfo_v2_t", sizeof(ComputeProfileInfoV2)},
                                 {"c_nvmlComputeInstanceInfo_t", sizeof(ComputeInstanceInfo)},
                                 {"c_nvmlDeviceCapabilities_v1_t", sizeof(Capabilities)},
                                 {"c_nvmlGpmMetric_t", sizeof(GpmMetric)},
                                 {"c_nvmlGpmSupport_t", sizeof(GpmSupport)}};

Result<void> print_structs(const Arguments&) {
  for (const StructRow& row : structs) std::printf("%s %zu\n", row.name, row.size);
  return {};
}

Result<void> print_reference(const Arguments&) {
  fmt::print("{}", machine_file_reference());
  return {};
}

struct Verb {
  std::string_view name;
  std::size_t arguments;
  Result<void> (*run)(const Arguments&);
};
constexpr Verb verbs[] = {
    {"create", 2, create},           {"reset", 2, reset},           {"process", 4, process},          {"busy", 5, busy},
    {"profiles", 1, print_profiles}, {"structs", 0, print_structs}, {"reference", 0, print_reference}};

}  // namespace

int run(const Arguments& words) {
  for (const Verb& verb : verbs) {
    if (words.empty() || words[0] != verb.name || words.size() < verb.arguments + 1) continue;
    const auto done = verb.run({words.begin() + 1, words.end()});
    if (done) return 0;
    fmt::print(stderr, "machine: {}\n", done.error().message);
    return 1;
  }
  fmt::print(stderr, "usage: machine create|reset|process|busy|profiles|structs|reference ...\n");
  return 2;
}

}  // namespace carve::sim

int main(int argc, char** argv) {
  const std::span<char*> all(argv, static_cast<std::size_t>(argc));
  return carve::sim::run({all.begin() + 1, all.end()});
}
