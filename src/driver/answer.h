// What the reading process sends to its parent: the machine or the error, as bytes.
#pragma once

#include <string>
#include <string_view>

#include "machine/machine.h"

namespace carve {

std::string pack_answer(Result<Machine>);

// Error: the one that was packed; environment, for bytes that are no whole answer.
Result<Machine> unpack_answer(std::string_view);

}  // namespace carve
