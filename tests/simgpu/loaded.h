// The library as a program finds it: loaded by its path, functions by their names, a machine in a folder of the test's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "simgpu/abi/abi.h"
#include "simgpu/control/control.h"

namespace carve::sim {

inline constexpr int newest = 580;

class Nvml {
 public:
  explicit Nvml(int branch = newest);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  bool has(const std::string& name) const { return find(name) != nullptr; }

  // call("nvmlDeviceGetCount_v2", &count): arguments must have the types of the interface. A missing function is
  // function_not_found.
  template <class... Arguments>
  Return call(const std::string& name, Arguments... arguments) const {
    auto* function = reinterpret_cast<Return (*)(Arguments...)>(find(name));
    return function == nullptr ? function_not_found : function(arguments...);
  }

  Device device(unsigned index) const;
  Device mig_device(Device, unsigned index) const;  // null at a hole
  std::string uuid(Device) const;
  // The instance, or null; `code` gets the result.
  GpuInstanceHandle create(Device, unsigned profile, Return* code = nullptr) const;
  GpuInstanceHandle create_at(Device, unsigned profile, Placement, Return* code = nullptr) const;
  ComputeInstanceHandle create_compute(GpuInstanceHandle, unsigned profile, Return* code = nullptr) const;
  GpuInstanceInfo info(GpuInstanceHandle) const;
  ComputeInstanceInfo info(ComputeInstanceHandle) const;
  std::vector<Placement> placements(Device, unsigned profile) const;

 private:
  void* find(const std::string& name) const;
  void* library_;
};

// An order of one card, to be refined.
CardOrder card_of(std::string name);
inline MachineOrder machine_of(std::vector<CardOrder> cards) { return {std::move(cards), 1}; }

// A folder with a machine, which CARVE_SIM_DIR names while it lives; removed at the end.
class MachineFolder {
 public:
  explicit MachineFolder(std::string_view cards);
  explicit MachineFolder(const MachineOrder&);
  ~MachineFolder();
  MachineFolder(const MachineFolder&) = delete;
  MachineFolder& operator=(const MachineFolder&) = delete;

  const std::string& path() const { return path_; }
  Control control() const { return Control(path_); }

 private:
  std::string path_;
};

// A running process that does nothing, ended with the object.
class Sleeper {
 public:
  Sleeper();
  ~Sleeper() { end(); }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;
  std::int32_t pid() const { return pid_; }
  void end();

 private:
  std::int32_t pid_;
};

// A machine, the library, nvmlInit; MIG on where the cards have it, whatever it takes.
class CutMachine {
 public:
  explicit CutMachine(std::string_view cards, int branch = newest) : folder(cards), nvml(branch) { start(); }
  explicit CutMachine(const MachineOrder& order, int branch = newest) : folder(order), nvml(branch) { start(); }
  ~CutMachine();

  MachineFolder folder;
  Nvml nvml;
  Control control = folder.control();

 private:
  void start();
};

}  // namespace carve::sim
