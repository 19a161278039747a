// A conversation with the driver about single cards, in a process of its own that a call may hang in or kill.
//
// After every order the card is read again, so that an answer is what is there, not what was asked for.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "machine/machine.h"

namespace carve {

struct ReadOptions;

// Reads the card and changes nothing.
struct LookOrder {};

// A GPU instance at this place with one compute instance over all of it; nothing stays of it if that fails.
struct CreateOrder {
  std::uint32_t profile = 0;  // LiveProfile::id
  Placement placement;
};

// A GPU instance with the compute instances in it. Refused where the instance of this id stands elsewhere: it is
// another one by now.
struct DestroyOrder {
  GpuInstanceId instance;
  Placement placement;
};

// Asks for MIG mode; whether it is in force stands in the card that was read.
struct MigOrder {
  bool on = false;
};

struct CardOrder {
  std::string uuid;
  std::variant<LookOrder, CreateOrder, DestroyOrder, MigOrder> act;
};

// Why a mode that was accepted is not yet in force.
struct WaitingMode {
  std::string sentence;
  bool in_use = false;  // somebody has the card open; else it wants a reset
};

struct CardAnswer {
  std::optional<Error> failed;  // the order; nothing: the driver did it
  LiveCard card;                // as it is now
  std::optional<WaitingMode> waiting;
};

class CardSession {
 public:
  // Errors: environment: no process can be had; a driver that does not answer is told by the first answer.
  static Result<CardSession> open(const ReadOptions&);
  CardSession(CardSession&&) noexcept;
  CardSession& operator=(CardSession&&) = delete;
  ~CardSession();  // its process ends, and with it every handle

  // One order at a time.
  Result<void> order(const CardOrder&, std::chrono::milliseconds limit);
  // Waits for the answer, until the limit of its order. Errors: environment: none came, or no driver, or no such card.
  // After an error the session is of no more use.
  Result<CardAnswer> answer();
  // Readable when an answer has come; after `due` there will be none.
  int descriptor() const;
  std::chrono::steady_clock::time_point due() const;

 private:
  struct State;
  explicit CardSession(std::unique_ptr<State>);
  std::unique_ptr<State> state_;
};

}  // namespace carve
