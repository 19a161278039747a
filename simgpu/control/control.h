// control: simulated machines from outside: make one, look at it, and let happen to it what no NVML call can: processes
// that come and go, faults, a card that falls off the bus, a reboot.
//
//   parse_cards("8xh100-80gb,2xa30"), read_machine_file()   what a machine shall have
//   read_order("8xh100-80gb,2xa30"), read_order("machine.yaml")   either of these
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
// Cards, or a file whose name ends with .yaml or .yml.
Result<MachineOrder> read_order(const std::string& cards_or_file);

// What a machine has, in short: "8xh100-sxm5-80gb,2xa30-24gb".
std::string cards_of(const Machine&);

// What if a machine is in the folder already?
enum class IfThere {
  replace,  // it is replaced, unless processes run on it
  keep,     // it stays if it was made from the same order; else an error
  refuse,   // an error
};

// Makes the folder if its parent exists. Of several who do this at once one makes the machine.
// Errors: bad_input: the order, or another machine is there; environment: the folder, or processes run on the machine.
Result<void> create_machine(const std::string& folder, const MachineOrder&, IfThere = IfThere::replace);

// Takes the machine and its files away, and the folder if nothing else is in it. Error: environment: there is none, or
// processes run on it.
Result<void> remove_machine(const std::string& folder);

// ---------------------------------------------------------------------------------------------------------- changing

struct FaultOrder {
  FaultAction action = FaultAction::fail;
  std::string function;         // "nvmlDeviceCreateGpuInstance"; empty: every call
  Return code = unknown_error;  // of FaultAction::fail
  std::uint64_t skip = 0;       // calls to let pass
  std::uint64_t times = 1;      // calls to strike after that
  std::int32_t pid = 0;         // only calls of this process; 0: of any
};

// "IN_USE", "NVML_ERROR_IN_USE" or "19". Error: bad_input, with the nearest name.
Result<Return> return_named(std::string_view);

struct ProcessOrder {
  std::int32_t pid = 0;  // a running process; it leaves the machine when it ends
  Held where;
  Mib memory;
  ProcessKind kind = ProcessKind::compute;
  int sm_percent = 0;
  int memory_percent = 0;
};

// A process that opens a context as a CUDA program does, and takes memory on the first device that it finds.
struct ContextOrder {
  std::int32_t pid = 0;                // a running process; it leaves the machine when it ends
  std::optional<std::string> visible;  // CUDA_VISIBLE_DEVICES
  Mib memory;
  int sm_percent = 0;
};

struct Context {
  Held where;
  std::string uuid;  // of the card or the MIG device
};

// The machine of a folder. Every verb locks it, and none keeps it.
class Control {
 public:
  explicit Control(std::string folder) : folder_(std::move(folder)), store_(std::make_unique<Store>()) {}

  const std::string& folder() const { return folder_; }
  Result<std::unique_ptr<Machine>> look();
  // From now on the files of /proc and /dev are below the folder `root`, in step with the machine (tree.h).
  Result<void> show_files();

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

  // Errors: environment: no device, or a node of it that cannot be opened; its compute mode; not enough memory.
  Result<Context> open_context(const ContextOrder&);
  Result<void> add_process(const ProcessOrder&);
  Result<void> remove_process(std::int32_t pid);

 private:
  template <class Change>
  Result<void> change(const std::string& doing, const Change&);
  Result<void> show(const Machine&) const;

  std::string folder_;
  std::unique_ptr<Store> store_;
};

}  // namespace carve::sim
