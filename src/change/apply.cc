// The loop: every card goes its own way until it ends, changes its mode or needs a reset. A session with the driver has
// all cards open, and for a change of mode and for a reset nobody may have the card open: modes are changed one after
// another, each by the only session there is, and resets come when there is none.
#include "change/apply.h"

#include <poll.h>
#include <algorithm>
#include <list>

#include <fmt/format.h>

#include "change/card_run.h"

namespace carve {

namespace {

using Clock = std::chrono::steady_clock;
using Phase = CardRun::Phase;

class Loop {
 public:
  explicit Loop(const ApplyOptions& options) : options_(options) {}

  void add(const CardChange& change, Occupants& occupants, Journal& journal, Made& made) {
    runs_.emplace_back(change, options_, occupants, journal, made);
  }

  std::vector<CardResult> run() {
    for (CardRun& run : runs_) run.start();
    while (any_session() || go_on_without_sessions())
      if (any_session()) wait();
    std::vector<CardResult> results;
    for (const CardRun& run : runs_) results.push_back(run.result());
    return results;
  }

 private:
  bool any(Phase phase) const {
    return std::any_of(runs_.begin(), runs_.end(), [phase](const CardRun& run) { return run.phase() == phase; });
  }

  bool any_session() const { return any(Phase::looking) || any(Phase::draining) || any(Phase::stepping); }

  // False: all have ended.
  bool go_on_without_sessions() {
    for (CardRun& run : runs_)
      if (run.phase() == Phase::needs_to_be_alone) return run.start_alone(), true;
    if (any(Phase::needs_reset)) return reset(), true;
    if (!any(Phase::has_new_mode)) return false;
    for (CardRun& run : runs_)
      if (run.phase() == Phase::has_new_mode) run.start();
    return true;
  }

  // Until something has come, or is due.
  void wait() {
    std::vector<pollfd> waiting;
    std::optional<Clock::time_point> first;
    const auto sooner = [&](Clock::time_point at) { first = first ? std::min(*first, at) : at; };
    for (const CardRun& run : runs_) {
      if (const CardSession* session = run.awaited()) {
        waiting.push_back({session->descriptor(), POLLIN, 0});
        sooner(session->due());
      } else if (run.wakes()) {
        sooner(*run.wakes());
      }
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(first.value_or(Clock::now()) - Clock::now());
    ::poll(waiting.data(), waiting.size(), static_cast<int>(std::max<std::int64_t>(0, left.count())));
    go_on(waiting);
  }

  void go_on(const std::vector<pollfd>& waiting) {
    const auto now = Clock::now();
    std::size_t at = 0;
    for (CardRun& run : runs_) {
      if (const CardSession* session = run.awaited()) {
        if (waiting[at++].revents != 0 || session->due() <= now) run.hear();
      } else if (run.wakes() && *run.wakes() <= now) {
        run.wake();
      }
    }
  }

  void reset() {
    std::vector<CardRun*> waiting;
    for (CardRun& run : runs_)
      if (run.phase() == Phase::needs_reset) waiting.push_back(&run);
    std::vector<std::string> all;
    for (const CardRun* run : waiting) all.push_back(run->change().bus_id);
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      std::optional<ResetRefusal> refusal = reset_cards(options_.reset, {all[i]});
      if (refusal && refusal->why == ResetRefusal::Why::tied && all.size() > 1)
        refusal = reset_cards(options_.reset, all);
      refusals_.push_back(std::move(refusal));
    }
    // Only now: a card that goes on opens a session, which would be in the way of the others' resets.
    for (std::size_t i = 0; i < waiting.size(); ++i) waiting[i]->was_reset(refusals_[i]);
    refusals_.clear();
  }

  const ApplyOptions& options_;
  std::list<CardRun> runs_;
  std::vector<std::optional<ResetRefusal>> refusals_;
};

JournalOpening opening_of(const Change& change, const ApplyOptions& options) {
  JournalOpening opening;
  opening.boot = options.folders.boot();
  opening.at = options.at;
  opening.command = options.command;
  for (const CardChange& card : change.cards) {
    opening.target.cards.push_back(card.wanted);
    opening.before.cards.push_back(card.before);
  }
  return opening;
}

constexpr std::array badness{Outcome::done, Outcome::reboot_needed, Outcome::rolled_back, Outcome::failed};

std::ptrdiff_t rank(Outcome outcome) { return std::find(badness.begin(), badness.end(), outcome) - badness.begin(); }

// The cards were changed, and it cannot be noted: the journal stays open, and has what the next run must know.
Error unwritten(Error error, const Applied& applied) {
  error.help = fmt::format("the change of the cards has ended ({}); make room, then 'carve apply --last' notes it",
                           to_string(applied.outcome));
  return error;
}

}  // namespace

Outcome worst(const std::vector<CardResult>& cards) {
  Outcome found = Outcome::done;
  for (const CardResult& card : cards)
    if (rank(card.outcome) > rank(found)) found = card.outcome;
  return found;
}

Result<Applied> apply_change(const Change& change, Occupants& occupants, const ApplyOptions& options) {
  TRY(const ChangeLock lock, ChangeLock::take(options.folders, options.command));
  TRY(Made made, made_by_carve(options.folders));
  TRY(Journal journal, Journal::open(options.folders, opening_of(change, options)));
  Loop loop(options);
  for (const CardChange& card : change.cards) loop.add(card, occupants, journal, made);
  Applied applied;
  applied.cards = loop.run();
  applied.outcome = worst(applied.cards);
  if (auto written = write_made(options.folders, made); !written) return fail(unwritten(written.error(), applied));
  if (auto closed = journal.close(applied.outcome); !closed) return fail(unwritten(closed.error(), applied));
  return applied;
}

}  // namespace carve
