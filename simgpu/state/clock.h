// The time of the machine: that of the computer. The rules get it as an argument.
#pragma once

#include <cstdint>

namespace carve::sim {

std::uint64_t now_us();  // since 1970

}  // namespace carve::sim
