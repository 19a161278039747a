// tree: what the driver shows below /proc and /dev, as files under a root folder: the cards, the capabilities of MIG
// and their device nodes. A snapshot of a machine; write it again after a change.
//
//   ROOT/proc/driver/nvidia/version
//   ROOT/proc/driver/nvidia/gpus/BUS/information
//   ROOT/proc/driver/nvidia/capabilities/mig/{config,monitor}
//   ROOT/proc/driver/nvidia/capabilities/gpuM/mig/giX/access, .../ciY/access     M: the minor of the card
//   ROOT/proc/driver/nvidia-caps/mig-minors
//   ROOT/dev/{nvidiactl,nvidia-uvm,nvidiaM}, ROOT/dev/nvidia-caps/nvidia-capN
//
// Device nodes are empty files: who looks for them by name finds them, and nobody needs rights to make them. A card
// that is lost is not there, nor is anything while the driver is not loaded.
#pragma once

#include <string>

#include "base/base.h"
#include "simgpu/rules/rules.h"

namespace carve::sim {

// `driver` is its version, as in "580.65.06". The root folder must exist; what an earlier call wrote is replaced.
Result<void> write_tree(const std::string& root, const std::string& driver, const Machine&);

}  // namespace carve::sim
