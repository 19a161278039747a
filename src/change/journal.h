// What was intended and what was done, on disk before it is done: one file for each change, one line for each record,
// each line with a checksum, each write synced. A line cut short at the end was never acted on.
//
// docs/change.md has the format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "change/state.h"

namespace carve {

enum class Outcome : std::uint8_t {
  done,           // as planned, and read back
  rolled_back,    // a card failed and is as it was before
  failed,         // a card is neither as planned nor as before
  reboot_needed,  // the rest comes with a reboot
};
std::string_view to_string(Outcome);  // "done", "rolled-back" ...

struct JournalOpening {
  int number = 0;
  std::string boot;
  std::string at;       // "2026-12-01T18:00:00Z"
  std::string command;  // "apply", "rollback"
  Target target, before;

  bool operator==(const JournalOpening&) const = default;
};

enum class StepState : std::uint8_t { begun, done, failed };
std::string_view to_string(StepState);

struct JournalStep {
  std::string card;  // UUID
  Act act = Act::create;
  InstancePlace instance;  // of destroy and create
  StepState state = StepState::begun;
  std::string message;  // of a failure

  bool operator==(const JournalStep&) const = default;
};

// A journal as it was read.
struct Journaled {
  JournalOpening opening;
  std::vector<JournalStep> steps;
  std::optional<Outcome> outcome;  // nothing: it was interrupted
  std::string path;
};

// The newest journal, or nothing if there is none that was acted on.
// Errors: bad_input: of a newer carve, or damaged elsewhere than at its end.
Result<std::optional<Journaled>> last_journal(const StateFolders&);
// The newest in which a step was begun: what a rollback undoes.
Result<std::optional<Journaled>> last_change(const StateFolders&);
// All that are kept, the oldest first.
Result<std::vector<Journaled>> read_journals(const StateFolders&);
Result<std::optional<Journaled>> read_journal(const std::string& path);

// Writes one. After an error nothing may be done that it did not take.
class Journal {
 public:
  // Numbers it after the newest one, and takes room on the disk for what is to come. Error: environment.
  static Result<Journal> open(const StateFolders&, JournalOpening);

  Result<void> note(const JournalStep&);
  Result<void> close(Outcome);
  const std::string& path() const { return path_; }

 private:
  Journal(Descriptor file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}
  Result<void> append(const std::string& json);

  Descriptor file_;
  std::string path_;
};

// What carve made since this boot, by its own list and by a journal that was interrupted.
Result<Made> made_by_carve(const StateFolders&);

}  // namespace carve
