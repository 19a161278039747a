// state: the simulated machine and the file that holds it. Any number of processes share it; one killed anywhere leaves
// a machine that the next one can use.
//
//   Machine   a plain value of fixed size
//   Access    a lock on the file of a folder, the machine that is in it, and commit()
#pragma once

#include "simgpu/state/clock.h"    // what time it is
#include "simgpu/state/holder.h"   // who is alive
#include "simgpu/state/machine.h"  // the values
#include "simgpu/state/store.h"    // the file
