// How busy cards, processes and GPU instances are. Where MIG is on the driver tells only the last, by two samples of
// GPM that lie more than 0.1 s apart: the first of all instances are taken, then the second, so that the wait is one
// for the whole machine.
#include <algorithm>
#include <cmath>
#include <memory>
#include <thread>

#include "driver/nvml/read.h"

namespace carve {

namespace {

constexpr std::chrono::milliseconds between_samples{110};
constexpr std::uint32_t most_percent = 100;

Reading<Permille> read_rate(const NvmlAsk& ask) {
  NvmlUtilization rates{};
  const NvmlOutcome outcome = ask.nvml.call(nvml_utilization, ask.device, &rates);
  if (!outcome.ok()) return ask.nvml.missing(outcome);
  return Permille{10 * std::int64_t{std::min(rates.sm, most_percent)}};
}

// ------------------------------------------------------------------------------------------------------- processes

using Rows = std::vector<NvmlProcessSample>;

// The list may grow while it is asked for: then once more, with more room.
Reading<Rows> ask_rows(const NvmlAsk& ask, std::uint64_t since_us) {
  constexpr std::size_t most = 65536;
  Rows rows(128);
  NvmlOutcome outcome{nvml_process_utilization.name, NvmlCode::insufficient_size};
  while (outcome.code == NvmlCode::insufficient_size && rows.size() <= most) {
    auto count = static_cast<unsigned>(rows.size());
    outcome = ask.nvml.call(nvml_process_utilization, ask.device, rows.data(), &count,
                            static_cast<unsigned long long>(since_us));
    if (outcome.ok()) rows.resize(std::min<std::size_t>(count, rows.size()));
    if (outcome.code == NvmlCode::insufficient_size) rows.resize(std::max<std::size_t>(rows.size() * 2, count));
  }
  if (outcome.code == NvmlCode::not_found) return Rows{};  // no sample since then: nobody ran anything
  if (!outcome.ok()) return ask.nvml.missing(outcome);
  return rows;
}

// Rows that are old, or have a figure that is none, are not counted.
Reading<std::vector<ProcessUse>> read_processes(const NvmlAsk& ask, std::uint64_t since_us) {
  const Reading<Rows> rows = ask_rows(ask, since_us);
  if (!rows) return tl::unexpected<Missing>(rows.error());
  struct Sum {
    std::int64_t percent = 0, rows = 0, peak = 0;
  };
  std::map<std::int32_t, Sum> sums;
  for (const NvmlProcessSample& row : *rows) {
    if (row.pid == 0 || row.time_us <= since_us || row.sm > most_percent) continue;
    Sum& sum = sums[static_cast<std::int32_t>(row.pid)];
    sum.percent += row.sm;
    sum.rows += 1;
    sum.peak = std::max<std::int64_t>(sum.peak, row.sm);
  }
  std::vector<ProcessUse> uses;
  for (const auto& [pid, sum] : sums)
    uses.push_back({pid, Permille{ceil_div(10 * sum.percent, sum.rows)}, Permille{10 * sum.peak}});
  return uses;
}

// ------------------------------------------------------------------------------------------------------- instances

class Sample {
 public:
  explicit Sample(const NvmlLibrary& nvml) : nvml_(&nvml), outcome_(nvml.call(nvml_gpm_alloc, &handle_)) {}
  ~Sample() {
    if (handle_ != nullptr) nvml_->call(nvml_gpm_free, handle_);
  }
  Sample(Sample&& other) noexcept
      : nvml_(other.nvml_), handle_(std::exchange(other.handle_, nullptr)), outcome_(other.outcome_) {}
  Sample& operator=(Sample&&) = delete;

  void take(NvmlDevice device, GpuInstanceId instance) {
    if (outcome_.ok()) outcome_ = nvml_->call(nvml_gpm_of_instance, device, instance.value, handle_);
  }
  const NvmlOutcome& outcome() const { return outcome_; }
  NvmlGpmSample handle() const { return handle_; }

 private:
  const NvmlLibrary* nvml_;
  NvmlGpmSample handle_ = nullptr;
  NvmlOutcome outcome_;
};

// An instance between its two samples, and where its figure belongs.
struct Pending {
  NvmlDevice device;
  std::size_t card, instance;  // of the machine's cards, of the card's use
  Sample first;
};

Reading<Permille> compare(const NvmlLibrary& nvml, const Sample& first, const Sample& second) {
  if (!first.outcome().ok()) return nvml.missing(first.outcome());
  if (!second.outcome().ok()) return nvml.missing(second.outcome());
  const auto request = std::make_unique<NvmlGpmRequest>();
  *request = {nvml_gpm_request_version, 1, first.handle(), second.handle(), {}};
  NvmlGpmMetric& metric = request->metrics[0];
  metric.id = nvml_gpm_sm_use;
  NvmlOutcome outcome = nvml.call(nvml_gpm_metrics, request.get());
  if (outcome.ok()) outcome.code = metric.code;
  if (!outcome.ok()) return nvml.missing(outcome);
  if (!std::isfinite(metric.value) || metric.value < 0)
    return missing(Absence::failed, fmt::format("{}: {} is no percentage", nvml_gpm_metrics.name, metric.value));
  return Permille{static_cast<std::int64_t>(std::ceil(std::min(metric.value, 100.0) * 10))};
}

class Reader {
 public:
  Reader(const NvmlLibrary& nvml, std::uint64_t since_us, Machine& machine)
      : nvml_(nvml), since_us_(since_us), machine_(machine) {}

  void read() {
    for (std::size_t card = 0; card < machine_.cards.size(); ++card)
      if (!machine_.cards[card].lost) begin(card);
    if (pending_.empty()) return;
    std::this_thread::sleep_for(between_samples);
    for (const Pending& instance : pending_) finish(instance);
  }

 private:
  void begin(std::size_t at) {
    LiveCard& card = machine_.cards[at];
    NvmlDevice device = nullptr;
    const NvmlOutcome found =
        nvml_.call_either(nvml_by_index_v2, nvml_by_index, static_cast<unsigned>(card.index), &device);
    if (!found.ok()) {
      card.use = {nvml_.missing(found), nvml_.missing(found), nvml_.missing(found)};
      return;
    }
    card.use.sm = read_rate({nvml_, device});
    card.use.processes = read_processes({nvml_, device}, since_us_);
    card.use.instances = std::vector<InstanceUse>();
    if (!card.instances) card.use.instances = tl::unexpected<Missing>(card.instances.error());
    if (!card.is_cut() || !card.instances) return;
    for (const LiveGpuInstance& instance : *card.instances) {
      Sample sample(nvml_);
      sample.take(device, instance.id);
      pending_.push_back({device, at, card.use.instances->size(), std::move(sample)});
      card.use.instances->push_back({instance.id, {}});
    }
  }

  void finish(const Pending& pending) {
    InstanceUse& use = machine_.cards[pending.card].use.instances->at(pending.instance);
    Sample second(nvml_);
    second.take(pending.device, use.id);
    use.sm = compare(nvml_, pending.first, second);
  }

  const NvmlLibrary& nvml_;
  std::uint64_t since_us_;
  Machine& machine_;
  std::vector<Pending> pending_;
};

}  // namespace

void read_use(const NvmlLibrary& nvml, std::chrono::system_clock::time_point since, Machine& machine) {
  const auto since_us = std::chrono::duration_cast<std::chrono::microseconds>(since.time_since_epoch()).count();
  Reader(nvml, static_cast<std::uint64_t>(std::max<std::int64_t>(since_us, 0)), machine).read();
}

}  // namespace carve
