// /proc/PID of a process. Files there have no size, may be very long, and may vanish at any moment.
#include "driver/proc/proc.h"

#include <pwd.h>
#include <sys/stat.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "driver/proc/text.h"

namespace carve {

namespace {

constexpr std::size_t most_bytes = 4096;     // of a command line or a list of control groups
constexpr std::size_t most_users = 1 << 18;  // bytes of the list of them
constexpr std::size_t most_ancestors = 64;

std::string beginning_of(const std::string& path, std::size_t most) {
  std::ifstream file(path, std::ios::binary);
  std::string text(most, '\0');
  file.read(text.data(), static_cast<std::streamsize>(most));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

// A kernel thread, or one that ended, has no arguments: then its short name.
std::string command_of(const std::string& folder) {
  std::string text = command_in(beginning_of(folder + "/cmdline", most_bytes));
  if (!text.empty()) return text;
  text = beginning_of(folder + "/comm", most_bytes);
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

std::optional<std::string> name_in_system(::uid_t uid, Watch& watch) {
  watch.begin("looking up the name of a user");
  std::array<char, 4096> buffer;
  ::passwd entry{};
  ::passwd* found = nullptr;
  if (::getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) return {};
  return std::string(found->pw_name);
}

std::string user_of(::uid_t uid, const std::string& root, Watch& watch) {
  std::optional<std::string> name = user_in(beginning_of(root + "/etc/passwd", most_users), uid);
  if (!name && root.empty()) name = name_in_system(uid, watch);
  return name.value_or(fmt::format("{}", uid));
}

std::optional<ProcessStat> stat_of(std::int32_t pid, const std::string& root) {
  return stat_in(beginning_of(fmt::format("{}/proc/{}/stat", root, pid), most_bytes));
}

std::vector<std::int32_t> ancestors_from(std::int32_t parent, const std::string& root) {
  std::vector<std::int32_t> ancestors;
  while (parent > 0 && ancestors.size() < most_ancestors) {
    ancestors.push_back(parent);
    const std::optional<ProcessStat> stat = stat_of(parent, root);
    parent = stat ? stat->parent : 0;
  }
  return ancestors;
}

}  // namespace

Reading<ProcessFacts> read_process(std::int32_t pid, const std::string& root, Watch& watch) {
  watch.begin("reading /proc");
  const std::string folder = fmt::format("{}/proc/{}", root, pid);
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) {
    if (errno == ENOENT)
      return missing(Absence::unsupported, "no such process here: it ended, or is in a container of its own");
    return missing(errno == EACCES || errno == EPERM ? Absence::denied : Absence::failed,
                   fmt::format("{}: {}", folder, std::strerror(errno)));
  }
  ProcessFacts facts;
  facts.user = user_of(status.st_uid, root, watch);
  facts.command = command_of(folder);
  facts.cgroup = cgroup_in(beginning_of(folder + "/cgroup", most_bytes));
  const std::optional<ProcessStat> stat = stat_of(pid, root);
  if (!stat) return facts;
  facts.started = stat->started;
  facts.group = stat->group;
  facts.ancestors = ancestors_from(stat->parent, root);
  return facts;
}

// A process that holds several instances is looked up once.
void look_up_occupants(LiveCard& card, const std::string& root, Watch& watch) {
  if (!card.occupants) return;
  std::map<std::int32_t, Reading<ProcessFacts>> known;
  for (Occupant& occupant : *card.occupants) {
    auto at = known.find(occupant.pid);
    if (at == known.end()) at = known.emplace(occupant.pid, read_process(occupant.pid, root, watch)).first;
    occupant.process = at->second;
  }
}

}  // namespace carve
