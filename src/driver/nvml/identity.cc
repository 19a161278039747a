// What a card is called, where it is, how much memory it has and which modes it is in. A figure that cannot be had says
// why, and leaves the others alone.
#include <cstring>

#include "driver/nvml/read.h"

namespace carve {

namespace {

Mib mib_of(std::uint64_t bytes) { return {static_cast<std::int64_t>(bytes >> 20)}; }

Reading<PciAddress> read_pci(const NvmlAsk& ask) {
  NvmlPci pci{};
  NvmlOutcome outcome = ask.nvml.call(nvml_pci_v3, ask.device, &pci);
  if (outcome.code == NvmlCode::function_not_found)
    outcome = ask.nvml.call_either(nvml_pci_v2, nvml_pci, ask.device, &pci);
  if (!outcome.ok()) return ask.nvml.missing(outcome);
  const std::string full(pci.bus_id, ::strnlen(pci.bus_id, sizeof pci.bus_id));
  const std::string legacy(pci.legacy_bus_id, ::strnlen(pci.legacy_bus_id, sizeof pci.legacy_bus_id));
  return PciAddress{full.empty() ? legacy : full, pci.device_id};
}

Reading<MigModes> read_mig(const NvmlAsk& ask) {
  unsigned current = 0;
  unsigned pending = 0;
  const NvmlOutcome outcome = ask.nvml.call(nvml_mig_mode, ask.device, &current, &pending);
  if (!outcome.ok()) return ask.nvml.missing(outcome);
  return MigModes{current == 1, pending == 1};
}

Reading<ComputeMode> read_compute_mode(const NvmlAsk& ask) {
  const Reading<int> mode = ask.number(nvml_compute_mode);
  if (!mode) return tl::unexpected<Missing>(mode.error());
  if (*mode < 0 || *mode > static_cast<int>(ComputeMode::exclusive_process))
    return missing(Absence::failed, fmt::format("{}: {} is no mode that is known", nvml_compute_mode.name, *mode));
  return static_cast<ComputeMode>(*mode);
}

}  // namespace

Reading<std::string> NvmlAsk::text(const NvmlAskText& function) const {
  char buffer[96] = {};  // the largest that any of these calls is documented to need
  const NvmlOutcome outcome = nvml.call(function, device, static_cast<char*>(buffer), unsigned{sizeof buffer});
  if (!outcome.ok()) return nvml.missing(outcome);
  return std::string(buffer, ::strnlen(buffer, sizeof buffer));
}

Reading<int> NvmlAsk::number(const NvmlAskNumber& function) const {
  unsigned value = 0;
  const NvmlOutcome outcome = nvml.call(function, device, &value);
  if (!outcome.ok()) return nvml.missing(outcome);
  return static_cast<int>(value);
}

Reading<MemoryUse> read_memory(const NvmlAsk& ask) {
  NvmlMemoryV2 second{};
  second.version = nvml_version<NvmlMemoryV2>(2);
  NvmlOutcome outcome = ask.nvml.call(nvml_memory_v2, ask.device, &second);
  if (outcome.ok()) return MemoryUse{mib_of(second.total), mib_of(second.used), mib_of(second.reserved)};
  if (outcome.code != NvmlCode::function_not_found) return ask.nvml.missing(outcome);
  const Reading<Mib> reserved = ask.nvml.missing(outcome);
  NvmlMemory first{};
  outcome = ask.nvml.call(nvml_memory, ask.device, &first);
  if (!outcome.ok()) return ask.nvml.missing(outcome);
  return MemoryUse{mib_of(first.total), mib_of(first.used), reserved};
}

void read_identity(const NvmlAsk& ask, LiveCard& card) {
  card.uuid = ask.text(nvml_uuid);
  card.name = ask.text(nvml_name);
  card.pci = read_pci(ask);
  card.minor = ask.number(nvml_minor);
  card.memory = read_memory(ask);
  card.mig = read_mig(ask);
  card.compute_mode = read_compute_mode(ask);
}

}  // namespace carve
