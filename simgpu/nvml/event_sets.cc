// Waiting for events. Sets belong to the process; the events are in the machine. A wait looks again every few
// milliseconds, without keeping any lock meanwhile.
#include <algorithm>

#include "simgpu/nvml/call.h"

namespace carve::sim {

namespace {

constexpr std::uint64_t look_again_us = 2000;

// A card that is gone sends nothing more, and ends the waiting. Instances are named only to who is privileged; others
// get the events of whole cards and nothing else.
Return next(const Machine& machine, EventSetRow& row, EventData& data) {
  while (const auto event = next_event(machine.now, row.seen, row.types)) {
    row.seen = event->number;
    if (event->gpu_instance != no_instance && !allowed(Needs::mig_config)) continue;
    if (event->card >= static_cast<std::uint32_t>(machine.boards.count)) continue;
    data = {device_handle(machine, static_cast<int>(event->card)), event->type, event->data, event->gpu_instance,
            event->compute_instance};
    return success;
  }
  for (int card = 0; card < machine.boards.count; ++card) {
    if (row.types[card] != 0 && machine.now.cards[card].lost != 0) return gpu_is_lost;
  }
  return timeout;
}

// Old callers have a shorter struct.
template <class Data>
void give(Data* into, const EventData& data) {
  std::memcpy(static_cast<void*>(into), &data, sizeof(Data));
}

template <class Data>
Return wait(Function function, EventSet set, Data* into, unsigned timeout_ms) {
  const std::uint64_t until = now_us() + std::uint64_t{timeout_ms} * 1000;
  for (;;) {
    EventData data{};
    const Return result = look(function, [&](const Machine& machine) -> Return {
      EventSetRow* row = find(set);
      if (row == nullptr || into == nullptr) return invalid_argument;
      return next(machine, *row, data);
    });
    if (result == success) give(into, data);
    if (result != timeout) return result;
    const std::uint64_t now = now_us();
    if (now >= until) return timeout;
    sleep_us(std::min(look_again_us, until - now));
  }
}

}  // namespace

CARVE_SIM_API Return nvmlEventSetCreate(EventSet* set) {
  return look(Function::nvmlEventSetCreate, [&](const Machine& machine) -> Return {
    if (set == nullptr) return invalid_argument;
    for (int i = 0; i < max_event_sets; ++i) {
      EventSetRow& row = library.event_sets[i];
      if (row.used) continue;
      row = {true, row.generation + 1, {}, machine.now.events_seen};
      *set = event_set_handle(i);
      return success;
    }
    return out_of_memory;
  });
}

CARVE_SIM_API Return nvmlEventSetFree(EventSet set) {
  return look(Function::nvmlEventSetFree, [&](const Machine&) -> Return {
    EventSetRow* row = find(set);
    if (row == nullptr) return invalid_argument;
    row->used = false;
    return success;
  });
}

CARVE_SIM_API Return nvmlDeviceGetSupportedEventTypes(Device device, unsigned long long* types) {
  return look(Function::nvmlDeviceGetSupportedEventTypes, [&](const Machine& machine) -> Return {
    int card = -1;
    if (const Return found = find_card(machine, device, card); found != success) return found;
    if (types == nullptr) return invalid_argument;
    *types = event_xid;
    return success;
  });
}

CARVE_SIM_API Return nvmlDeviceRegisterEvents(Device device, unsigned long long types, EventSet set) {
  return look(Function::nvmlDeviceRegisterEvents, [&](const Machine& machine) -> Return {
    int card = -1;
    if (const Return found = find_card(machine, device, card); found != success) return found;
    EventSetRow* row = find(set);
    if (row == nullptr) return invalid_argument;
    if ((types & ~event_xid) != 0) return not_supported;
    const bool first = std::all_of(std::begin(row->types), std::end(row->types), [](auto bits) { return bits == 0; });
    if (first) row->seen = machine.now.events_seen;
    row->types[card] |= types;
    return success;
  });
}

CARVE_SIM_API Return nvmlEventSetWait(EventSet set, EventDataV1* data, unsigned timeout_ms) {
  return wait(Function::nvmlEventSetWait, set, data, timeout_ms);
}

CARVE_SIM_API Return nvmlEventSetWait_v2(EventSet set, EventData* data, unsigned timeout_ms) {
  return wait(Function::nvmlEventSetWait_v2, set, data, timeout_ms);
}

}  // namespace carve::sim
