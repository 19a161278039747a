#include "driver/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/base.h"

namespace carve {

namespace {

using Clock = std::chrono::steady_clock;

// A Watch in memory that parent and child share.
class SharedWatch {
 public:
  SharedWatch() : memory_(::mmap(nullptr, sizeof(Watch), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (mapped()) watch_ = std::construct_at(static_cast<Watch*>(memory_));
  }
  ~SharedWatch() {
    if (mapped()) ::munmap(memory_, sizeof(Watch));
  }
  SharedWatch(const SharedWatch&) = delete;
  SharedWatch& operator=(const SharedWatch&) = delete;
  bool mapped() const { return memory_ != MAP_FAILED; }
  Watch& operator*() const { return *watch_; }

 private:
  void* memory_;
  Watch* watch_ = nullptr;
};

Error environment(std::string message, std::string help) {
  return {Fault::environment, std::move(message), {}, std::move(help), {}};
}

// noexcept: what is thrown ends the child, and never returns into the parent's code.
[[noreturn]] void be_child(int answer, pid_t parent, Watch& watch,
                           const std::function<std::string(Watch&)>& work) noexcept {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  constexpr unsigned first = STDERR_FILENO + 1;
  const int kept = ::fcntl(answer, F_DUPFD_CLOEXEC, static_cast<int>(first));  // the streams may have been closed
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
  const auto own = static_cast<unsigned>(kept);
  if (own > first) ::close_range(first, own - 1, 0);
  ::close_range(own + 1, ~0U, 0);
  (void)write_all(kept, work(watch));  // half an answer is seen as such
  ::_exit(0);
}

enum class Heard { all, too_late, broken };

// Until the child closes its end.
Heard hear(int descriptor, Clock::time_point end, std::string& bytes) {
  std::array<char, 65536> buffer;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd waiting{descriptor, POLLIN, 0};
    const int ready = left <= 0 ? 0 : ::poll(&waiting, 1, static_cast<int>(left));
    if (ready == 0) return Heard::too_late;
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0) return Heard::broken;
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got == 0) return Heard::all;
    if (got > 0) bytes.append(buffer.data(), static_cast<std::size_t>(got));
    if (got < 0 && errno != EINTR) return Heard::broken;
  }
}

// The status of a child that is about to end; nothing if it does not within a moment. Then it is left to the system.
std::optional<int> reap(pid_t child) {
  for (int tries = 0; tries < 400; ++tries) {
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) == child) return status;
    ::usleep(250);
  }
  return {};
}

Result<std::string> judge(Heard heard, std::string bytes, pid_t child, const Watch& watch,
                          std::chrono::milliseconds limit) {
  if (heard != Heard::all) ::kill(child, SIGKILL);
  const std::optional<int> status = reap(child);
  const std::string help = "'dmesg' may say more; a card or driver in this state often needs a reset or a reboot";
  if (heard == Heard::too_late)
    return fail(environment(fmt::format("the driver did not answer within {:.1f} s; it was left in {}",
                                        static_cast<double>(limit.count()) / 1000, watch.doing()),
                            help));
  if (status && WIFSIGNALED(*status))
    return fail(environment(
        fmt::format("the driver's library ended its process in {} (signal {})", watch.doing(), WTERMSIG(*status)),
        help));
  if (heard == Heard::broken || !status || WEXITSTATUS(*status) != 0)
    return fail(environment(fmt::format("the process that asks the driver failed in {}", watch.doing()), help));
  return bytes;
}

}  // namespace

Result<std::string> in_child(std::chrono::milliseconds limit, const std::function<std::string(Watch&)>& work) {
  const SharedWatch watch;
  int ends[2] = {-1, -1};
  if (!watch.mapped() || ::pipe2(ends, O_CLOEXEC) != 0)
    return fail(environment(fmt::format("no process can be started: {}", std::strerror(errno)), ""));
  const Descriptor ear(ends[0]);
  Descriptor mouth(ends[1]);
  const auto end = Clock::now() + limit;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return fail(environment(fmt::format("no process can be started: {}", std::strerror(errno)), ""));
  if (child == 0) be_child(mouth.number(), parent, *watch, work);
  mouth.close();
  std::string bytes;
  const Heard heard = hear(ear.number(), end, bytes);
  return judge(heard, std::move(bytes), child, *watch, limit);
}

}  // namespace carve
