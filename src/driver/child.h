// Work that may hang or crash, done in a child process that can be left behind. A thread would not do: one that is
// stuck in the kernel keeps its whole process from ending.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "base/base.h"
#include "driver/watch.h"

namespace carve {

// The bytes that `work` returns. The child has no standard streams and nothing else open of its parent's, so nobody
// waits for it after it was left behind; it ends when its parent does. Not for programs with several threads.
// Errors: environment: no child, no answer within `limit` (with what it was doing), or the child died.
Result<std::string> in_child(std::chrono::milliseconds limit, const std::function<std::string(Watch&)>& work);

}  // namespace carve
