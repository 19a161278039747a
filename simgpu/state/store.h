// The file `machine` in a folder: a header, the boards, and two copies of the situation, of which one word in the
// header names the one that counts. A change is written to the other copy, then the word. The word is eight bytes, and
// one write of them is whole or not done, so a process killed anywhere leaves one whole copy; its lock ends with it.
//
// The file is read and written, not mapped: nobody who cuts it short can crash its readers.
//
// Each access opens the file anew, so that locks are not shared over fork(), between threads, or between two users of
// this code in one process. Store holds what was read last, and reads again only after a change.
#pragma once

#include <cstdint>

#include "simgpu/state/machine.h"

namespace carve::sim {

enum class StoreFault : std::uint8_t {
  none,
  missing,  // no such folder or file
  denied,   // the system refused
  foreign,  // a file of another program or another version
  damaged,
  exists,  // a machine is there that shall stay
};

enum class LockKind : std::uint8_t { shared, exclusive };

// Where a commit is interrupted: for faults that kill the caller.
enum class CommitPoint : std::uint8_t { all, half_written, before_word };

// The last machine that was read, by a process. Large: keep it in static memory or on the heap.
class Store {
 private:
  friend class Access;
  std::uint64_t word_ = 0;   // 0: nothing is held
  std::uint64_t birth_ = 0;  // of the file
  Machine machine_ = {};
};

class Access {
 public:
  // `folder` may be null: missing.
  Access(Store& store, const char* folder, LockKind kind);
  ~Access();
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;

  StoreFault fault() const { return fault_; }
  // Only without a fault.
  const Machine& machine() const { return store_.machine_; }
  // Only under an exclusive lock. What is not committed is forgotten.
  Machine& edit() {
    edited_ = true;
    return store_.machine_;
  }
  // How many changes were committed before this moment.
  std::uint64_t changes() const { return store_.word_ >> 1; }
  StoreFault commit(CommitPoint until = CommitPoint::all);

 private:
  StoreFault open(const char* folder, LockKind kind);
  StoreFault load();
  void forget();

  Store& store_;
  int descriptor_ = -1;
  StoreFault fault_ = StoreFault::none;
  LockKind kind_;
  bool edited_ = false;
};

// What becomes of a machine that is there already.
enum class Former : std::uint8_t { stays, is_replaced };

// Writes the file of a new machine, as a whole or not at all, whoever else does the same. The folder must exist.
StoreFault create_store(const char* folder, const Machine&, Former);

}  // namespace carve::sim
