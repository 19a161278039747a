// How busy cards are: rates and samples per process without MIG, GPM samples per instance.
#include <algorithm>

#include "simgpu/nvml/call.h"

namespace carve::sim {

namespace {

// What the processes at a place use together, in percent of it.
template <class Percent>
std::uint32_t sum_percent(const Machine& machine, Held where, const Percent& percent) {
  std::uint32_t sum = 0;
  for (const Process& process : machine.now.processes) {
    if (holds(process, where) && alive(process.holder)) sum += percent(process);
  }
  return std::min<std::uint32_t>(sum, 100);
}

std::uint32_t sm_percent(const Machine& machine, Held where) {
  return sum_percent(machine, where, [](const Process& process) { return process.sm_percent; });
}

Return find_whole_card(const Machine& machine, Device device, int& card) {
  if (const Return found = find_card(machine, device, card); found != success) return found;
  return machine.now.cards[card].mode == mig_enabled ? not_supported : success;
}

Return take_sample(const Machine& machine, GpmSample sample, Held where) {
  GpmSampleRow* row = find(sample);
  if (row == nullptr) return invalid_argument;
  if (machine.boards.rows[where.card].gpm == 0) return not_supported;
  row->taken = true;
  row->time_us = now_us();
  row->sm_percent = sm_percent(machine, where);
  row->where = where;
  return success;
}

// A simulated process says what share of its SMs it keeps busy; the other metrics nobody knows.
void answer(GpmMetric& metric, const GpmSampleRow& first, const GpmSampleRow& second) {
  const bool known = metric.id == gpm_sm_util || metric.id == gpm_graphics_util;
  metric.result = known ? success : not_supported;
  metric.value = known ? (first.sm_percent + second.sm_percent) / 2.0 : 0;
  metric.texts[0] = known ? (metric.id == gpm_sm_util ? "SM_UTIL" : "GRAPHICS_UTIL") : nullptr;
  metric.texts[1] = known ? (metric.id == gpm_sm_util ? "SM activity" : "Graphics activity") : nullptr;
  metric.texts[2] = known ? "%" : nullptr;
}

constexpr std::uint32_t most_metrics = 4096;
constexpr std::uint64_t gpm_interval_us = 100000;  // two samples must lie further apart

}  // namespace

CARVE_SIM_API Return nvmlDeviceGetUtilizationRates(Device device, Utilization* rates) {
  return look(Function::nvmlDeviceGetUtilizationRates, [&](const Machine& machine) -> Return {
    int card = -1;
    if (const Return found = find_whole_card(machine, device, card); found != success) return found;
    if (rates == nullptr) return invalid_argument;
    rates->gpu = sm_percent(machine, {card});
    rates->memory = sum_percent(machine, {card}, [](const Process& process) { return process.memory_percent; });
    return success;
  });
}

CARVE_SIM_API Return nvmlDeviceGetProcessUtilization(Device device, ProcessSample* samples, unsigned* count,
                                                     unsigned long long last_seen) {
  return look(Function::nvmlDeviceGetProcessUtilization, [&](const Machine& machine) -> Return {
    int card = -1;
    if (const Return found = find_whole_card(machine, device, card); found != success) return found;
    if (count == nullptr) return invalid_argument;
    const std::uint64_t time = now_us();
    unsigned needed = 0;
    for (const Process& process : machine.now.processes) {
      if (time <= last_seen || !holds(process, {card}) || !alive(process.holder)) continue;
      if (samples != nullptr && needed < *count)
        samples[needed] = {
            static_cast<std::uint32_t>(process.holder.pid), time, process.sm_percent, process.memory_percent, 0, 0};
      ++needed;
    }
    const bool fits = needed <= *count && (samples != nullptr || needed == 0);
    *count = needed;
    if (needed == 0) return not_found;
    return fits ? success : insufficient_size;
  });
}

CARVE_SIM_API Return nvmlGpmSampleAlloc(GpmSample* sample) {
  Guard guard;
  if (sample == nullptr) return invalid_argument;
  for (int i = 0; i < max_gpm_samples; ++i) {
    GpmSampleRow& row = library.samples[i];
    if (row.used) continue;
    row = {true, row.generation + 1, false, 0, 0, {}};
    *sample = sample_handle(i);
    return success;
  }
  return out_of_memory;
}

CARVE_SIM_API Return nvmlGpmSampleFree(GpmSample sample) {
  Guard guard;
  GpmSampleRow* row = find(sample);
  if (row == nullptr) return invalid_argument;
  row->used = false;
  return success;
}

CARVE_SIM_API Return nvmlGpmSampleGet(Device device, GpmSample sample) {
  return look(Function::nvmlGpmSampleGet, [&](const Machine& machine) -> Return {
    DeviceTarget target;
    if (const Return found = find(machine, device, target); found != success) return found;
    Held where{target.card};
    if (target.is_mig()) where.gpu_instance = gpu_instance_at(machine, target.mig.gpu).id;
    return take_sample(machine, sample, where);
  });
}

CARVE_SIM_API Return nvmlGpmMigSampleGet(Device device, unsigned gpu_instance, GpmSample sample) {
  return look(Function::nvmlGpmMigSampleGet, [&](const Machine& machine) -> Return {
    int card = -1;
    if (const Return found = find_mig_card(machine, device, card); found != success) return found;
    if (gpu_instance_with_id(machine.now.cards[card], gpu_instance) < 0) return invalid_argument;
    return take_sample(machine, sample, {card, gpu_instance});
  });
}

CARVE_SIM_API Return nvmlGpmMetricsGet(GpmMetricsGet* request) {
  return look(Function::nvmlGpmMetricsGet, [&](const Machine&) -> Return {
    if (request == nullptr || request->count > most_metrics) return invalid_argument;
    if (request->version != 1) return argument_version_mismatch;
    const GpmSampleRow* first = find(request->first);
    const GpmSampleRow* second = find(request->second);
    if (first == nullptr || second == nullptr || !first->taken || !second->taken) return invalid_argument;
    const bool same =
        first->where.card == second->where.card && first->where.gpu_instance == second->where.gpu_instance;
    if (!same || second->time_us < first->time_us + gpm_interval_us) return invalid_argument;
    GpmMetric* metrics = request->metrics;  // as many as the caller's driver had, which may be more than ours
    for (std::uint32_t i = 0; i < request->count; ++i) answer(metrics[i], *first, *second);
    return success;
  });
}

CARVE_SIM_API Return nvmlGpmQueryDeviceSupport(Device device, GpmSupport* support) {
  return look(Function::nvmlGpmQueryDeviceSupport, [&](const Machine& machine) -> Return {
    DeviceTarget target;
    if (const Return found = find(machine, device, target); found != success) return found;
    if (support == nullptr) return invalid_argument;
    if (support->version != 1) return argument_version_mismatch;
    support->supported = machine.boards.rows[target.card].gpm;
    return success;
  });
}

CARVE_SIM_API Return nvmlGpmQueryIfStreamingEnabled(Device device, unsigned* state) {
  return look(Function::nvmlGpmQueryIfStreamingEnabled, [&](const Machine& machine) -> Return {
    int card = -1;
    if (const Return found = find_card(machine, device, card); found != success) return found;
    if (state == nullptr) return invalid_argument;
    if (machine.boards.rows[card].gpm == 0) return not_supported;
    *state = machine.now.cards[card].streaming;
    return success;
  });
}

CARVE_SIM_API Return nvmlGpmSetStreamingEnabled(Device device, unsigned state) {
  return change(Function::nvmlGpmSetStreamingEnabled, Needs::root, [&](Machine& machine) -> Return {
    int card = -1;
    if (const Return found = find_card(machine, device, card); found != success) return found;
    if (state > 1) return invalid_argument;
    if (machine.boards.rows[card].gpm == 0) return not_supported;
    machine.now.cards[card].streaming = static_cast<std::uint8_t>(state);
    return success;
  });
}

}  // namespace carve::sim
