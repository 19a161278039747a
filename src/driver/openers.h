// Who has the device node of a card open: monitors and services, which keep it from changing its mode or being reset,
// and stand in no list of NVML.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.h"

namespace carve {

struct Opener {
  std::int32_t pid = 0;
  std::string program;        // "nv-hostengine"
  std::string_view known_as;  // "DCGM, which monitors cards"; empty if it is not known
};

// Where to look: ROOT/proc of the processes, ROOT/dev of the nodes; empty: the system's own.
struct OpenerSearch {
  std::string proc_root = {}, device_root = {};
};

// Processes other than this one and its children, by pid; those of others are seen by root only.
std::vector<Opener> openers_of(const LiveCard&, const OpenerSearch&);

// " by nv-hostengine (812; DCGM, which monitors cards)"; empty for nobody.
std::string to_string(const std::vector<Opener>&);

}  // namespace carve
