// cuda: what a CUDA program finds on the machine, without CUDA: which devices, by CUDA_VISIBLE_DEVICES, and the device
// nodes that it opens for one.
//
// Known from NVIDIA's guide: a list of indices and UUIDs, of which the first that is not there ends the list; UUIDs may
// be shortened as long as only one device has them; a process sees one MIG device, even if more are listed; a card in
// MIG mode is no device. Ours, where no source says more: without the variable the cards without MIG in the order of
// the bus, and the first MIG device only where there are none; a device that stands twice ends the list; after a card
// no MIG device is taken.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simgpu/rules/rules.h"

namespace carve::sim {

// The devices of a program, in their order. Nothing in `visible`: the variable is not set.
std::vector<Held> visible_devices(const Machine&, std::optional<std::string_view> visible);

// "GPU-..." or "MIG-..."
std::string uuid_of(const Machine&, Held);

// Below the machine's root: "/dev/nvidiactl", "/dev/nvidia3", "/dev/nvidia-caps/nvidia-cap426" ...
std::vector<std::string> nodes_of(const Machine&, Held);

}  // namespace carve::sim
