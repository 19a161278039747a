// Files as whole values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace carve {

// The bytes of a regular file. Refuses a folder, a device, and a file over `limit_bytes` without reading it.
Result<std::string> read_file(const std::string& path, std::int64_t limit_bytes);

// Replaces the file at `path` by `bytes`, as a whole or not at all: temporary file, fsync, rename, fsync of the folder.
// A link stays one, and what it leads to is replaced. Error: bad_input where there is something else than a file.
Result<void> write_file_atomically(const std::string& path, std::string_view bytes);

}  // namespace carve
