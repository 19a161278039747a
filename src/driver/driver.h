// driver: what the machine says about itself. The only room that knows NVML, MPS or /proc; the others see the values of
// machine/.
//
//   read_machine()   cards, modes, instances and occupants, as they are now
//   CardSession      changes one card after the other, and reads back what became of it (session.h)
//   reset_cards()    what NVML cannot do (reset.h)
//   openers_of()     who keeps a card from being reset (openers.h)
//   card_file(), mig_device_files()   what a process opens to use a card or a MIG device (device_files.h)
//
// A read happens in a child process, which is left behind when a call does not return: a hung driver, or one that dies,
// is an error like any other, and no handle outlives the read.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "driver/device_files.h"
#include "driver/openers.h"
#include "driver/reset.h"
#include "driver/session.h"
#include "machine/machine.h"

namespace carve {

// An error within five seconds, whatever the driver does.
inline constexpr std::chrono::milliseconds read_limit{4500};

struct ReadOptions {
  std::string library = "libnvidia-ml.so.1";  // a path, or a name for the system's search
  std::string root = {};                      // the folder whose proc/ and etc/ are read; empty: the system's own
  std::chrono::milliseconds limit = read_limit;
  // Where a time is given: also how busy everything was since then (LiveCard::use).
  std::optional<std::chrono::system_clock::time_point> use_since = {};
};

// Errors: environment: there is no NVML or no driver, a call did not return in time, or killed its process.
// What one card or one figure lacks is no error: it stands in the machine.
Result<Machine> read_machine(const ReadOptions&);

}  // namespace carve
