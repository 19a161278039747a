// Programs that run while a test lasts, under whatever name, each as a job of its own.
#pragma once

#include <string>
#include <vector>

#include "simgpu/loaded.h"

namespace carve::sample {

class Running {
 public:
  // `name` is what it is called, as the first of its arguments: any bytes but zero.
  explicit Running(const std::string& name);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  std::int32_t pid() const { return pid_; }
  void hold(const sim::MachineFolder&, sim::Held, std::int64_t mib, int sm_percent = 0) const;

 private:
  std::int32_t pid_ = 0;
};

std::string in(const sim::MachineFolder&);  // CARVE_SIM_DIR=...
std::string nvml_of(int branch);            // CARVE_NVML=...

}  // namespace carve::sample
