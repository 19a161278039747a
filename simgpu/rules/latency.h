// How long calls take, as others measured it: rows by name. The simulator is as fast as it can be unless one is chosen.
#pragma once

#include <cstdint>
#include <span>

namespace carve::sim {

enum class SlowCall : std::uint8_t { other, create_gpu_instance, destroy_gpu_instance, mig_handle };

struct LatencyRow {
  const char* name;
  const char* meaning;
  std::int32_t create_ms[2];  // of a GPU instance with its compute instance: one slice, more slices
  std::int32_t destroy_ms[2];
  std::int32_t mig_handle_ms;  // of one look at an index of MIG devices
  std::int32_t settle_ms;      // that an instance stays in use after its last process left
};

// The first row is "none".
std::span<const LatencyRow> latency_rows();

// Milliseconds; 0 where the row has no figure.
std::int32_t latency_of(const LatencyRow&, SlowCall, int compute_slices);

}  // namespace carve::sim
