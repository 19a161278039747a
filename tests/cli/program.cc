#include "cli/program.h"

#include <fcntl.h>
#include <pty.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace carve::sample {

namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<char*> pointers(std::vector<std::string>& list) {
  std::vector<char*> result;
  for (std::string& item : list) result.push_back(item.data());
  result.push_back(nullptr);
  return result;
}

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

struct Call {
  std::vector<std::string> arguments{CARVE_BINARY};
  std::vector<std::string> environment{"PATH=/usr/bin:/bin"};
  explicit Call(const Invocation& run) {
    arguments.insert(arguments.end(), run.arguments.begin(), run.arguments.end());
    environment.insert(environment.end(), run.environment.begin(), run.environment.end());
  }
};

}  // namespace

Folder::Folder() {
  std::string pattern = std::filesystem::temp_directory_path() / "carve-cli-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
  root_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

std::string Folder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path(name), std::ios::binary) << text;
  return path(name);
}

Ran run_carve(const Invocation& run) {
  const Folder folder;
  const std::string in = folder.write("in", run.input);
  const std::string out = run.stdout_path.empty() ? folder.path("out") : run.stdout_path;
  const std::string err = folder.path("err");
  Call call(run);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, in.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT, 0600);
  if (run.stdout_descriptor >= 0) posix_spawn_file_actions_adddup2(&actions, run.stdout_descriptor, 1);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT, 0600);
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, CARVE_BINARY, &actions, nullptr, pointers(call.arguments).data(),
                                   pointers(call.environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("posix_spawn");
  int status = 0;
  ::waitpid(child, &status, 0);
  return {code_of(status), run.stdout_path.empty() && run.stdout_descriptor < 0 ? contents(out) : "", contents(err)};
}

Ran carve_on_terminal(const Invocation& run) {
  Call call(run);
  std::vector<char*> arguments = pointers(call.arguments);
  std::vector<char*> environment = pointers(call.environment);
  const winsize size{50, 100, 0, 0};
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child < 0) throw std::runtime_error("forkpty");
  if (child == 0) {
    ::execve(CARVE_BINARY, arguments.data(), environment.data());
    ::_exit(126);
  }
  Ran ran;
  char buffer[4096];
  for (ssize_t got; (got = ::read(terminal, buffer, sizeof buffer)) > 0;)
    ran.out.append(buffer, static_cast<std::size_t>(got));
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(terminal);
  ran.code = code_of(status);
  return ran;
}

}  // namespace carve::sample
