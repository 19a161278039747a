// Every exported function is one call: is NVML initialised, is there a fault for it, does it take time, then its body,
// on the machine and under its lock.
//
//   return look(Function::nvmlX, [&](const Machine& machine) -> Return { ... });
//   return change(Function::nvmlX, Needs::mig_config, [&](Machine& machine) -> Return { ... });
//
// A change is kept if its body returns success. CARVE_SIM_LOG names a file that gets a line for every call: process,
// number of changes that the machine had seen after it, function, result.
#pragma once

#include "simgpu/nvml/handles.h"

// What the version scripts export; everything else is hidden.
#define CARVE_SIM_API extern "C" __attribute__((visibility("default")))

namespace carve::sim {

enum class Needs : std::uint8_t { nothing, mig_config, root };

inline bool allowed(Needs needs) {
  return needs == Needs::nothing || library.privilege == Privilege::root ||
         (needs == Needs::mig_config && library.privilege == Privilege::mig_config);
}

// What a body may do with the machine, behind one type so that the machinery is compiled once.
class Body {
 public:
  virtual Return run(Access&) = 0;

 protected:
  ~Body() = default;
};

enum class Effect : std::uint8_t { looks, changes };
Return perform(Function, Needs, Effect, Body&) noexcept;

template <class Look>
Return look(Function function, Needs needs, const Look& body) noexcept {
  struct Looking final : Body {
    explicit Looking(const Look& f) : inner(f) {}
    Return run(Access& access) override { return inner(access.machine()); }
    const Look& inner;
  } looking(body);
  return perform(function, needs, Effect::looks, looking);
}

template <class Look>
Return look(Function function, const Look& body) noexcept {
  return look(function, Needs::nothing, body);
}

template <class Change>
Return change(Function function, Needs needs, const Change& body) noexcept {
  struct Changing final : Body {
    explicit Changing(const Change& f) : inner(f) {}
    Return run(Access& access) override { return inner(access.edit()); }
    const Change& inner;
  } changing(body);
  return perform(function, needs, Effect::changes, changing);
}

// The line of a call that does not go through perform().
void write_log(Function, std::uint64_t changes, Return);

// The files below the machine's root, after a change that was committed.
void show_files(const Access&);

// Waits as the chosen row of latencies says; called before a slow call, without any lock but that of CARVE_SIM_SLOW.
struct Slow {
  int card = -1;  // not known
  int compute_slices = 1;
};
void take_time(SlowCall, Slow) noexcept;
// Where instances settle after their last process: notes who is gone, in a change of its own, which stays when the call
// that asks is refused.
void note_who_left() noexcept;
void sleep_us(std::uint64_t) noexcept;

// Copies a text with its end, or says that it does not fit.
Return give_text(std::string_view, char* buffer, std::uint32_t size);

}  // namespace carve::sim
