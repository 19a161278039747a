// The device files of a card and of its MIG devices: what a process has to be able to open, by name.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.h"

namespace carve {

// "/dev/nvidia0", below `root` (empty: the system itself). Error: environment: the minor is not told, or no such file.
Result<std::string> card_file(const LiveCard&, const std::string& root);

// Of a MIG device: the card's, the GPU instance's and the compute instance's. The two last are named by minors that the
// driver tells below /proc/driver/nvidia/capabilities, and stand in /dev/nvidia-caps.
// Errors: environment: what tells a minor cannot be read, or a file is not there.
Result<std::vector<std::string>> mig_device_files(const LiveCard&, const LiveGpuInstance&, const LiveComputeInstance&,
                                                  const std::string& root);

}  // namespace carve
