// One order: find the card by its UUID, act, read the card again. An instance is made in two calls, and undone when the
// second fails. A release of memory may reach the driver late, so what is "in use" without a user is tried again.
#include "driver/nvml/reshape.h"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <chrono>

#include "driver/nvml/read.h"

namespace carve {

namespace {

// Seen: 0.1 to 0.5 s after the last process of an instance ended, "in use by another user".
// Source: FAR MIG scheduler, README (artecs-group).
constexpr std::chrono::milliseconds settle_limit{2000};
constexpr std::chrono::milliseconds settle_pause{25};

Error refused(std::string message, std::string help = {}) {
  return {Fault::environment, std::move(message), {}, std::move(help), {}};
}

struct CodeHelp {
  NvmlCode code;
  std::string_view help;
};
constexpr std::array code_helps{
    CodeHelp{NvmlCode::no_permission,
             "changing cards is for root, or for who may use the capability mig/config (MIG mode: root only)"},
    CodeHelp{NvmlCode::in_use, "somebody holds it: 'carve status' names processes; a monitor may hold it as well"},
    CodeHelp{NvmlCode::insufficient_resources,
             "the place is taken, or what the profile needs is: somebody else may have cut the card meanwhile"},
    CodeHelp{NvmlCode::not_supported, "the card has no MIG, or it is off, or a hypervisor keeps it from changing"},
    CodeHelp{NvmlCode::gpu_is_lost, "the card fell off the bus: 'dmesg' has its Xid; it needs a reset or a reboot"},
    CodeHelp{NvmlCode::reset_required, "the card needs a reset before it can be used"},
    CodeHelp{NvmlCode::function_not_found, "a newer driver has it; carve never cuts without saying where"},
};

std::string help_for(NvmlCode code) {
  const auto* found =
      std::find_if(code_helps.begin(), code_helps.end(), [&](const CodeHelp& row) { return row.code == code; });
  return found == code_helps.end() ? "'dmesg' may say more" : std::string(found->help);
}

class Reshaper {
 public:
  Reshaper(const NvmlLibrary& nvml, NvmlDevice device, CardAnswer& answer)
      : nvml_(nvml), device_(device), answer_(answer) {}

  void operator()(const LookOrder&) {}

  void operator()(const CreateOrder& order) {
    const NvmlPlacement place{static_cast<std::uint32_t>(order.placement.start),
                              static_cast<std::uint32_t>(order.placement.size)};
    NvmlGpuInstance made = nullptr;
    if (!good(nvml_.call(nvml_create_gpu_instance, device_, order.profile, &place, &made))) return;
    if (!fill(made)) nvml_.call(nvml_destroy_gpu_instance, made);
  }

  void operator()(const DestroyOrder& order) {
    NvmlGpuInstance instance = nullptr;
    NvmlGpuInstanceInfo info{};
    if (!good(nvml_.call(nvml_gpu_instance_by_id, device_, order.instance.value, &instance))) return;
    if (!good(nvml_.call(nvml_gpu_instance_info, instance, &info))) return;
    if (static_cast<int>(info.placement.start) != order.placement.start ||
        static_cast<int>(info.placement.size) != order.placement.size) {
      answer_.failed = refused(fmt::format("GPU instance {} stands elsewhere by now", order.instance.value),
                               "somebody else changes this card at the same time");
      return;
    }
    const Reading<std::vector<NvmlComputeShape>> shapes = compute_shapes(nvml_, instance);
    if (!shapes) {
      answer_.failed = refused(shapes.error().sentence);
      return;
    }
    for (const NvmlComputeShape& shape : *shapes)
      if (!empty(instance, shape)) return;
    good(settled([&] { return nvml_.call(nvml_destroy_gpu_instance, instance); }));
  }

  void operator()(const MigOrder& order) {
    int activation = 0;
    const unsigned mode = order.on ? 1 : 0;
    if (!good(nvml_.call(nvml_set_mig_mode, device_, mode, &activation))) return;
    const auto code = static_cast<NvmlCode>(activation);
    if (code != NvmlCode::success)
      answer_.waiting = {nvml_.sentence({"activation of the mode", code}), code == NvmlCode::in_use};
  }

 private:
  bool good(const NvmlOutcome& outcome) {
    if (!outcome.ok()) answer_.failed = refused(nvml_.sentence(outcome), help_for(outcome.code));
    return outcome.ok();
  }

  // The compute instance that has all of the GPU instance.
  bool fill(NvmlGpuInstance instance) {
    const Reading<std::vector<NvmlComputeShape>> shapes = compute_shapes(nvml_, instance);
    if (!shapes || shapes->empty()) {
      answer_.failed = refused(shapes ? "the driver names no compute instance for it" : shapes.error().sentence);
      return false;
    }
    const auto whole = std::max_element(shapes->begin(), shapes->end(),
                                        [](const auto& a, const auto& b) { return a.slices < b.slices; });
    NvmlComputeInstance made = nullptr;
    return good(nvml_.call(nvml_create_compute_instance, instance, whole->id, &made));
  }

  bool empty(NvmlGpuInstance instance, const NvmlComputeShape& shape) {
    std::array<NvmlComputeInstance, nvml_most_rows> handles{};
    unsigned count = nvml_most_rows;
    if (!good(nvml_.call(nvml_compute_instances, instance, shape.id, handles.data(), &count))) return false;
    for (unsigned i = 0; i < std::min(count, nvml_most_rows); ++i) {
      const NvmlComputeInstance handle = handles[i];
      if (!good(settled([&] { return nvml_.call(nvml_destroy_compute_instance, handle); }))) return false;
    }
    return true;
  }

  template <class Call>
  NvmlOutcome settled(const Call& call) const {
    const auto end = std::chrono::steady_clock::now() + settle_limit;
    for (;;) {
      const NvmlOutcome outcome = call();
      if (outcome.code != NvmlCode::in_use || held() || std::chrono::steady_clock::now() > end) return outcome;
      ::usleep(static_cast<::useconds_t>(std::chrono::microseconds(settle_pause).count()));
    }
  }

  // Processes are on the card: then waiting is of no use.
  bool held() const {
    unsigned count = 0;
    const NvmlOutcome outcome =
        nvml_.call(nvml_compute_processes.third, device_, &count, static_cast<NvmlProcess*>(nullptr));
    return outcome.code == NvmlCode::insufficient_size;
  }

  const NvmlLibrary& nvml_;
  NvmlDevice device_;
  CardAnswer& answer_;
};

}  // namespace

Result<CardAnswer> carry_out(const NvmlLibrary& nvml, const CardOrder& order) {
  TRY(const unsigned count, count_cards(nvml));
  for (unsigned index = 0; index < count; ++index) {
    NvmlDevice device = nullptr;
    if (!nvml.call_either(nvml_by_index_v2, nvml_by_index, index, &device).ok()) continue;
    const Reading<std::string> uuid = NvmlAsk{nvml, device}.text(nvml_uuid);
    if (!uuid || *uuid != order.uuid) continue;
    CardAnswer answer;
    std::visit(Reshaper(nvml, device, answer), order.act);
    answer.card = read_card(nvml, index);
    return answer;
  }
  return fail(refused(fmt::format("the driver has no card {}", order.uuid),
                      "'carve status' lists the cards; one that fell off the bus needs a reset or a reboot"));
}

}  // namespace carve
