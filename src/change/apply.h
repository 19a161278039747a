// Does a change: card by card at the same time, each step written down before it is done and read back after it. A card
// on which a step fails goes back to what it was; the others are done as planned.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "change/journal.h"
#include "change/occupants.h"
#include "driver/driver.h"

namespace carve {

struct ApplyLimits {
  std::chrono::milliseconds look{4500};      // of a call that reads
  std::chrono::milliseconds act{30'000};     // of one that makes or destroys an instance
  std::chrono::milliseconds mode{60'000};    // of one that changes the MIG mode
  std::chrono::milliseconds drain{300'000};  // until a partition must be empty
};

struct CardResult {
  int index = 0;
  std::string uuid;
  Outcome outcome = Outcome::done;
  int steps = 0;        // that were done
  std::string message;  // why it is not `done`
  std::string help;
};

// What happens, for whoever watches.
struct ApplyEvent {
  enum class Kind : std::uint8_t { begun, done, failed, waiting, going_back, card_ended } kind = Kind::begun;
  const CardChange* card = nullptr;
  const Step* step = nullptr;  // of begun, done, failed, waiting
  const CardResult* result = nullptr;
  std::string message;
};

// Whether this is the second try of a change that waited for a reboot.
enum class AfterReboot : std::uint8_t { no, yes };

struct ApplyOptions {
  ReadOptions driver;
  ResetTool reset;
  StateFolders folders;
  std::string device_root;  // below it lie the nodes of the cards; empty: the system's own
  Permissions permissions;
  ApplyLimits limits;
  std::string command;  // for the journal: "apply", "rollback"
  std::string at;       // now, "2026-12-01T18:00:00Z"
  std::function<void(const ApplyEvent&)> tell = {};
  AfterReboot after_reboot = AfterReboot::no;
  const std::atomic<bool>* stop = nullptr;  // set: no further step, and back
};

struct Applied {
  std::vector<CardResult> cards;  // those that had to change, by index
  Outcome outcome = Outcome::done;
};

// The worst of them: failed, then rolled_back, then reboot_needed.
Outcome worst(const std::vector<CardResult>&);

// Requires change.possible(); the machine may have changed since it was read, and each card is looked at again before
// its first step. Holds the lock, writes the journal, and the list of what carve made.
// Errors: environment: the lock is held, or the journal cannot be written: then no card was touched.
Result<Applied> apply_change(const Change&, Occupants&, const ApplyOptions&);

}  // namespace carve
