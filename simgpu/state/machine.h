// The simulated machine as one plain value of fixed size: it is written to a file as it lies in memory, so it has no
// pointers, and everything in it has a bound. Boards do not change after the machine was made; the situation does.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace carve::sim {

inline constexpr int max_cards = 32;  // the driver's formula for device minors knows 32
inline constexpr int max_profiles = 18;
inline constexpr int max_starts = 12;
inline constexpr int max_gpu_instances = 8;      // of one card
inline constexpr int max_compute_instances = 7;  // of one GPU instance
inline constexpr int max_processes = 256;
inline constexpr int max_clients = 128;
inline constexpr int max_blockers = 16;
inline constexpr int max_events = 256;
inline constexpr int max_faults = 16;

// Text of bounded length, zero-terminated.
template <int size>
struct Text {
  char bytes[size];

  bool operator==(const Text&) const = default;
  std::string_view view() const { return {bytes, ::strnlen(bytes, size)}; }
  bool terminated() const { return ::strnlen(bytes, size) < size; }
  // False if it does not fit; then nothing is changed.
  bool assign(std::string_view text) {
    if (text.size() >= size || text.find('\0') != std::string_view::npos) return false;
    std::memset(bytes, 0, size);
    std::memcpy(bytes, text.data(), text.size());
    return true;
  }
};

// ----------------------------------------------------------------------------------------------------------- boards

// Media engines decide which profiles stand side by side.
enum class Media : std::uint8_t { usual, one, all, none };  // "", "+me", "+me.all", "-me"

// Figures that no public source has and that were put in their place, as bits of Profile::derived.
inline constexpr std::uint32_t derived_memory = 1;
inline constexpr std::uint32_t derived_multiprocessors = 2;
inline constexpr std::uint32_t derived_engines = 4;

struct Profile {
  Text<32> name;
  std::int32_t enumerator;  // argument of the calls that describe profiles
  std::int32_t id;          // argument of the calls that create instances
  std::int32_t compute_slices, memory_slices, memory_mib, multiprocessors, max_instances;
  std::int32_t copy_engines, decoders, encoders, jpeg_engines, ofa_engines;
  std::uint32_t derived;
  Media media;
  std::uint8_t p2p, graphics;
  std::uint8_t size;  // of its placements, in memory slices
  std::uint8_t start_count;
  std::uint8_t starts[max_starts];  // ascending

  bool operator==(const Profile&) const = default;
};

// What turning MIG on or off takes.
enum class ModeChange : std::uint8_t {
  none,         // no MIG
  at_once,      // Hopper and later: takes effect when the card is idle; lost at reboot and when the driver is unloaded
  needs_reset,  // Ampere: pending until a reset or a reboot; kept in the board
  resets_itself,  // Ampere where the driver may reset: like at_once when the card is idle; kept in the board
  needs_reboot,   // a card passed through to a virtual machine: it cannot be reset
  pretends,       // passed through as well: claims success and changes nothing
  ignores_reset,  // passed through as well: a reset claims success and changes nothing; a reboot does
};

// Where a call without a placement puts an instance.
enum class Chooser : std::uint8_t {
  near_gap,         // first the half of the grid that lacks a compute slice, and there beside the gap
  near_gap_low_3g,  // the same, but 3g goes to the lower half first
  ascending,        // the lowest place that is free
  hostile,          // the place that leaves the least room
};

struct Board {
  Text<48> model;  // id in the catalog
  Text<80> name;
  Text<48> uuid;  // "GPU-..."
  Text<30> serial;
  std::uint32_t architecture;  // sim::Architecture
  std::int32_t capability_major, capability_minor;
  std::uint32_t pci_device;      // 0xffff if not known: what a bus reads where nothing answers
  std::uint32_t pci_bus;         // bus number; domain and device are 0
  std::uint32_t minor;           // of /dev/nvidiaN; not the index
  std::uint32_t nvswitch_group;  // cards of one group are reset together; 0 means none
  std::int32_t total_mib;
  std::int32_t compute_slices;  // 0: no MIG
  std::int32_t memory_slices;
  std::int32_t max_instances;
  std::int32_t gap;  // the memory slice without compute, or -1
  ModeChange mode_change;
  Chooser chooser;
  std::uint8_t gpm;  // has GPM samples
  std::uint8_t profile_count;
  Profile profiles[max_profiles];

  bool operator==(const Board&) const = default;
};

// -------------------------------------------------------------------------------------------------------- situation

struct ComputeInstance {
  std::uint8_t used, id;
  std::uint8_t profile;  // enumerator of the compute instance profile; also its id
  std::uint8_t start, size;
  std::uint8_t mig_index;  // of the MIG device
  std::uint32_t serial;    // no two instances of one machine have the same
};

struct GpuInstance {
  std::uint8_t used, id;
  std::uint8_t profile;  // index into Board::profiles
  std::uint8_t start, size;
  std::uint32_t serial;
  std::uint64_t left_us;  // when a process of it was last seen to leave; 0: never
  ComputeInstance compute[max_compute_instances];
};

struct Card {
  std::uint32_t mode, pending_mode;  // MigMode
  std::uint32_t compute_mode, persistence;
  std::uint32_t resets;  // device handles from before a reset are void
  std::uint8_t lost;     // fell off the bus
  std::uint8_t streaming;
  std::uint8_t timeslice;  // 0 default, 1 short, 2 medium, 3 long
  GpuInstance instances[max_gpu_instances];
};

// A running process, told from a later one with the same number by when it started (ticks since boot; 0 if unknown).
struct Holder {
  std::int32_t pid;
  std::uint64_t started;
};

enum class ProcessKind : std::uint8_t { compute, graphics, mps_server, mps_client };

// A process that holds a card or an instance. pid 0: the row is free.
struct Process {
  Holder holder;
  std::uint64_t memory_bytes;
  std::uint32_t gpu_instance, compute_instance;  // no_instance on a card without MIG
  std::uint8_t card;
  ProcessKind kind;
  std::uint8_t sm_percent, memory_percent;  // of the time, of its card or instance
};

// A process that has called nvmlInit. pid 0: the row is free.
struct Client {
  Holder holder;
};

// Somebody named who keeps a card from changing its mode and from being reset.
struct Blocker {
  Text<48> name;       // empty: the row is free
  std::int32_t cards;  // a bit for each
};

struct Event {
  std::uint64_t number;  // counts from 1
  std::uint64_t type, data;
  std::uint32_t gpu_instance, compute_instance;
  std::uint32_t card;
};

enum class FaultAction : std::uint8_t {
  none,         // the row is free
  fail,         // the call returns `code` and does nothing
  kill_before,  // the caller is killed before the call does anything
  kill_midway,  // ... while the changed machine is half written
  kill_after,   // ... when it is written, before the call returns
  hang,         // the call does not return
};

struct ArmedFault {
  FaultAction action;
  std::uint8_t any_function;
  std::uint8_t function;  // sim::Function
  std::int32_t code;
  std::int32_t pid;    // only calls of this process; 0: of any
  std::uint64_t skip;  // calls to let pass
  std::uint64_t times;
};

struct Situation {
  std::uint64_t boot;  // counts from 1
  std::uint64_t started_at_us;
  std::uint32_t loaded;   // the driver
  std::uint32_t latency;  // index into the table of latencies; 0: none
  std::uint32_t serials;  // last one given
  std::uint64_t events_seen;
  Card cards[max_cards];
  Process processes[max_processes];
  Client clients[max_clients];
  Blocker blockers[max_blockers];
  Event events[max_events];  // a ring: event n at n % max_events
  ArmedFault faults[max_faults];
};

struct Boards {
  std::uint64_t seed;  // what identities are made from
  std::int32_t count;
  Board rows[max_cards];

  bool operator==(const Boards&) const = default;
};

struct Machine {
  Boards boards;
  Situation now;
};

static_assert(std::is_trivially_copyable_v<Machine> && std::is_trivially_default_constructible_v<Machine>);

// Every count, index and text is within its bounds, so that the rules may rely on them.
bool sound(const Boards&);
bool sound(const Boards&, const Situation&);

}  // namespace carve::sim
