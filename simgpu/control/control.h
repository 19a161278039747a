// control: simulated machines from outside: make one, look at it, and let happen to it what no NVML call can: processes
// that come and go, faults, a card that falls off the bus, a reboot.
//
//   parse_cards("8xh100-80gb,2xa30"), read_machine_file()   what a machine shall have
//   create_machine()                                        makes it in a folder; CARVE_SIM_DIR names that folder
//   Control                                                 the machine of a folder
//
// Figures that no public source has are dealt with when the machine is made. Memory and SMs of a profile are derived
// from the smallest one, a count of engines is what a smaller profile is known to have (Profile::derived says which),
// a variant whose profile id is not known is not offered. A card without a known total, whose smallest profile lacks
// memory or SMs, or whose plain profiles have no ids or places, is refused.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "simgpu/abi/abi.h"
#include "simgpu/rules/rules.h"
#include "simgpu/state/state.h"

namespace carve::sim {

// ----------------------------------------------------------------------------------------------------------- making

struct CardOrder {
  std::string card;  // an id of the catalog, or words that fit one
  int count = 1;
  std::optional<int> gap;          // the memory slice without compute, on boards of 8 memory and 7 compute slices
  std::optional<Chooser> chooser;  // where calls without a placement put instances
  std::optional<ModeChange> mode_change;   // what turning MIG on takes
  int nvswitch_group = 0;                  // cards of one group are reset together
  std::map<std::string, int> profile_ids;  // ids that differ from the catalog's, by the profile's name
};

struct MachineOrder {
  std::vector<CardOrder> cards;
  std::uint64_t seed = 1;  // UUIDs follow from it
};

// "8xh100-80gb,2xa30". Errors: bad_input.
Result<MachineOrder> parse_cards(std::string_view);
// A YAML file; its reference is machine_file_reference().
Result<MachineOrder> read_machine_file(const std::string& path);
std::string machine_file_reference();

// Replaces the machine that may be in the folder; makes the folder if its parent exists.
Result<void> create_machine(const std::string& folder, const MachineOrder&);

// ---------------------------------------------------------------------------------------------------------- changing

struct FaultOrder {
  FaultAction action = FaultAction::fail;
  std::string function;         // "nvmlDeviceCreateGpuInstance"; empty: every call
  Return code = unknown_error;  // of FaultAction::fail
  std::uint64_t skip = 0;       // calls to let pass
  std::uint64_t times = 1;      // calls to strike after that
  std::int32_t pid = 0;         // only calls of this process; 0: of any
};

struct ProcessOrder {
  std::int32_t pid = 0;  // a running process; it leaves the machine when it ends
  Held where;
  Mib memory;
  ProcessKind kind = ProcessKind::compute;
  int sm_percent = 0;
  int memory_percent = 0;
};

// The machine of a folder. Every verb locks it, and none keeps it.
class Control {
 public:
  explicit Control(std::string folder) : folder_(std::move(folder)), store_(std::make_unique<Store>()) {}

  Result<std::unique_ptr<Machine>> look();

  // Error: environment, if somebody holds a card that would be reset, or it cannot be.
  Result<void> reset(int card);
  Result<void> reboot();
  Result<void> unload_driver();
  Result<void> load_driver();

  Result<void> lose(int card);  // falls off the bus, until it is reset
  Result<void> raise_xid(Held where, std::uint64_t xid);
  Result<void> block(const std::string& name, std::vector<int> cards);
  Result<void> unblock(const std::string& name);
  Result<void> arm(const FaultOrder&);
  Result<void> disarm();
  Result<void> set_latency(const std::string& name);  // of latency_rows()

  Result<void> add_process(const ProcessOrder&);
  Result<void> remove_process(std::int32_t pid);

 private:
  template <class Change>
  Result<void> change(const std::string& doing, const Change&);

  std::string folder_;
  std::unique_ptr<Store> store_;
};

}  // namespace carve::sim
