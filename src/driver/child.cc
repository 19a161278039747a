#include "driver/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
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

}  // namespace

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

namespace {

Error environment(std::string message, std::string help) {
  return {Fault::environment, std::move(message), {}, std::move(help), {}};
}

// noexcept: what is thrown ends the child, and never returns into the parent's code.
[[noreturn]] void be_child(int channel, pid_t parent, Watch& watch,
                           const std::function<void(int, Watch&)>& work) noexcept {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_IGN);  // the parent decides when to stop
  constexpr unsigned first = STDERR_FILENO + 1;
  const int kept = ::fcntl(channel, F_DUPFD_CLOEXEC, static_cast<int>(first));  // the streams may have been closed
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
  const auto own = static_cast<unsigned>(kept);
  if (own > first) ::close_range(first, own - 1, 0);
  ::close_range(own + 1, ~0U, 0);
  work(kept, watch);
  ::_exit(0);
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

Error no_process() { return environment(fmt::format("no process can be started: {}", std::strerror(errno)), ""); }

}  // namespace

ChildProcess::ChildProcess(pid_t child, Descriptor channel, std::unique_ptr<SharedWatch> watch)
    : child_(child), channel_(std::move(channel)), watch_(std::move(watch)) {}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : child_(std::exchange(other.child_, 0)), channel_(std::move(other.channel_)), watch_(std::move(other.watch_)) {}

ChildProcess::~ChildProcess() {
  if (child_ == 0) return;
  channel_.close();
  ::kill(child_, SIGKILL);
  (void)reap(child_);
}

Result<ChildProcess> ChildProcess::start(const std::function<void(int, Watch&)>& work) {
  auto watch = std::make_unique<SharedWatch>();
  int ends[2] = {-1, -1};
  if (!watch->mapped() || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return fail(no_process());
  Descriptor ours(ends[0]);
  const Descriptor theirs(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return fail(no_process());
  if (child == 0) be_child(theirs.number(), parent, **watch, work);
  return ChildProcess(child, std::move(ours), std::move(watch));
}

ChildProcess::Heard ChildProcess::hear(Clock::time_point end, std::string& bytes) const {
  std::array<char, 65536> buffer;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd waiting{channel(), POLLIN, 0};
    const int ready = left <= 0 ? 0 : ::poll(&waiting, 1, static_cast<int>(left));
    if (ready == 0) return {false, End::too_late};
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0) return {false, End::broken};
    const ssize_t got = ::read(channel(), buffer.data(), buffer.size());
    // What the child had not read when it died makes the end of its answers a reset.
    if (got == 0 || (got < 0 && errno == ECONNRESET)) return {false, End::closed};
    if (got < 0 && errno != EINTR) return {false, End::broken};
    if (got < 0) continue;
    bytes.append(buffer.data(), static_cast<std::size_t>(got));
    return {true, End::closed};
  }
}

std::optional<Error> ChildProcess::judge(End how, std::chrono::milliseconds limit) {
  if (how != End::closed) ::kill(child_, SIGKILL);
  const std::optional<int> status = reap(std::exchange(child_, 0));
  const char* doing = (**watch_).doing();
  const std::string help = "'dmesg' may say more; a card or driver in this state often needs a reset or a reboot";
  if (how == End::too_late)
    return environment(fmt::format("the driver did not answer within {:.1f} s; it was left in {}",
                                   static_cast<double>(limit.count()) / 1000, doing),
                       help);
  if (status && WIFSIGNALED(*status))
    return environment(
        fmt::format("the driver's library ended its process in {} (signal {})", doing, WTERMSIG(*status)), help);
  if (how == End::broken || !status || WEXITSTATUS(*status) != 0)
    return environment(fmt::format("the process that asks the driver failed in {}", doing), help);
  return {};
}

Result<std::string> in_child(std::chrono::milliseconds limit, const std::function<std::string(Watch&)>& work) {
  const auto end = Clock::now() + limit;
  TRY(ChildProcess child, ChildProcess::start([&](int channel, Watch& watch) {
        (void)write_all(channel, work(watch));  // half an answer is seen as such
      }));
  std::string bytes;
  ChildProcess::Heard heard;
  do heard = child.hear(end, bytes);
  while (heard.more);
  if (std::optional<Error> error = child.judge(heard.end, limit)) return fail(std::move(*error));
  return bytes;
}

}  // namespace carve
