// Who holds a card. The list of the whole card also names the instance of each process, where the driver is new enough
// and whoever asks is privileged; else each MIG device is asked for its own. A process that is in several lists (of
// compute, graphics, MPS clients) is one occupant.
#include <algorithm>
#include <array>

#include "driver/nvml/read.h"

namespace carve {

namespace {

// A kind of list; what is not told about occupants of this kind when the driver does not have it.
struct Kind {
  const NvmlProcessList* list;
  bool Occupant::*is;
  std::string_view untold;
};
constexpr std::array kinds{Kind{&nvml_compute_processes, &Occupant::compute, "processes that compute"},
                           Kind{&nvml_graphics_processes, &Occupant::graphics, "processes that draw"},
                           Kind{&nvml_mps_processes, &Occupant::mps, "clients of MPS"}};

using Key = std::tuple<std::optional<GpuInstanceId>, std::optional<ComputeInstanceId>, std::int32_t>;
using Found = std::map<Key, Occupant>;

Reading<Mib> memory_of(std::uint64_t bytes) {
  if (bytes == nvml_no_figure) return missing(Absence::unsupported, "the driver does not know this process's memory");
  constexpr std::uint64_t mib = std::uint64_t{1} << 20;
  return Mib{static_cast<std::int64_t>(bytes / mib + (bytes % mib == 0 ? 0 : 1))};  // up: it is what somebody needs
}

Occupant occupant_of(const NvmlProcessV1& row) {
  Occupant occupant;
  occupant.pid = static_cast<std::int32_t>(row.pid);
  occupant.memory = memory_of(row.used_memory);
  return occupant;
}

Occupant occupant_of(const NvmlProcess& row) {
  Occupant occupant = occupant_of(NvmlProcessV1{row.pid, row.used_memory});
  if (row.gpu_instance != nvml_no_instance) occupant.gpu_instance = GpuInstanceId{row.gpu_instance};
  if (row.compute_instance != nvml_no_instance) occupant.compute_instance = ComputeInstanceId{row.compute_instance};
  return occupant;
}

// The list may grow while it is asked for: then once more, with more room.
template <class Row>
Reading<std::vector<Occupant>> ask_list(const NvmlAsk& ask, const NvmlFunction<NvmlDevice, unsigned*, Row*>& function) {
  constexpr std::size_t most = 65536;
  std::vector<Row> rows(32);
  NvmlOutcome outcome{function.name, NvmlCode::insufficient_size};
  while (outcome.code == NvmlCode::insufficient_size && rows.size() <= most) {
    auto count = static_cast<unsigned>(rows.size());
    outcome = ask.nvml.call(function, ask.device, &count, rows.data());
    if (outcome.ok()) rows.resize(std::min<std::size_t>(count, rows.size()));
    if (outcome.code == NvmlCode::insufficient_size) rows.resize(std::max<std::size_t>(rows.size() * 2, count));
  }
  if (!outcome.ok()) return ask.nvml.missing(outcome);
  std::vector<Occupant> occupants;
  for (const Row& row : rows) occupants.push_back(occupant_of(row));
  return occupants;
}

Reading<std::vector<Occupant>> ask_kind(const NvmlAsk& ask, const NvmlProcessList& list) {
  if (ask.nvml.has(list.third)) return ask_list(ask, list.third);
  if (ask.nvml.has(list.second)) return ask_list(ask, list.second);
  return ask_list(ask, list.first);
}

bool names_instances(const NvmlLibrary& nvml, const NvmlProcessList& list) {
  return nvml.has(list.third) || nvml.has(list.second);
}

void add(Found& found, const std::vector<Occupant>& occupants, const Kind& kind) {
  for (const Occupant& occupant : occupants) {
    const Key key{occupant.gpu_instance, occupant.compute_instance, occupant.pid};
    found.emplace(key, occupant).first->second.*kind.is = true;
  }
}

std::optional<Missing> add_of_devices(const NvmlAsk& ask, const std::vector<NvmlMigDevice>& devices, const Kind& kind,
                                      Found& found) {
  for (const NvmlMigDevice& device : devices) {
    Reading<std::vector<Occupant>> occupants = ask_kind({ask.nvml, device.device}, *kind.list);
    if (!occupants) return occupants.error();
    for (Occupant& occupant : *occupants) {
      occupant.gpu_instance = device.gpu_instance;
      occupant.compute_instance = device.compute_instance;
    }
    add(found, *occupants, kind);
  }
  return {};
}

std::optional<Missing> add_kind(const NvmlAsk& ask, const std::vector<NvmlMigDevice>& devices, const LiveCard& card,
                                const Kind& kind, Found& found) {
  if (card.is_cut() && !names_instances(ask.nvml, *kind.list)) return add_of_devices(ask, devices, kind, found);
  const Reading<std::vector<Occupant>> occupants = ask_kind(ask, *kind.list);
  if (!occupants && occupants.error().why == Absence::denied && card.is_cut())
    return add_of_devices(ask, devices, kind, found);
  if (!occupants) return occupants.error();
  add(found, *occupants, kind);
  return {};
}

}  // namespace

void read_occupants(const NvmlAsk& ask, const std::vector<NvmlMigDevice>& devices, LiveCard& card) {
  Found found;
  for (const Kind& kind : kinds) {
    const std::optional<Missing> lacks = add_kind(ask, devices, card, kind, found);
    if (!lacks) continue;
    card.untold.push_back({std::string(kind.untold), *lacks});
    if (lacks->why == Absence::unsupported && kind.is != &Occupant::compute) continue;
    card.occupants = tl::unexpected<Missing>(*lacks);
    return;
  }
  std::vector<Occupant> occupants;
  for (auto& [key, occupant] : found) occupants.push_back(std::move(occupant));
  card.occupants = std::move(occupants);
}

}  // namespace carve
