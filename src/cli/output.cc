#include "cli/output.h"

#include <unistd.h>
#include <cerrno>
#include <cstring>

namespace carve {

namespace {

// Zero, or the errno of the write that failed.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

Result<void> print(std::string_view text) {
  const int failed = write_all(STDOUT_FILENO, text);
  if (failed == 0 || failed == EPIPE) return {};
  return fail(
      Error{Fault::environment, fmt::format("writing to standard output: {}", std::strerror(failed)), {}, {}, {}});
}

void complain(std::string_view text) { (void)write_all(STDERR_FILENO, text); }

}  // namespace carve
