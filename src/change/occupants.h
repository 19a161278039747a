// Who holds a partition, and how it is drained before it is changed. Processes of this machine are one kind of
// occupants; pods are another.
#pragma once

#include <chrono>
#include <functional>
#include <map>

#include "change/steps.h"

namespace carve {

// A partition of a live card: an instance, or all of it.
struct Partitioned {
  std::string card;  // UUID
  std::optional<GpuInstanceId> instance;
};

class Occupants {
 public:
  virtual ~Occupants() = default;

  // Nobody new is placed there any more. Error: environment.
  virtual Result<void> withdraw(const Partitioned&) = 0;
  // Asks those who hold it to leave; called again while they stay, `held_for` after the first time. False: they will
  // not be asked, as they are not ours. Error: environment.
  virtual Result<bool> ask_to_leave(const std::vector<Occupant>&, std::chrono::milliseconds held_for) = 0;
  // It may be used again.
  virtual void restore(const Partitioned&) = 0;
};

// Which processes may be stopped: those that carve started, or everybody's.
enum class Stop : std::uint8_t { ours, everybodys };

// Processes of this machine: TERM, and KILL for who is still there after the grace. No scheduler is told.
class ProcessOccupants : public Occupants {
 public:
  using Ours = std::function<bool(std::int32_t pid)>;
  ProcessOccupants(Stop whom, Ours ours, std::chrono::milliseconds grace)
      : whom_(whom), ours_(std::move(ours)), grace_(grace) {}

  Result<void> withdraw(const Partitioned&) override { return {}; }
  Result<bool> ask_to_leave(const std::vector<Occupant>&, std::chrono::milliseconds held_for) override;
  void restore(const Partitioned&) override {}

 private:
  Stop whom_;
  Ours ours_;
  std::chrono::milliseconds grace_;
  std::set<std::int32_t> asked_;  // got their TERM
};

// "4711 (alice, python train.py), 4712 and 3 more"
std::string holders(const std::vector<Occupant>&);

}  // namespace carve
