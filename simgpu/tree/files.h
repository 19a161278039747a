// Files below a folder, each step from an open folder to the next: no link is ever followed, so that whatever stands
// under a root, nothing outside it is written or taken away. Without exceptions, for the library. Inside this room
// only.
#pragma once

#include <sys/types.h>
#include <string_view>

namespace carve::sim {

// The first failure of a walk, as errno; 0 while all is well.
using Failure = int;

class Folder {
 public:
  explicit Folder(const char* path);
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  bool valid() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

  // The folder of this name; made if it is not there. What is there and no folder is a failure.
  Folder inner(const char* name, Failure&) const;
  // The same, but never made: invalid where it is not.
  Folder existing(const char* name) const;

  // False if the file is not there or shorter.
  bool read(const char* name, void* into, std::size_t size) const;
  // Written as a whole or not at all, in place of what is there.
  void replace(const char* name, std::string_view text, mode_t, Failure&) const;
  // The same, unless a file of this length and mode is there: it is taken to have this text.
  void keep(const char* name, std::string_view text, mode_t, Failure&) const;
  // Absent is well.
  void remove_file(const char* name, Failure&) const;
  // Only if it is empty.
  void remove_folder(const char* name) const;
  // With everything below.
  void remove_all(const char* name, Failure&) const;

 private:
  explicit Folder(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace carve::sim
