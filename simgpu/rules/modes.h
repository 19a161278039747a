// MIG mode, and what wipes a card: reset, reboot, unloading the driver.
#pragma once

#include "simgpu/abi/abi.h"
#include "simgpu/state/state.h"

namespace carve::sim {

// The call's own result, and what became of the mode.
struct ModeResult {
  Return result = success;
  Return activation = success;
};
// `self` is the calling process, which is not in its own way.
ModeResult set_mig_mode(Machine&, int card, std::uint32_t mode, std::int32_t self);

// Bits of the cards that are reset together with this one.
std::uint32_t reset_group(const Boards&, int card);
// success; in_use: somebody other than `self` holds one of the group; reset_type_not_supported: a card that is passed
// through. A mode that was pending becomes current, instances are gone, a card that was lost is back.
Return reset_card(Machine&, int card, std::int32_t self);

// Processes and clients are gone; Hopper and later lose the mode, and all lose their instances.
void reboot(Machine&);
// in_use: somebody has a card or NVML open.
Return unload_driver(Machine&, std::int32_t self);
void load_driver(Machine&);

}  // namespace carve::sim
