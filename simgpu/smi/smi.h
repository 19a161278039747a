// smi: nvidia-smi for simulated cards, as much of it as carve and a person at a terminal need. It loads
// libnvidia-ml.so.1 as anybody does; what NVML has no call for (reset, time slices) it does on the machine itself, as
// the real one goes past NVML to the driver.
//
// Every verb returns an exit code; what it says goes to standard output, errors included, as the real one does.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "simgpu/rules/rules.h"

namespace carve::sim {

// The library, loaded and initialised.
class Nvml {
 public:
  // Null with a message printed and `code` set to what the program must return.
  static Nvml* open(int& code);
  void close();

  template <class... Arguments>
  Return call(const char* name, Arguments... arguments) const {
    auto* function = reinterpret_cast<Return (*)(Arguments...)>(find(name));
    return function == nullptr ? function_not_found : function(arguments...);
  }
  const char* text(Return) const;  // nvmlErrorString

 private:
  void* find(const char* name) const;
  void* library_ = nullptr;
};

// A card that was asked for.
struct Chosen {
  unsigned index = 0;
  Device device = nullptr;
};

// What stands on the command line.
struct Request {
  const Nvml* nvml = nullptr;
  std::vector<Chosen> cards;                    // of -i, else all
  std::vector<unsigned> numbers;                // of the option itself: profile ids, instance ids, a mode
  std::vector<std::optional<unsigned>> starts;  // of -cgi, one for each number: where it shall stand
  std::vector<unsigned> gpu_ids;                // of -gi; empty: all
  std::vector<unsigned> compute_ids;            // of -ci; empty: all
  bool whole_compute = false;                   // -C
  std::vector<std::string> fields;              // of a query
  bool header = true;
  bool units = true;
};

int exit_code(Return);
std::string text_of(const Nvml&, const char* function, Device);  // a name or a UUID
std::string bus_id_of(const Nvml&, Device);

// Looks at every GPU instance of a card, in the order of profiles.
struct GpuRow {
  GpuInstanceHandle handle;
  GpuInstanceInfo info;
  std::string profile_name;
  int slices;
};
std::vector<GpuRow> gpu_instances(const Nvml&, Device);
struct ComputeRow {
  ComputeInstanceHandle handle;
  ComputeInstanceInfo info;
  std::string profile_name;
};
std::vector<ComputeRow> compute_instances(const Nvml&, const GpuRow&);
// Every profile that the card has.
std::vector<GpuProfileInfoV2> gpu_profiles(const Nvml&, Device);

int list_devices(const Request&);               // -L
int list_profiles(const Request&);              // mig -lgip
int list_placements(const Request&);            // mig -lgipp
int list_gpu_instances(const Request&);         // mig -lgi
int list_compute_instances(const Request&);     // mig -lci
int create_gpu_instances(const Request&);       // mig -cgi
int create_compute_instances(const Request&);   // mig -cci
int destroy_gpu_instances(const Request&);      // mig -dgi
int destroy_compute_instances(const Request&);  // mig -dci
int query_compute_apps(const Request&);         // --query-compute-apps
int set_mode(const Request&);                   // -mig
int reset(const Request&);                      // --gpu-reset
int list_policies(const Request&);              // compute-policy -l
int set_timeslice(const Request&);              // compute-policy --set-timeslice

}  // namespace carve::sim
