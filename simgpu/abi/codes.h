// The numbers of NVML: return codes, profile enumerations, modes, events. Public values of the driver's interface; the
// names are ours.
#pragma once

#include <cstdint>

namespace carve::sim {

enum Return : int {
  success = 0,
  uninitialized = 1,
  invalid_argument = 2,
  not_supported = 3,
  no_permission = 4,
  already_initialized = 5,
  not_found = 6,
  insufficient_size = 7,
  insufficient_power = 8,
  driver_not_loaded = 9,
  timeout = 10,
  irq_issue = 11,
  library_not_found = 12,
  function_not_found = 13,
  corrupted_inforom = 14,
  gpu_is_lost = 15,
  reset_required = 16,
  operating_system = 17,
  version_mismatch = 18,  // library and driver
  in_use = 19,
  out_of_memory = 20,
  no_data = 21,
  vgpu_ecc_not_supported = 22,
  insufficient_resources = 23,
  frequency_not_supported = 24,
  argument_version_mismatch = 25,
  deprecated = 26,
  not_ready = 27,
  gpu_not_found = 28,
  invalid_state = 29,
  reset_type_not_supported = 30,
  unknown_error = 999,
};

// Arguments of the calls that describe a profile; not the profile ids that create calls take.
inline constexpr int gpu_profile_count = 18;
inline constexpr int compute_profile_count = 9;
inline constexpr int engine_profile_count = 1;

inline constexpr std::uint32_t gpu_profile_capability_p2p = 1;
inline constexpr std::uint32_t gpu_profile_capability_graphics = 2;
inline constexpr std::uint32_t compute_profile_capability_graphics = 1;

enum MigMode : std::uint32_t { mig_disabled = 0, mig_enabled = 1 };

enum ComputeMode : std::uint32_t { shared_mode = 0, exclusive_thread = 1, prohibited = 2, exclusive_process = 3 };

enum class Architecture : std::uint32_t {
  volta = 5,
  turing = 6,
  ampere = 7,
  ada = 8,
  hopper = 9,
  blackwell = 10,
  unknown = 0xffffffff,
};

inline constexpr std::uint64_t event_xid = 0x8;
inline constexpr std::uint64_t xid_unknown = 999;

// "Not applicable", where an id of an instance stands.
inline constexpr std::uint32_t no_instance = 0xffffffff;

enum TopologyLevel : std::uint32_t { topology_internal = 0, topology_host_bridge = 30, topology_node = 40 };

enum P2pStatus : std::uint32_t { p2p_ok = 0, p2p_not_supported = 5 };
inline constexpr std::uint32_t p2p_index_count = 5;

enum GpmMetricId : std::uint32_t { gpm_graphics_util = 1, gpm_sm_util = 2 };
inline constexpr int gpm_metric_max = 333;

// Sizes of the buffers that callers are told to bring.
inline constexpr std::size_t uuid_buffer = 80;
inline constexpr std::size_t name_buffer = 64;
inline constexpr std::size_t version_buffer = 80;

}  // namespace carve::sim
