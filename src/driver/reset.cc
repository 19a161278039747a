// The program is started without a shell, with its answer in a pipe, and killed when it takes too long.
#include "driver/reset.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

extern char** environ;

namespace carve {

namespace {

using Clock = std::chrono::steady_clock;
using Why = ResetRefusal::Why;

constexpr std::size_t most_bytes = 16384;  // of its answer that are kept

// The environment of this process, with the folder of the library in front where there is one.
std::vector<std::string> environment_of(const ResetTool& tool) {
  std::vector<std::string> variables;
  if (!tool.library_folder.empty()) variables.push_back("LD_LIBRARY_PATH=" + tool.library_folder);
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view variable = *at;
    if (tool.library_folder.empty() || !variable.starts_with("LD_LIBRARY_PATH=")) variables.emplace_back(variable);
  }
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

// Both streams go to `mouth`. The errno of the failure, or zero.
int start(const ResetTool& tool, std::vector<std::string> arguments, int mouth, pid_t& child) {
  ::posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, mouth, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, mouth, STDERR_FILENO);
  std::vector<std::string> variables = environment_of(tool);
  const int failed = ::posix_spawn(&child, tool.program.c_str(), &actions, nullptr, pointers(arguments).data(),
                                   pointers(variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  return failed;
}

// False: it took too long.
bool listen(int ear, Clock::time_point end, std::string& said) {
  std::array<char, 4096> buffer;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd waiting{ear, POLLIN, 0};
    const int ready = left <= 0 ? 0 : ::poll(&waiting, 1, static_cast<int>(left));
    if (ready == 0) return false;
    if (ready < 0 && errno != EINTR) return false;
    if (ready < 0) continue;
    const ssize_t got = ::read(ear, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    if (said.size() < most_bytes) said.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

struct Word {
  std::string_view said;
  Why why;
};
constexpr std::array words{Word{"In use by another", Why::in_use}, Word{"NVSwitch", Why::tied},
                           Word{"not supported", Why::not_supported}, Word{"Not Supported", Why::not_supported}};

ResetRefusal refusal(std::string said) {
  while (!said.empty() && (said.back() == '\n' || said.back() == ' ')) said.pop_back();
  for (const Word& word : words)
    if (said.find(word.said) != std::string::npos) return {word.why, std::move(said)};
  return {Why::other, std::move(said)};
}

}  // namespace

std::optional<ResetRefusal> reset_cards(const ResetTool& tool, const std::vector<std::string>& bus_ids) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return ResetRefusal{Why::other, std::strerror(errno)};
  const Descriptor ear(ends[0]);
  Descriptor mouth(ends[1]);
  pid_t child = 0;
  const std::vector<std::string> arguments{tool.program, "--gpu-reset", "-i",
                                           fmt::format("{}", fmt::join(bus_ids, ","))};
  if (const int failed = start(tool, arguments, mouth.number(), child); failed != 0)
    return ResetRefusal{Why::other, fmt::format("{} cannot be started: {}", tool.program, std::strerror(failed))};
  mouth.close();
  std::string said;
  const bool in_time = listen(ear.number(), Clock::now() + tool.limit, said);
  if (!in_time) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time)
    return ResetRefusal{Why::other, fmt::format("{} did not end within {} s", tool.program,
                                                std::chrono::ceil<std::chrono::seconds>(tool.limit).count())};
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return refusal(said.empty() ? fmt::format("{} failed without a word", tool.program) : said);
}

}  // namespace carve
