// Any bytes as the answer of a reading process, and as what /proc says: read or refused, without falling over; an
// answer that was read and packed again is the same. What processes are called never breaks the draft of a workload
// file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "driver/answer.h"
#include "driver/proc/text.h"
#include "observe/observe.h"
#include "workload/workload.h"

namespace {

void read_answer(std::string_view bytes) {
  const auto machine = carve::unpack_answer(bytes);
  if (!machine) return;
  const std::string again = carve::pack_answer(*machine);
  if (again != bytes) std::abort();
}

// Each line is what one process says of itself.
void observe(std::string_view text) {
  carve::LiveCard card;
  card.memory = carve::MemoryUse{carve::Mib{80000}, carve::Mib{1000}, {}};
  card.occupants = std::vector<carve::Occupant>();
  while (!text.empty() && card.occupants->size() < 64) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    carve::ProcessFacts facts;
    facts.user = carve::user_in(line, 0).value_or(std::string(line.substr(0, line.size() / 2)));
    facts.command = carve::command_in(line);
    facts.cgroup = carve::cgroup_in(line);
    if (const auto stat = carve::stat_in(line)) {
      facts.group = stat->group;
      facts.started = stat->started;
    }
    carve::Occupant occupant;
    occupant.pid = static_cast<std::int32_t>(card.occupants->size()) + 1;
    occupant.compute = true;
    occupant.memory = carve::Mib{1};
    occupant.process = facts;
    card.occupants->push_back(std::move(occupant));
  }
  if (card.occupants->empty()) return;
  carve::Observation observation;
  carve::Machine machine;
  machine.cards.push_back(std::move(card));
  observation.add(machine);
  const carve::Observed seen = observation.result();
  if (!carve::can_be_planned(seen)) return;  // servers of MPS only
  const std::string draft = carve::workload_draft(seen, {std::chrono::seconds(1), std::chrono::seconds(1), ""});
  const auto file = carve::parse_workload_file(draft, "draft.yaml");
  if (!file || file->workloads.size() != seen.workloads.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_answer(bytes);
  observe(bytes);
  return 0;
}
