#include "change/card_run.h"

#include <algorithm>

#include <fmt/format.h>

namespace carve {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds drain_pause{100};  // between two looks at who holds a partition

Error environment(std::string message, std::string help) {
  return {Fault::environment, std::move(message), {}, std::move(help), {}};
}

// Who is in the way of a step.
std::vector<Occupant> in_the_way(const LiveCard& card, const Step& step) {
  std::vector<Occupant> found;
  if (!card.occupants || step.act == Act::create || step.act == Act::reset) return found;
  for (const Occupant& occupant : *card.occupants)
    if (step.act == Act::destroy ? occupant.gpu_instance == step.id : !occupant.gpu_instance) found.push_back(occupant);
  return found;
}

const LiveGpuInstance* instance_at(const LiveCard& card, const InstancePlace& place) {
  if (!card.instances) return nullptr;
  for (const LiveGpuInstance& instance : *card.instances)
    if (instance.placement == place.placement && instance.profile == place.profile) return &instance;
  return nullptr;
}

CardOrder order_of(const std::string& uuid, const Step& step) {
  switch (step.act) {
    case Act::create:
      return {uuid, CreateOrder{step.profile_id, step.instance.placement}};
    case Act::destroy:
      return {uuid, DestroyOrder{step.id, step.instance.placement}};
    case Act::mig_on:
    case Act::mig_off:
      return {uuid, MigOrder{step.act == Act::mig_on}};
    case Act::reset:
      break;
  }
  return {uuid, LookOrder{}};
}

bool changes_mode(const Step& step) { return step.act == Act::mig_on || step.act == Act::mig_off; }

std::string subject(const Step& step) {
  const bool instance = step.act == Act::create || step.act == Act::destroy;
  return instance ? fmt::format("{} {}", to_string(step.act), to_string(step.instance))
                  : std::string(to_string(step.act));
}

}  // namespace

CardRun::CardRun(const CardChange& change, const ApplyOptions& options, Occupants& occupants, Journal& journal,
                 Made& made)
    : change_(change), options_(options), occupants_(occupants), journal_(journal), made_(made) {
  result_.index = change.index;
  result_.uuid = change.uuid;
}

// ------------------------------------------------------------------------------------------------------- with the card

void CardRun::start() {
  session_.reset();
  phase_ = Phase::looking;
  auto session = CardSession::open(options_.driver);
  if (!session) return lost(session.error());
  session_.emplace(std::move(*session));
  look();
}

void CardRun::start_alone() {
  alone_ = true;
  start();
}

// Makes room for the others; nothing is forgotten, as the card is looked at again.
void CardRun::park(Phase phase) {
  session_.reset();
  alone_ = false;
  phase_ = phase;
}

void CardRun::look() {
  wakes_.reset();
  if (auto sent = session_->order({change_.uuid, LookOrder{}}, options_.limits.look); !sent) lost(sent.error());
}

void CardRun::hear() {
  auto answer = session_->answer();
  if (!answer) return lost(answer.error());
  card_ = std::move(answer->card);
  // A card that had MIG a moment ago has not become one without: that answer is no reason to be content.
  if (change_.mig_now && !card_.mig && !card_.lost)
    return lost(environment("its MIG mode cannot be told any more: " + card_.mig.error().sentence,
                            "'carve status' shows what the driver says"));
  switch (phase_) {
    case Phase::looking:
      return after_reset_ ? heard_after_reset() : heard_look();
    case Phase::draining:
      return drain();
    case Phase::stepping:
      return heard_step(*answer);
    case Phase::needs_to_be_alone:
    case Phase::has_new_mode:
    case Phase::needs_reset:
    case Phase::ended:
      return;
  }
}

// The driver, its process or the card does not answer any more.
void CardRun::lost(const Error& error) {
  session_.reset();
  if (phase_ == Phase::stepping && !steps_.empty() && !note(StepState::failed, steps_.front(), error.message)) return;
  go_back(error);
}

// ------------------------------------------------------------------------------------------------------------ the way

void CardRun::heard_look() {
  const Permissions back{Drain::refuse, Foreign::replace};  // what was made on the way goes
  CardChange now =
      plan_card(card_, going_back_ ? change_.before : change_.wanted, made_, going_back_ ? back : options_.permissions);
  if (!now.obstacles.empty()) {
    const Obstacle& obstacle = now.obstacles.front();
    // A second look, before a mode is changed or after it, finds steps that were done already.
    if (going_back_ || result_.steps > 0) return go_back(environment(obstacle.message, obstacle.help));
    return finish(Outcome::rolled_back, obstacle.message, obstacle.help);
  }
  steps_ = {now.steps.begin(), now.steps.end()};
  next();
}

void CardRun::next() {
  if (steps_.empty()) {
    const WantedCard& wanted = going_back_ ? change_.before : change_.wanted;
    if (!plan_card(card_, wanted, made_, {Drain::wait, Foreign::replace}).same())
      return lost(environment("the card was read back otherwise than it was cut", "'carve status' shows it"));
    if (going_back_) return finish(Outcome::rolled_back, going_back_->message, going_back_->help);
    for (const WantedInstance& one : wanted.instances) made_.insert({change_.uuid, {one.profile, *one.placement}});
    return finish(Outcome::done, "", "");
  }
  if (!going_back_ && options_.stop != nullptr && options_.stop->load())
    return go_back(environment("stopped by a signal", "'carve apply' does it again"));
  begin(steps_.front());
}

void CardRun::begin(const Step& step) {
  const std::vector<Occupant> holding = in_the_way(card_, step);
  if (!holding.empty() && (going_back_ || options_.permissions.drain == Drain::refuse))
    return fail_step(environment(fmt::format("{}: it is held by {}", subject(step), holders(holding)),
                                 "--drain wait waits until they end; --drain stop ends them"));
  if (!holding.empty()) {
    draining_since_ = Clock::now();
    tell(ApplyEvent::Kind::waiting, &step, fmt::format("held by {}", holders(holding)));
    if (auto withdrawn = occupants_.withdraw(partition_of(step)); !withdrawn) return fail_step(withdrawn.error());
    phase_ = Phase::draining;
    return drain();
  }
  send(step);
}

void CardRun::send(const Step& step) {
  if (changes_mode(step) && !alone_) return park(Phase::needs_to_be_alone);
  tell(ApplyEvent::Kind::begun, &step);
  if (!note(StepState::begun, step)) return;
  if (step.act == Act::create) made_.insert({change_.uuid, step.instance});
  if (step.act == Act::reset) return park(Phase::needs_reset);
  phase_ = Phase::stepping;
  auto sent =
      session_->order(order_of(change_.uuid, step), changes_mode(step) ? options_.limits.mode : options_.limits.act);
  if (!sent) lost(sent.error());
}

void CardRun::heard_step(const CardAnswer& answer) {
  const Step& step = steps_.front();
  std::optional<Error> wrong = answer.failed ? answer.failed : verify(answer, step);
  if (wrong) return fail_step(std::move(*wrong));
  if (step.act == Act::destroy) made_.erase({change_.uuid, step.instance});
  if (!note(StepState::done, step)) return;
  tell(ApplyEvent::Kind::done, &step);
  ++result_.steps;
  const bool mode_changed = changes_mode(step);
  if (step.act == Act::destroy) occupants_.restore(partition_of(step));
  steps_.pop_front();
  if (mode_changed) expect_reset();
  if (mode_changed && !steps_.empty() && steps_.front().act != Act::reset) return park(Phase::has_new_mode);
  next();
}

std::optional<Error> CardRun::verify(const CardAnswer& answer, const Step& step) const {
  if (card_.lost) return environment(*card_.lost, "'dmesg' has its Xid; the card needs a reset or a reboot");
  const LiveGpuInstance* there = instance_at(card_, step.instance);
  const auto odd = [&](std::string what) {
    return environment(fmt::format("{}: the driver did it, and {}", subject(step), what), "'carve status' shows it");
  };
  if (step.act == Act::create && (there == nullptr || !there->compute || there->compute->size() != 1))
    return odd("it is not there");
  if (step.act == Act::destroy && there != nullptr) return odd("it is still there");
  if (step.act == Act::create || step.act == Act::destroy) return {};
  const bool on = step.act == Act::mig_on;
  if (!card_.mig) return environment("its MIG mode cannot be told: " + card_.mig.error().sentence, "");
  if (card_.mig->current == on) return {};
  if (card_.mig->pending != on)
    return odd("the mode is what it was; a card that a hypervisor passes through may answer so");
  if (answer.waiting && answer.waiting->in_use)
    return environment(
        fmt::format("{}: somebody has the card open ({}){}", subject(step), answer.waiting->sentence, openers()),
        "monitors count as well: stop them for this moment, or drain the card");
  return {};
}

// The driver says by what it did whether a reset is needed, and overrules what the catalog expects.
void CardRun::expect_reset() {
  const bool expected = !steps_.empty() && steps_.front().act == Act::reset;
  const bool needed = card_.mig->current != card_.mig->pending;
  if (expected && !needed) steps_.pop_front();
  if (needed && !expected) {
    Step reset;
    reset.act = Act::reset;
    steps_.push_front(reset);
  }
}

void CardRun::was_reset(const std::optional<ResetRefusal>& refusal) {
  if (!refusal) {
    after_reset_ = true;
    return start();
  }
  if (refusal->why == ResetRefusal::Why::not_supported) return reboot_needed(refusal->said);
  std::string message = fmt::format("the card cannot be reset: {}", refusal->said);
  if (refusal->why == ResetRefusal::Why::in_use) message += openers();
  phase_ = Phase::stepping;
  fail_step(environment(std::move(message), "a reset needs that nobody has the card open, monitors included"));
}

void CardRun::heard_after_reset() {
  after_reset_ = false;
  if (!card_.mig)
    return fail_step(
        environment("after the reset its MIG mode cannot be told: " + card_.lost.value_or(card_.mig.error().sentence),
                    "'carve status' shows the card"));
  if (card_.mig->current != card_.mig->pending) return reboot_needed("its MIG mode is still pending after a reset");
  const Step reset = steps_.front();
  if (!note(StepState::done, reset)) return;
  tell(ApplyEvent::Kind::done, &reset);
  ++result_.steps;
  steps_.pop_front();
  next();
}

void CardRun::reboot_needed(const std::string& why) {
  if (!note(StepState::failed, steps_.front(), why)) return;
  if (options_.after_reboot == AfterReboot::yes)
    return finish(Outcome::failed, fmt::format("{}, and a reboot did not help", why), "'carve status' shows its mode");
  finish(Outcome::reboot_needed, why, "reboot the machine; then 'carve apply --last' goes on");
}

// ------------------------------------------------------------------------------------------------------------ draining

void CardRun::wake() {
  if (phase_ == Phase::draining) look();
}

void CardRun::drain() {
  const Step& step = steps_.front();
  const std::vector<Occupant> holding = in_the_way(card_, step);
  if (holding.empty()) {
    draining_since_.reset();
    return send(step);
  }
  const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - *draining_since_);
  if (options_.stop != nullptr && options_.stop->load()) return fail_step(environment("stopped by a signal", ""));
  if (since > options_.limits.drain)
    return fail_step(environment(fmt::format("{}: it is still held by {}", subject(step), holders(holding)),
                                 "--drain-limit gives them longer"));
  if (options_.permissions.drain == Drain::stop) {
    const auto asked = occupants_.ask_to_leave(holding, since);
    if (!asked) return fail_step(asked.error());
    if (!*asked)
      return fail_step(
          environment(fmt::format("{}: it is held by {}, not started by carve", subject(step), holders(holding)),
                      "--stop-foreign stops them as well"));
  }
  wakes_ = Clock::now() + drain_pause;
}

// --------------------------------------------------------------------------------------------------------- ends

void CardRun::fail_step(Error error) {
  const Step step = steps_.front();
  if (!note(StepState::failed, step, error.message)) return;
  tell(ApplyEvent::Kind::failed, &step, error.message);
  if (phase_ == Phase::draining) occupants_.restore(partition_of(step));
  go_back(std::move(error));
}

// The end, where this already is the way back.
void CardRun::go_back(Error why) {
  if (going_back_)
    return finish(Outcome::failed, fmt::format("{}; and going back failed: {}", going_back_->message, why.message),
                  why.help);
  going_back_ = std::move(why);
  tell(ApplyEvent::Kind::going_back, nullptr, going_back_->message);
  steps_.clear();
  after_reset_ = false;
  alone_ = false;
  start();
}

void CardRun::finish(Outcome outcome, std::string message, std::string help) {
  result_.outcome = outcome;
  result_.message = std::move(message);
  result_.help = std::move(help);
  session_.reset();
  wakes_.reset();
  phase_ = Phase::ended;
  tell(ApplyEvent::Kind::card_ended, nullptr, result_.message);
}

std::string CardRun::openers() const {
  return to_string(openers_of(card_, {options_.driver.root, options_.device_root}));
}

Partitioned CardRun::partition_of(const Step& step) const {
  return {change_.uuid, step.act == Act::destroy ? std::optional(step.id) : std::nullopt};
}

void CardRun::tell(ApplyEvent::Kind kind, const Step* step, std::string message) const {
  if (options_.tell) options_.tell({kind, &change_, step, &result_, std::move(message)});
}

// What cannot be written down is not done; then nothing more can be done here either, not even going back.
bool CardRun::note(StepState state, const Step& step, const std::string& message) {
  const auto noted = journal_.note({change_.uuid, step.act, step.instance, state, message});
  if (noted) return true;
  finish(Outcome::failed, noted.error().message,
         "the card stands between two steps: make room on the disk, then 'carve apply' goes on or 'carve rollback' "
         "goes back");
  return false;
}

}  // namespace carve
