// What the store and the rules refuse, as errors. Inside this room only.
#pragma once

#include "simgpu/control/control.h"

namespace carve::sim {

Error error_of(StoreFault, const std::string& folder);

}  // namespace carve::sim
