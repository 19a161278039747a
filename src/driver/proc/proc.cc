// /proc/PID of a process. Files there have no size, may be very long, and may vanish at any moment.
#include "driver/proc/proc.h"

#include <pwd.h>
#include <sys/stat.h>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>

namespace carve {

namespace {

constexpr std::size_t most_bytes = 4096;  // of a command line or a list of control groups

std::string beginning_of(const std::string& path, std::size_t most) {
  std::ifstream file(path, std::ios::binary);
  std::string text(most, '\0');
  file.read(text.data(), static_cast<std::streamsize>(most));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

// Arguments end with a zero byte each. A kernel thread, or one that ended, has none: then its short name.
std::string command_of(const std::string& folder) {
  std::string text = beginning_of(folder + "/cmdline", most_bytes);
  while (text.ends_with('\0')) text.pop_back();
  for (char& c : text)
    if (c == '\0') c = ' ';
  if (!text.empty()) return text;
  text = beginning_of(folder + "/comm", most_bytes);
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

// Lines "number:controllers:path". The unified hierarchy has number 0 and no controllers; where only the old ones are
// used it is empty or "/", and the path that systemd and container runtimes set stands at the others.
std::string cgroup_of(const std::string& folder) {
  std::istringstream lines(beginning_of(folder + "/cgroup", most_bytes));
  std::string best;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string path = line.substr(second + 1);
    if (path.size() > best.size()) best = path;
  }
  return best;
}

// "name:password:uid:..." of etc/passwd.
std::optional<std::string> name_in_file(const std::string& root, ::uid_t uid) {
  std::ifstream file(root + "/etc/passwd");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    ::uid_t found = 0;
    const auto [end, failed] = std::from_chars(line.data() + second + 1, line.data() + line.size(), found);
    if (failed == std::errc() && end != line.data() + line.size() && *end == ':' && found == uid)
      return line.substr(0, first);
  }
  return {};
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
  std::optional<std::string> name = name_in_file(root, uid);
  if (!name && root.empty()) name = name_in_system(uid, watch);
  return name.value_or(fmt::format("{}", uid));
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
  return ProcessFacts{user_of(status.st_uid, root, watch), command_of(folder), cgroup_of(folder)};
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
