// Work that may hang or crash, done in a child process that can be left behind. A thread would not do: one that is
// stuck in the kernel keeps its whole process from ending.
//
//   in_child()       one piece of work, its bytes, and the end
//   ChildProcess     a child that is spoken with
#pragma once

#include <sys/types.h>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/base.h"
#include "driver/watch.h"

namespace carve {

// The bytes that `work` returns. The child has no standard streams and nothing else open of its parent's, so nobody
// waits for it after it was left behind; it ends when its parent does. Not for programs with several threads.
// Errors: environment: no child, no answer within `limit` (with what it was doing), or the child died.
Result<std::string> in_child(std::chrono::milliseconds limit, const std::function<std::string(Watch&)>& work);

class SharedWatch;

// A child at the other end of a stream socket; killed and reaped when this ends.
class ChildProcess {
 public:
  // `work` gets the child's end, and the child ends when it returns. Error: environment: no child can be had.
  static Result<ChildProcess> start(const std::function<void(int channel, Watch&)>& work);
  ChildProcess(ChildProcess&&) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  int channel() const { return channel_.number(); }

  enum class End { closed, too_late, broken };
  // Reads more of what the child says, waiting until `end` at most; `closed`: it says no more.
  struct Heard {
    bool more = false;
    End end = End::closed;
  };
  Heard hear(std::chrono::steady_clock::time_point end, std::string& bytes) const;

  // Ends the child. The error that its end means; nothing if it ended well.
  std::optional<Error> judge(End, std::chrono::milliseconds limit);

 private:
  ChildProcess(pid_t child, Descriptor channel, std::unique_ptr<SharedWatch> watch);

  pid_t child_;
  Descriptor channel_;
  std::unique_ptr<SharedWatch> watch_;
};

}  // namespace carve
