#include "change/occupants.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace carve {

namespace {

// Of one that has ended meanwhile nothing is said: the driver will see it.
Result<void> send(std::int32_t pid, int signal) {
  if (::kill(pid, signal) == 0 || errno == ESRCH) return {};
  return fail(Error{Fault::environment,
                    fmt::format("process {} cannot be stopped: {}", pid, std::strerror(errno)),
                    {},
                    "only its user and root may stop it",
                    {}});
}

}  // namespace

// A number may be another process's by now; who got no TERM from here never gets KILL.
Result<bool> ProcessOccupants::ask_to_leave(const std::vector<Occupant>& occupants,
                                            std::chrono::milliseconds held_for) {
  const bool may = std::all_of(occupants.begin(), occupants.end(), [&](const Occupant& occupant) {
    return occupant.pid > 1 && (whom_ == Stop::everybodys || ours_(occupant.pid));
  });
  if (!may) return false;
  for (const Occupant& occupant : occupants) {
    if (asked_.insert(occupant.pid).second)
      TRY_VOID(send(occupant.pid, SIGTERM));
    else if (held_for >= grace_)
      TRY_VOID(send(occupant.pid, SIGKILL));
  }
  return true;
}

std::string holders(const std::vector<Occupant>& occupants) {
  constexpr std::size_t most = 5;
  std::vector<std::string> names;
  for (const Occupant& occupant : occupants) {
    if (names.size() == most) {
      names.push_back(fmt::format("{} more", occupants.size() - most));
      break;
    }
    names.push_back(occupant.process
                        ? fmt::format("{} ({}, {})", occupant.pid, occupant.process->user, occupant.process->command)
                        : fmt::format("{}", occupant.pid));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace carve
