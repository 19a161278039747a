// Simulated cards as carve's driver room reads them.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "driver/driver.h"
#include "simgpu/loaded.h"

namespace carve::sample {

inline std::string library_of(int branch) {
  return std::string(CARVE_SIM_LIBRARIES) + "/" + std::to_string(branch) + "/libnvidia-ml.so.1";
}

// The machine of CARVE_SIM_DIR as this driver tells it; a failure of the test if it cannot be read.
inline Machine read(int branch = sim::newest) {
  const Result<Machine> machine = read_machine({library_of(branch)});
  if (!machine) ADD_FAILURE() << machine.error().message;
  return machine ? *machine : Machine{};
}

// One instance of each profile name, in this order, with its compute instance over all of it.
void cut(const sim::CutMachine&, unsigned card, const std::vector<unsigned>& profile_ids);

// An environment variable that holds while this lives.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~Setting() { ::unsetenv(name_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
};

}  // namespace carve::sample
