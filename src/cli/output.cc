#include "cli/output.h"

#include <unistd.h>
#include <cerrno>
#include <cstring>

namespace carve {

Result<void> print(std::string_view text) {
  const int failed = write_all(STDOUT_FILENO, text);
  if (failed == 0 || failed == EPIPE) return {};
  return fail(
      Error{Fault::environment, fmt::format("writing to standard output: {}", std::strerror(failed)), {}, {}, {}});
}

void complain(std::string_view text) { (void)write_all(STDERR_FILENO, text); }

}  // namespace carve
