#include "cli/interrupts.h"

#include <algorithm>
#include <cerrno>
#include <ctime>

namespace carve {

Interrupts::Interrupts() {
  ::sigemptyset(&watched_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&watched_, signal);
  ::sigprocmask(SIG_BLOCK, &watched_, &before_);
}

Interrupts::~Interrupts() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

Interrupts::Waited Interrupts::wait_until(std::chrono::steady_clock::time_point end) {
  for (;;) {
    const auto left = std::max(end - std::chrono::steady_clock::now(), std::chrono::steady_clock::duration::zero());
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(left);
    const auto rest = std::chrono::duration_cast<std::chrono::nanoseconds>(left - whole);
    const ::timespec limit{static_cast<std::time_t>(whole.count()), static_cast<long>(rest.count())};
    if (::sigtimedwait(&watched_, nullptr, &limit) >= 0) return Waited::interrupted;
    if (errno != EINTR) return Waited::until_then;
  }
}

}  // namespace carve
