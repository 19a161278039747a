#include "simgpu/nvml/call.h"

#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>

#include "simgpu/tree/tree.h"

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

// What cannot be written is tried again by the next.
void show_files(const Access& access) { show_tree(machine_folder(), imitated.version, access.machine()); }

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

// With CARVE_SIM_KILL=group the whole process group of the caller goes: a program that asks through a child of its own.
[[noreturn]] void die() {
  const char* whom = std::getenv("CARVE_SIM_KILL");
  const bool group = whom != nullptr && std::string_view(whom) == "group";
  ::kill(group ? 0 : ::getpid(), SIGKILL);
  for (;;) ::pause();
}

CommitPoint commit_point(FaultAction action) {
  return action == FaultAction::kill_midway ? CommitPoint::half_written : CommitPoint::all;
}

// The machine is there, and it is the one that was initialised.
Return check(Access& access) {
  return access.fault() != StoreFault::none ? return_of(access.fault()) : check_session(access);
}

// The call itself, on a machine that was checked.
Return run_body(Access& access, Function function, Effect effect, Body& body, FaultAction action) {
  Return result = body.run(access);
  if (effect == Effect::changes && result == success) {
    if (access.commit(commit_point(action)) != StoreFault::none) result = no_permission;
  }
  if (action == FaultAction::kill_midway || action == FaultAction::kill_after) die();
  if (effect == Effect::changes && result == success) show_files(access);
  write_log(function, access.changes(), result);
  return result;
}

LockKind lock_for(Effect effect) { return effect == Effect::looks ? LockKind::shared : LockKind::exclusive; }

// A call that a fault may strike. It is counted first, which is a change of the machine, even if the call only looks.
// True in `hangs` if it does not come back; the locks are left before.
Return run_struck(Function function, Needs needs, Effect effect, Body& body, bool& hangs) {
  ArmedFault struck{};
  {
    Access access(library.store, machine_folder(), LockKind::exclusive);
    if (const Return checked = check(access); checked != success) return checked;
    struck = strike(access, function);
  }
  hangs = struck.action == FaultAction::hang;
  if (hangs) return success;
  if (struck.action == FaultAction::kill_before) die();
  if (struck.action == FaultAction::fail) {
    write_log(function, 0, static_cast<Return>(struck.code));
    return static_cast<Return>(struck.code);
  }
  if (!allowed(needs)) return no_permission;
  Access access(library.store, machine_folder(), lock_for(effect));
  if (const Return checked = check(access); checked != success) return checked;
  return run_body(access, function, effect, body, struck.action);
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
  bool hangs = false;
  {
    Guard guard;
    if (library.users == 0) return uninitialized;
    follow_fork();
    {
      Access access(library.store, machine_folder(), lock_for(effect));
      if (const Return checked = check(access); checked != success) return checked;
      if (!armed(access.machine().now, function)) {
        return allowed(needs) ? run_body(access, function, effect, body, FaultAction::none) : no_permission;
      }
    }
    const Return result = run_struck(function, needs, effect, body, hangs);
    if (!hangs) return result;
  }
  for (;;) ::pause();  // and keeps nobody else waiting
}

void sleep_us(std::uint64_t us) noexcept {
  timespec rest{static_cast<time_t>(us / 1000000), static_cast<long>(us % 1000000) * 1000};
  while (::nanosleep(&rest, &rest) != 0) {
  }
}

void note_who_left() noexcept {
  Guard guard;
  if (library.users == 0) return;
  Access access(library.store, machine_folder(), LockKind::exclusive);
  if (access.fault() != StoreFault::none || settle_ms(access.machine()) == 0) return;
  if (forget_dead(access.edit().now, alive, now_us())) access.commit();
}

Return give_text(std::string_view text, char* buffer, std::uint32_t size) {
  if (buffer == nullptr) return invalid_argument;
  if (text.size() >= size) return insufficient_size;
  std::memcpy(buffer, text.data(), text.size());
  buffer[text.size()] = '\0';
  return success;
}

}  // namespace carve::sim
