// Processes of this computer as the machine names them: by number and start time, so that a number that is given to
// another process later does not bring the dead back.
#pragma once

#include "simgpu/state/machine.h"

namespace carve::sim {

// started 0 if it cannot be found out.
Holder holder_of(std::int32_t pid);

// Neither gone, nor a zombie, nor another process with the same number.
bool alive(Holder);

}  // namespace carve::sim
