#include "simgpu/nvml/call.h"

#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>

namespace carve::sim {

void write_log(Function function, std::uint64_t changes, Return result) {
  const char* path = std::getenv("CARVE_SIM_LOG");
  if (path == nullptr) return;
  const int descriptor = ::open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return;
  char line[160];
  const int size =
      std::snprintf(line, sizeof line, "%d %llu %s %d\n", ::getpid(), static_cast<unsigned long long>(changes),
                    function_rows[static_cast<int>(function)].name, static_cast<int>(result));
  [[maybe_unused]] const ssize_t put = ::write(descriptor, line, static_cast<std::size_t>(size));
  ::close(descriptor);
}

namespace {

// Initialised, and still the same boot of the machine. A child of fork() is a client of its own from its first call.
Return check_session(Access& access) {
  const Machine& machine = access.machine();
  if (machine.now.loaded == 0 || machine.now.boot != library.boot) return uninitialized;
  return success;
}

bool matches(const ArmedFault& fault, Function function) {
  return fault.action != FaultAction::none &&
         (fault.any_function != 0 || fault.function == static_cast<int>(function)) &&
         (fault.pid == 0 || fault.pid == ::getpid());
}

bool armed(const Situation& now, Function function) {
  for (const ArmedFault& fault : now.faults) {
    if (matches(fault, function)) return true;
  }
  return false;
}

// Counts this call in every fault that it matches, and gives back the first one that strikes.
ArmedFault strike(Access& access, Function function) {
  ArmedFault struck{};
  for (ArmedFault& fault : access.edit().now.faults) {
    if (!matches(fault, function)) continue;
    if (fault.skip > 0) {
      --fault.skip;
    } else if (struck.action == FaultAction::none) {
      struck = fault;
      if (--fault.times == 0) fault = {};
    }
  }
  return access.commit() == StoreFault::none ? struck : ArmedFault{};
}

[[noreturn]] void die() {
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

CommitPoint commit_point(FaultAction action) {
  return action == FaultAction::kill_midway ? CommitPoint::half_written : CommitPoint::all;
}

// The fault that strikes this call, if there is one. A look takes the exclusive lock only when a fault waits for it.
Return consult_faults(Function function, ArmedFault& struck) {
  {
    Access access(library.store, machine_folder(), LockKind::shared);
    if (access.fault() != StoreFault::none) return return_of(access.fault());
    if (const Return session = check_session(access); session != success) return session;
    if (!armed(access.machine().now, function)) return success;
  }
  Access access(library.store, machine_folder(), LockKind::exclusive);
  if (access.fault() != StoreFault::none) return return_of(access.fault());
  struck = strike(access, function);
  return success;
}

Return run_body(Function function, Effect effect, Body& body, FaultAction action) {
  const LockKind kind = effect == Effect::looks ? LockKind::shared : LockKind::exclusive;
  Access access(library.store, machine_folder(), kind);
  if (access.fault() != StoreFault::none) return return_of(access.fault());
  if (const Return session = check_session(access); session != success) return session;
  Return result = body.run(access);
  if (effect == Effect::changes && result == success) {
    if (access.commit(commit_point(action)) != StoreFault::none) result = no_permission;
  }
  if (action == FaultAction::kill_midway || action == FaultAction::kill_after) die();
  write_log(function, access.changes(), result);
  return result;
}

// A forked child becomes a client of its own.
void follow_fork() {
  if (library.self.pid == ::getpid()) return;
  library.self = holder_of(::getpid());
  Access access(library.store, machine_folder(), LockKind::exclusive);
  if (access.fault() == StoreFault::none && add_client(access.edit().now, library.self)) access.commit();
}

}  // namespace

Return perform(Function function, Needs needs, Effect effect, Body& body) noexcept {
  ArmedFault struck{};
  {
    Guard guard;
    if (library.users == 0) return uninitialized;
    follow_fork();
    if (const Return found = consult_faults(function, struck); found != success) return found;
    if (struck.action == FaultAction::kill_before) die();
    if (struck.action == FaultAction::fail) {
      write_log(function, 0, static_cast<Return>(struck.code));
      return static_cast<Return>(struck.code);
    }
    if (struck.action != FaultAction::hang) {
      if (!allowed(needs)) return no_permission;
      return run_body(function, effect, body, struck.action);
    }
  }
  for (;;) ::pause();  // hangs, and keeps nobody else waiting
}

void sleep_us(std::uint64_t us) noexcept {
  timespec rest{static_cast<time_t>(us / 1000000), static_cast<long>(us % 1000000) * 1000};
  while (::nanosleep(&rest, &rest) != 0) {
  }
}

void take_time(SlowCall call, int compute_slices) noexcept {
  std::int32_t ms = 0;
  {
    Guard guard;
    if (library.users == 0) return;
    Access access(library.store, machine_folder(), LockKind::shared);
    if (access.fault() != StoreFault::none) return;
    const auto rows = latency_rows();
    const std::uint32_t chosen = access.machine().now.latency;
    if (chosen < rows.size()) ms = latency_of(rows[chosen], call, compute_slices);
  }
  if (ms > 0) sleep_us(static_cast<std::uint64_t>(ms) * 1000);
}

Return give_text(std::string_view text, char* buffer, std::uint32_t size) {
  if (buffer == nullptr) return invalid_argument;
  if (text.size() >= size) return insufficient_size;
  std::memcpy(buffer, text.data(), text.size());
  buffer[text.size()] = '\0';
  return success;
}

}  // namespace carve::sim
