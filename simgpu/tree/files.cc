#include "simgpu/tree/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>  // renameat
#include <cstring>

namespace carve::sim {

namespace {

constexpr int folder_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr const char* half_written = ".being-written";

void note(Failure& failure) {
  if (failure == 0) failure = errno;
}

bool write_whole(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(descriptor, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

bool is_name(const char* name) { return std::strcmp(name, ".") != 0 && std::strcmp(name, "..") != 0; }

}  // namespace

Folder::Folder(const char* path) : descriptor_(::open(path, folder_flags)) {}

Folder::~Folder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Folder Folder::inner(const char* name, Failure& failure) const {
  if (::mkdirat(descriptor_, name, 0755) != 0 && errno != EEXIST) note(failure);
  const int opened = ::openat(descriptor_, name, folder_flags);
  if (opened < 0) note(failure);
  return Folder(opened);
}

Folder Folder::existing(const char* name) const { return Folder(::openat(descriptor_, name, folder_flags)); }

bool Folder::read(const char* name, void* into, std::size_t size) const {
  const int file = ::openat(descriptor_, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  const ssize_t got = ::read(file, into, size);
  ::close(file);
  return got == static_cast<ssize_t>(size);
}

void Folder::keep(const char* name, std::string_view text, mode_t mode, Failure& failure) const {
  struct stat status {};
  if (::fstatat(descriptor_, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode) &&
      (status.st_mode & 07777) == mode && static_cast<std::size_t>(status.st_size) == text.size())
    return;
  replace(name, text, mode, failure);
}

void Folder::replace(const char* name, std::string_view text, mode_t mode, Failure& failure) const {
  ::unlinkat(descriptor_, half_written, 0);
  const int file = ::openat(descriptor_, half_written, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return note(failure);
  const bool written = write_whole(file, text) && ::fchmod(file, mode) == 0;
  if (!written) note(failure);
  ::close(file);
  if (!written || ::renameat(descriptor_, half_written, descriptor_, name) != 0) {
    note(failure);
    ::unlinkat(descriptor_, half_written, 0);
  }
}

void Folder::remove_file(const char* name, Failure& failure) const {
  if (::unlinkat(descriptor_, name, 0) != 0 && errno != ENOENT) note(failure);
}

void Folder::remove_folder(const char* name) const { ::unlinkat(descriptor_, name, AT_REMOVEDIR); }

void Folder::remove_all(const char* name, Failure& failure) const {
  const Folder folder = existing(name);
  if (!folder.valid()) return remove_file(name, failure);
  DIR* entries = ::fdopendir(::dup(folder.descriptor()));
  if (entries == nullptr) return note(failure);
  while (const dirent* entry = ::readdir(entries)) {
    if (is_name(entry->d_name)) folder.remove_all(entry->d_name, failure);
  }
  ::closedir(entries);
  if (::unlinkat(descriptor_, name, AT_REMOVEDIR) != 0) note(failure);
}

}  // namespace carve::sim
