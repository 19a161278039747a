// tree: what the driver shows below /proc and /dev, as files under a root folder: the cards, the capabilities of MIG
// and their device nodes.
//
//   ROOT/proc/driver/nvidia/version
//   ROOT/proc/driver/nvidia/gpus/BUS/information
//   ROOT/proc/driver/nvidia/capabilities/mig/{config,monitor}
//   ROOT/proc/driver/nvidia/capabilities/gpuM/mig/giX/access, .../ciY/access     M: the minor of the card
//   ROOT/proc/driver/nvidia-caps/mig-minors
//   ROOT/proc/sys/kernel/random/boot_id                                         another after each start of the machine
//   ROOT/dev/{nvidiactl,nvidia-uvm,nvidiaM}, ROOT/dev/nvidia-caps/nvidia-capN
//   ROOT/.shown                                                                  what of a machine is shown
//
// Device nodes are empty files: who looks for them by name finds them, and nobody needs rights to make them. A card
// that is lost is not there, nor is anything while the driver is not loaded.
//
// The root of a machine is the folder `root` in its own; where there is none, nobody wants the files. Whoever changes
// the machine brings the files in step while it holds the lock. Killed in between, it leaves a file `.shown` that does
// not fit the machine, and the next who comes, at nvmlInit at the latest, mends what differs.
#pragma once

#include "simgpu/rules/rules.h"

namespace carve::sim {

// What Control says of the driver; the library says its own. The first after a start is what stays.
inline constexpr const char* newest_driver = "580.65.06";

// Brings FOLDER/root in step with the machine; nothing to do where there is no such folder. Under the machine's
// exclusive lock. 0, or the errno of what could not be written; then the next call tries again.
int show_tree(const char* folder, const char* driver, const Machine&);

// Takes the files away, with what carve kept below ROOT/var and ROOT/run of its changes, and the folders that are empty
// then.
int remove_tree(const char* folder);

}  // namespace carve::sim
