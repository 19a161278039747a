#include "base/descriptor.h"

#include <unistd.h>
#include <cerrno>
#include <utility>

namespace carve {

void Descriptor::close() {
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace carve
