// How long calls take, and who waits for whom meanwhile.
#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "simgpu/nvml/call.h"
#include "simgpu/nvml/library.h"

namespace carve::sim {

namespace {

// A lock of the card, or of the whole driver, as CARVE_SIM_SLOW has it: a range of bytes of the machine's file, of the
// kind that has nothing to do with the lock of its contents. Held as long as its descriptor is open.
class SlowLock {
 public:
  explicit SlowLock(int card) {
    const char* kind = std::getenv("CARVE_SIM_SLOW");
    const std::string_view whose = kind == nullptr ? "" : kind;
    if (whose != "card" && whose != "driver") return;
    char path[PATH_MAX];
    std::snprintf(path, sizeof path, "%s/machine", machine_folder());
    descriptor_ = ::open(path, O_RDWR | O_CLOEXEC);
    struct flock range {};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    range.l_start = whose == "card" && card >= 0 ? card : 0;
    range.l_len = whose == "card" && card >= 0 ? 1 : 0;  // 0: to the end, the whole driver
    while (descriptor_ >= 0 && ::fcntl(descriptor_, F_OFD_SETLKW, &range) != 0 && errno == EINTR) {
    }
  }
  ~SlowLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  SlowLock(const SlowLock&) = delete;
  SlowLock& operator=(const SlowLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace

void take_time(SlowCall call, Slow what) noexcept {
  std::int32_t ms = 0;
  {
    Guard guard;
    if (library.users == 0) return;
    Access access(library.store, machine_folder(), LockKind::shared);
    if (access.fault() != StoreFault::none) return;
    const auto rows = latency_rows();
    const std::uint32_t chosen = access.machine().now.latency;
    if (chosen < rows.size()) ms = latency_of(rows[chosen], call, what.compute_slices);
  }
  if (ms <= 0) return;
  const SlowLock lock(what.card);
  sleep_us(static_cast<std::uint64_t>(ms) * 1000);
}

}  // namespace carve::sim
