#include "simgpu/state/store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace carve::sim {

namespace {

constexpr char magic[8] = {'c', 'a', 'r', 'v', 'e', 's', 'i', 'm'};
constexpr std::uint32_t format = 3;

// What the first bytes of the file say. Sizes stand there so that a file of another build is told from damage.
struct Header {
  char name[8];
  std::uint32_t format;
  std::uint32_t size_of_boards;
  std::uint32_t size_of_situation;
  std::uint32_t unused;
  std::uint64_t birth;  // no two files have the same, even if one takes the place of the other
  std::uint64_t boards_sum;
  std::uint64_t word;  // changes << 1 | the copy that counts
  std::uint64_t sums[2];
};

constexpr off_t boards_at = 4096;
constexpr off_t copy_at[2] = {boards_at + sizeof(Boards), boards_at + sizeof(Boards) + sizeof(Situation)};
constexpr off_t sum_at[2] = {offsetof(Header, sums), offsetof(Header, sums) + 8};
static_assert(sizeof(Boards) % 8 == 0 && sizeof(Situation) % 8 == 0, "sums are taken over words");

// Finds damage, not forgery.
template <class Value>
std::uint64_t sum_of(const Value& value) {
  std::uint64_t sum = 0x9e3779b97f4a7c15u;
  const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
  for (std::size_t at = 0; at < sizeof value; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + at, 8);
    sum = (sum ^ word) * 0x100000001b3u;
    sum ^= sum >> 29;
  }
  return sum;
}

bool read_all(int descriptor, void* into, std::size_t size, off_t at) {
  auto* bytes = static_cast<char*>(into);
  while (size > 0) {
    const ssize_t got = ::pread(descriptor, bytes, size, at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(int descriptor, const void* from, std::size_t size, off_t at) {
  const auto* bytes = static_cast<const char*>(from);
  while (size > 0) {
    const ssize_t put = ::pwrite(descriptor, bytes, size, at);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes += put;
    at += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

bool path_of(char (&path)[PATH_MAX], const char* folder, const char* name) {
  const int length = std::snprintf(path, sizeof path, "%s/%s", folder, name);
  return length > 0 && length < static_cast<int>(sizeof path);
}

StoreFault fault_of_errno() { return errno == ENOENT || errno == ENOTDIR ? StoreFault::missing : StoreFault::denied; }

StoreFault lock(int descriptor, LockKind kind) {
  while (::flock(descriptor, kind == LockKind::shared ? LOCK_SH : LOCK_EX) != 0) {
    if (errno != EINTR) return StoreFault::denied;
  }
  return StoreFault::none;
}

std::uint64_t new_birth() {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

Access::Access(Store& store, const char* folder, LockKind kind) : store_(store), kind_(kind) {
  fault_ = open(folder, kind);
  if (fault_ == StoreFault::none) fault_ = load();
  if (fault_ != StoreFault::none) store_.word_ = 0;
}

// Takes back what was changed and not committed. The lock is still held, so the file has what was checked before.
void Access::forget() {
  const int copy = static_cast<int>(store_.word_ & 1);
  if (!read_all(descriptor_, &store_.machine_.now, sizeof store_.machine_.now, copy_at[copy])) store_.word_ = 0;
}

// The lock is given back by name: a child that was forked meanwhile has the same open file, and would keep it.
Access::~Access() {
  if (edited_) forget();
  if (descriptor_ < 0) return;
  ::flock(descriptor_, LOCK_UN);
  ::close(descriptor_);
}

StoreFault Access::open(const char* folder, LockKind kind) {
  char path[PATH_MAX];
  if (folder == nullptr || *folder == '\0' || !path_of(path, folder, "machine")) return StoreFault::missing;
  // Changing needs a file that can be written; who may only read can still look.
  descriptor_ = ::open(path, (kind == LockKind::shared ? O_RDONLY : O_RDWR) | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (descriptor_ < 0) return fault_of_errno();
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) return StoreFault::denied;
  if (!S_ISREG(status.st_mode)) return StoreFault::foreign;
  return lock(descriptor_, kind);
}

StoreFault Access::load() {
  Header header{};
  if (!read_all(descriptor_, &header, sizeof header, 0)) return StoreFault::foreign;
  if (std::memcmp(header.name, magic, sizeof magic) != 0 || header.format != format ||
      header.size_of_boards != sizeof(Boards) || header.size_of_situation != sizeof(Situation))
    return StoreFault::foreign;
  if (header.birth != store_.birth_) store_.word_ = 0;
  store_.birth_ = header.birth;
  if (header.word == store_.word_ && header.word != 0) return StoreFault::none;
  const int copy = static_cast<int>(header.word & 1);
  Machine& machine = store_.machine_;
  if (store_.word_ == 0) {  // boards stay as they are while a file lives
    if (!read_all(descriptor_, &machine.boards, sizeof machine.boards, boards_at)) return StoreFault::damaged;
    if (sum_of(machine.boards) != header.boards_sum || !sound(machine.boards)) return StoreFault::damaged;
  }
  if (!read_all(descriptor_, &machine.now, sizeof machine.now, copy_at[copy])) return StoreFault::damaged;
  if (sum_of(machine.now) != header.sums[copy] || !sound(machine.boards, machine.now)) return StoreFault::damaged;
  store_.word_ = header.word;
  return StoreFault::none;
}

StoreFault Access::commit(CommitPoint until) {
  if (fault_ != StoreFault::none || kind_ != LockKind::exclusive) return StoreFault::denied;
  const int copy = static_cast<int>((store_.word_ & 1) ^ 1);
  const std::uint64_t word = (((store_.word_ >> 1) + 1) << 1) | static_cast<std::uint64_t>(copy);
  const std::uint64_t sum = sum_of(store_.machine_.now);
  store_.word_ = 0;  // until it is done, what is held is not what is in the file
  edited_ = false;
  const std::size_t size = sizeof(Situation) / (until == CommitPoint::half_written ? 2 : 1);
  if (!write_all(descriptor_, &store_.machine_.now, size, copy_at[copy])) return StoreFault::denied;
  if (until != CommitPoint::all) return StoreFault::none;
  if (!write_all(descriptor_, &sum, sizeof sum, sum_at[copy])) return StoreFault::denied;
  if (!write_all(descriptor_, &word, sizeof word, offsetof(Header, word))) return StoreFault::denied;
  store_.word_ = word;
  return StoreFault::none;
}

namespace {

// A name that is taken is never taken over by a link.
StoreFault put_in_place(const char* temporary, const char* path, Former former) {
  if (former == Former::is_replaced) {
    if (::rename(temporary, path) == 0) return StoreFault::none;
    ::unlink(temporary);
    return StoreFault::denied;
  }
  const bool linked = ::link(temporary, path) == 0;
  const bool exists = !linked && errno == EEXIST;
  ::unlink(temporary);
  if (linked) return StoreFault::none;
  return exists ? StoreFault::exists : StoreFault::denied;
}

}  // namespace

StoreFault create_store(const char* folder, const Machine& machine, Former former) {
  if (!sound(machine.boards) || !sound(machine.boards, machine.now)) return StoreFault::damaged;
  char path[PATH_MAX];
  char temporary[PATH_MAX];
  if (!path_of(path, folder, "machine") || !path_of(temporary, folder, "machine.XXXXXX")) return StoreFault::missing;
  const int descriptor = ::mkostemp(temporary, O_CLOEXEC);
  if (descriptor < 0) return fault_of_errno();
  Header header{};
  std::memcpy(header.name, magic, sizeof magic);
  header.format = format;
  header.size_of_boards = sizeof(Boards);
  header.size_of_situation = sizeof(Situation);
  header.birth = new_birth();
  header.boards_sum = sum_of(machine.boards);
  header.word = 1 << 1;
  header.sums[0] = header.sums[1] = sum_of(machine.now);
  const bool written = write_all(descriptor, &header, sizeof header, 0) &&
                       write_all(descriptor, &machine.boards, sizeof machine.boards, boards_at) &&
                       write_all(descriptor, &machine.now, sizeof machine.now, copy_at[0]) &&
                       write_all(descriptor, &machine.now, sizeof machine.now, copy_at[1]) &&
                       ::fchmod(descriptor, 0644) == 0;
  ::close(descriptor);
  if (written) return put_in_place(temporary, path, former);
  ::unlink(temporary);
  return StoreFault::denied;
}

}  // namespace carve::sim
