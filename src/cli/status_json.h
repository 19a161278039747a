// What `carve status --json` prints; docs/json.md describes it.
#pragma once

#include <string>

#include "machine/machine.h"

namespace carve {

std::string status_json(const Machine&);

// The same in one line, and what stands in its place when the machine cannot be read.
std::string status_line(const Machine&);
std::string error_line(const Error&);

}  // namespace carve
