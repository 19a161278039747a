#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "base/descriptor.h"

namespace carve {

namespace {

Error failed(const std::string& doing, const std::string& path, Fault fault) {
  return Error{fault, fmt::format("{} {}: {}", doing, path, std::strerror(errno)), {}, {}, {}};
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// The file that a path leads to, through links; `path` itself where there is none yet. Only a regular file is replaced:
// a device or a pipe would be lost to everybody who uses it by that name.
Result<std::string> replaceable(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return path;  // nothing there, or mkostemp() says why not
  std::string target = path;
  if (S_ISLNK(status.st_mode)) {
    char resolved[PATH_MAX];
    if (::realpath(path.c_str(), resolved) == nullptr || ::stat(resolved, &status) != 0)
      return fail(Error{Fault::bad_input, path + " is a link that leads nowhere", {}, "name the file itself", {}});
    target = resolved;
  }
  if (S_ISREG(status.st_mode)) return target;
  const bool folder = S_ISDIR(status.st_mode);
  return fail(Error{Fault::bad_input,
                    path + (folder ? " is a folder, expected a file" : " is not a regular file"),
                    {},
                    folder ? "name a file in it" : "a file is written as a whole, in place of the old one: name a file",
                    {}});
}

Error cannot_write(const std::string& path) {
  const int reason = errno;
  Error error = failed("cannot write", path, Fault::environment);
  if (reason == ENOENT) error.help = fmt::format("the folder {} does not exist: make it first", folder_of(path));
  if (reason == EACCES || reason == EPERM || reason == EROFS)
    error.help = fmt::format("you may not write in {}: name another folder", folder_of(path));
  return error;
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::int64_t limit_bytes) {
  // O_NONBLOCK: opening a FIFO that nobody writes must not hang before its type is known.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) {
    Error error = failed("cannot open", path, Fault::bad_input);
    if (errno == ENOENT) error.help = "check the path; it is taken relative to the current folder";
    return fail(std::move(error));
  }
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return fail(failed("cannot look at", path, Fault::environment));
  if (S_ISDIR(status.st_mode))
    return fail(Error{Fault::bad_input, path + " is a folder, expected a file", {}, "name a file in it", {}});
  if (!S_ISREG(status.st_mode))
    return fail(Error{Fault::bad_input, path + " is not a regular file", {}, "copy its contents to a file first", {}});
  const auto too_large = [&] {
    return fail(Error{Fault::bad_input,
                      fmt::format("{} is larger than {} MiB, the most that is read", path, limit_bytes >> 20),
                      {},
                      "check that it is the file you meant",
                      {}});
  };
  if (status.st_size > limit_bytes) return too_large();

  std::string bytes;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = ::read(file.number(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(failed("reading", path, Fault::environment));
    if (got == 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(got));
    if (static_cast<std::int64_t>(bytes.size()) > limit_bytes) return too_large();  // it grew while being read
  }
}

Result<void> write_file_atomically(const std::string& path, std::string_view bytes) {
  TRY(const std::string target, replaceable(path));
  std::string temporary = target + ".XXXXXX";
  const Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!file.valid()) return fail(cannot_write(target));
  const auto give_up = [&](Error error) {
    ::unlink(temporary.c_str());
    return fail(std::move(error));
  };
  if (write_all(file.number(), bytes) != 0) return give_up(failed("writing", path, Fault::environment));
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (::fchmod(file.number(), 0666 & ~mask) != 0 || ::fsync(file.number()) != 0)
    return give_up(failed("writing", path, Fault::environment));
  if (::rename(temporary.c_str(), target.c_str()) != 0) return give_up(cannot_write(target));
  const Descriptor folder(::open(folder_of(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.valid()) ::fsync(folder.number());
  return {};
}

}  // namespace carve
