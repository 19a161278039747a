// What `carve observe --json` prints; docs/json.md describes it.
#pragma once

#include <string>

#include "observe/observe.h"

namespace carve {

std::string observe_json(const Observed&, const ObservedSpan&);

}  // namespace carve
