// One card on its way: which step is next, what its answer means, and the way back. The loop that runs many of them at
// the same time is in apply.cc. Inside this room only.
#pragma once

#include <deque>

#include "change/apply.h"

namespace carve {

class CardRun {
 public:
  // Without a session it needs to be the only one that has any (before a change of mode), has a new mode and makes room
  // for others that want one, needs a reset, or has ended.
  enum class Phase : std::uint8_t { looking, draining, stepping, needs_to_be_alone, has_new_mode, needs_reset, ended };

  // All that is referred to must outlive it.
  CardRun(const CardChange&, const ApplyOptions&, Occupants&, Journal&, Made&);

  Phase phase() const { return phase_; }
  const CardChange& change() const { return change_; }
  const CardResult& result() const { return result_; }

  // Its session while it waits for an answer, which comes or is overdue.
  const CardSession* awaited() const { return session_ && !wakes_ ? &*session_ : nullptr; }
  // When it wants to look again, while it drains.
  std::optional<std::chrono::steady_clock::time_point> wakes() const { return wakes_; }

  void start();
  void start_alone();  // in phase needs_to_be_alone, and no other has a session until this has none
  void hear();         // the answer of awaited()
  void wake();
  void was_reset(const std::optional<ResetRefusal>&);  // in phase needs_reset

 private:
  void park(Phase);
  void look();
  void lost(const Error&);
  void heard_look();
  void heard_step(const CardAnswer&);
  void heard_after_reset();
  void next();
  void begin(const Step&);
  void send(const Step&);
  std::optional<Error> verify(const CardAnswer&, const Step&) const;
  void expect_reset();
  void reboot_needed(const std::string& why);
  void drain();
  void fail_step(Error);
  void go_back(Error why);
  void finish(Outcome, std::string message, std::string help);
  std::string openers() const;
  Partitioned partition_of(const Step&) const;
  void tell(ApplyEvent::Kind, const Step*, std::string message = {}) const;
  bool note(StepState, const Step&, const std::string& message = {});

  const CardChange& change_;
  const ApplyOptions& options_;
  Occupants& occupants_;
  Journal& journal_;
  Made& made_;

  std::optional<CardSession> session_;  // while the card is worked on; none during a reset
  Phase phase_ = Phase::looking;
  std::deque<Step> steps_;           // to come; the first is the one at hand
  LiveCard card_;                    // as it was read last
  std::optional<Error> going_back_;  // why
  bool alone_ = false;
  bool after_reset_ = false;
  std::optional<std::chrono::steady_clock::time_point> wakes_, draining_since_;
  CardResult result_;
};

}  // namespace carve
