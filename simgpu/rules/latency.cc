#include "simgpu/rules/latency.h"

namespace carve::sim {

namespace {

// The published figures are of a GPU instance together with its compute instance; the whole time is spent on the first.
constexpr LatencyRow rows[] = {
    {"none", "no waiting", {0, 0}, {0, 0}, 0, 0},
    {"a30", "one and two slices of an A30 (FAR MIG scheduler, README)", {160, 130}, {100, 110}, 0, 0},
    {"loaded",
     "destroying takes about 1 s, a walk over 56 MIG handles about 10 s (DRA driver, comments)",
     {0, 0},
     {1000, 1000},
     178,
     0},
    {"kubelet", "an instance made inside Allocate (HAMi, pull request 2910)", {1500, 1500}, {0, 0}, 0, 0},
    {"settle", "busy after release for up to 0.5 s (FAR MIG scheduler, README)", {0, 0}, {0, 0}, 0, 500},
};

}  // namespace

std::span<const LatencyRow> latency_rows() { return rows; }

std::int32_t latency_of(const LatencyRow& row, SlowCall call, int compute_slices) {
  const int column = compute_slices > 1 ? 1 : 0;
  switch (call) {
    case SlowCall::create_gpu_instance:
      return row.create_ms[column];
    case SlowCall::destroy_gpu_instance:
      return row.destroy_ms[column];
    case SlowCall::mig_handle:
      return row.mig_handle_ms;
    case SlowCall::other:
      break;
  }
  return 0;
}

}  // namespace carve::sim
