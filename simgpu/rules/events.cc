#include "simgpu/rules/events.h"

#include <algorithm>

namespace carve::sim {

void add_event(Situation& now, Event event) {
  event.number = ++now.events_seen;
  now.events[event.number % max_events] = event;
}

std::optional<Event> next_event(const Situation& now, std::uint64_t seen, const std::uint64_t (&types)[max_cards]) {
  const std::uint64_t oldest = now.events_seen > max_events ? now.events_seen - max_events + 1 : 1;
  for (std::uint64_t number = std::max(seen + 1, oldest); number <= now.events_seen; ++number) {
    const Event& event = now.events[number % max_events];
    if (event.card < max_cards && (event.type & types[event.card]) != 0) return event;
  }
  return std::nullopt;
}

}  // namespace carve::sim
