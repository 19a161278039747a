// Where carve keeps what it knows of this machine, and the lock under which it changes it.
#pragma once

#include <string>

#include "base/base.h"
#include "change/steps.h"

namespace carve {

// Folders below `root`; empty: the system's own.
struct StateFolders {
  std::string root = {};
  std::string lasting() const { return root + "/var/lib/carve"; }  // survives a reboot
  std::string running() const { return root + "/run/carve"; }      // may be rebuilt

  // The id of this boot; "unknown" where the system tells none.
  std::string boot() const;
};

// Makes a folder with all above it. Error: environment.
Result<void> make_folder(const std::string& path);

// Held while cards are changed; given back when it ends, also by a kill.
class ChangeLock {
 public:
  // `command` is what others are told. Error: environment, with who holds it.
  static Result<ChangeLock> take(const StateFolders&, const std::string& command);

 private:
  explicit ChangeLock(Descriptor file) : file_(std::move(file)) {}
  Descriptor file_;
};

// The instances that carve made since this boot; a reboot ends them all.
Result<Made> read_made(const StateFolders&);
Result<void> write_made(const StateFolders&, const Made&);

}  // namespace carve
