#include "driver/sample.h"

namespace carve::sample {

namespace {

// The enumerator of the compute instance profile over a whole GPU instance, by its compute slices.
unsigned whole(int slices) {
  switch (slices) {
    case 1:
      return 0;
    case 2:
      return 1;
    case 3:
      return 2;
    case 4:
      return 3;
    default:
      return 4;
  }
}

int slices_of(const sim::CutMachine& machine, unsigned card, unsigned profile_id) {
  for (unsigned nvml_enum = 0; nvml_enum < unsigned{sim::gpu_profile_count}; ++nvml_enum) {
    sim::GpuProfileInfo info{};
    const sim::Return got =
        machine.nvml.call("nvmlDeviceGetGpuInstanceProfileInfo", machine.nvml.device(card), nvml_enum, &info);
    if (got == sim::success && info.id == profile_id) return static_cast<int>(info.slices);
  }
  ADD_FAILURE() << "no profile " << profile_id;
  return 1;
}

}  // namespace

void cut(const sim::CutMachine& machine, unsigned card, const std::vector<unsigned>& profile_ids) {
  for (const unsigned id : profile_ids) {
    const sim::GpuInstanceHandle made = machine.nvml.create(machine.nvml.device(card), id);
    ASSERT_NE(made, nullptr) << "card " << card << ", profile " << id;
    ASSERT_NE(machine.nvml.create_compute(made, whole(slices_of(machine, card, id))), nullptr);
  }
}

}  // namespace carve::sample
