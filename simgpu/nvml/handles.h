// Handles as numbers: a mark, a kind, a place, and a generation that tells an instance from a later one at the same
// place. They point nowhere; a wrong one is recognised and refused.
//
// A MIG device's handle has the index of the device and no generation: like the driver's, it means another device when
// the index was given to another one.
#pragma once

#include "simgpu/nvml/library.h"

namespace carve::sim {

struct DeviceTarget {
  int card = -1;
  ComputeSlot mig = {};  // compute -1: the card itself
  bool is_mig() const { return mig.compute >= 0; }
};

Device device_handle(const Machine&, int card);
Device mig_handle(const Machine&, int card, std::uint32_t index);
GpuInstanceHandle gpu_instance_handle(const Machine&, GpuSlot);
ComputeInstanceHandle compute_instance_handle(const Machine&, ComputeSlot);

// invalid_argument, or gpu_is_lost.
Return find(const Machine&, Device, DeviceTarget&);
// The same for calls that want a card and no MIG device.
Return find_card(const Machine&, Device, int& card);
// The same for calls about MIG: not_supported on a card that has none.
Return find_mig_card(const Machine&, Device, int& card);
Return find(const Machine&, GpuInstanceHandle, GpuSlot&);
Return find(const Machine&, ComputeInstanceHandle, ComputeSlot&);

// Rows of the process's own tables.
EventSet event_set_handle(int row);
GpmSample sample_handle(int row);
EventSetRow* find(EventSet);
GpmSampleRow* find(GpmSample);

}  // namespace carve::sim
