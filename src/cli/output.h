// The one way to standard output. What could not be written is an error, never a shorter file.
#pragma once

#include <string_view>

#include "base/base.h"

namespace carve {

// Writes all of it. A reader that went away (`carve plan ... | head`) has what it wanted: that is no error.
// Error: environment, as when the disk is full.
Result<void> print(std::string_view text);

// To standard error, as far as it goes: there is no other place left to complain to.
void complain(std::string_view text);

}  // namespace carve
