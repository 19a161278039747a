// What the library knows in this process: whether it is initialised, as whom, and the machine as it was last read. One
// mutex guards it all, and is held over fork(), so that a child never finds it taken. It is not held while a call
// waits.
#pragma once

#include <pthread.h>

#include "simgpu/rules/rules.h"

namespace carve::sim {

// What the caller may do, from CARVE_SIM_PRIVILEGE: "root" (also when it is not set), "mig-config" (who was granted the
// mig/config capability), anything else means none.
enum class Privilege : std::uint8_t { none, mig_config, root };

struct EventSetRow {
  bool used = false;
  std::uint32_t generation = 0;
  std::uint64_t types[max_cards] = {};
  std::uint64_t seen = 0;  // events before registration are lost
};

struct GpmSampleRow {
  bool used = false;
  std::uint32_t generation = 0;
  bool taken = false;
  std::uint64_t time_us = 0;
  std::uint32_t sm_percent = 0;
  Held where = {};
};

inline constexpr int max_event_sets = 64;
inline constexpr int max_gpm_samples = 256;

struct Library {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  std::uint32_t users = 0;  // calls of nvmlInit that were not taken back
  std::uint64_t boot = 0;   // of the machine, when it was initialised
  Privilege privilege = Privilege::none;
  Holder self = {};
  Store store;
  EventSetRow event_sets[max_event_sets];
  GpmSampleRow samples[max_gpm_samples];
};

extern Library library;

// Holds the mutex.
class Guard {
 public:
  Guard() { pthread_mutex_lock(&library.mutex); }
  ~Guard() { pthread_mutex_unlock(&library.mutex); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
};

const char* machine_folder();  // CARVE_SIM_DIR, or null
Return return_of(StoreFault);

// The driver that this build imitates.
struct Imitated {
  std::int32_t since;  // as in the table of functions
  const char* version;
  std::int32_t cuda;  // major * 1000 + minor * 10
};
extern const Imitated imitated;

}  // namespace carve::sim
