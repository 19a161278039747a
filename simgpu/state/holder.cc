#include "simgpu/state/holder.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace carve::sim {

namespace {

// The fields of /proc/PID/stat after the name, which stands in parentheses and may hold any letter: state is the first
// of them, the start time the twentieth.
struct ProcessStat {
  char state = '\0';
  std::uint64_t started = 0;
};

bool read_stat(std::int32_t pid, ProcessStat& stat) {
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  const int descriptor = ::open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  char text[1024];
  const ssize_t got = ::read(descriptor, text, sizeof text - 1);
  ::close(descriptor);
  if (got <= 0) return false;
  text[got] = '\0';
  const char* at = std::strrchr(text, ')');
  if (at == nullptr || at[1] != ' ') return false;
  at += 2;
  stat.state = *at;
  for (int field = 1; field < 20 && at != nullptr; ++field) {
    at = std::strchr(at, ' ');
    if (at != nullptr) ++at;
  }
  if (at == nullptr) return false;
  stat.started = std::strtoull(at, nullptr, 10);
  return true;
}

}  // namespace

Holder holder_of(std::int32_t pid) {
  ProcessStat stat;
  return {pid, read_stat(pid, stat) ? stat.started : 0};
}

bool alive(Holder holder) {
  if (::kill(holder.pid, 0) != 0 && errno == ESRCH) return false;
  ProcessStat stat;
  if (!read_stat(holder.pid, stat)) return ::access("/proc/self/stat", F_OK) != 0;  // without /proc, the number decides
  if (stat.state == 'Z' || stat.state == 'X') return false;
  return holder.started == 0 || holder.started == stat.started;
}

}  // namespace carve::sim
