// rules: what the driver does, as functions over the machine. Nothing here locks, waits or knows C callers.
//
// The rules are written for the simulator alone. The product has its own, and tests hold both against recorded
// listings.
#pragma once

#include "simgpu/rules/events.h"     // what happened to cards
#include "simgpu/rules/identity.h"   // UUIDs, bus ids, minors
#include "simgpu/rules/instances.h"  // GPU instances, compute instances, MIG devices
#include "simgpu/rules/latency.h"    // how long calls take
#include "simgpu/rules/modes.h"      // MIG mode, reset, reboot, loading and unloading
#include "simgpu/rules/occupants.h"  // processes, clients, who is in the way
#include "simgpu/rules/places.h"     // where instances go
