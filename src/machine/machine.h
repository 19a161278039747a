// machine: a live machine as plain values, as its driver tells them; no effects. A figure that cannot be had says why,
// and is never zero.
//
//   Reading<T>                a figure, or why there is none
//   Machine, LiveCard         cards, their modes and profiles
//   LiveGpuInstance           what a card is cut into
//   Occupant                  who holds it
//   CardUse                   how busy it is
//   catalog_model(), ...      what follows from these values
//   live_model()              the card as planning takes it
//   differences()             where driver and catalog disagree
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "card/card.h"

namespace carve {

// --------------------------------------------------------------------------------------------------------- readings

enum class Absence : std::uint8_t {
  unsupported,  // this driver, or this card, has no such figure
  denied,       // whoever asked may not know it
  failed,       // the question failed, or was not asked because one before it failed
};

struct Missing {
  Absence why = Absence::failed;
  std::string sentence = "was not read";
  bool operator==(const Missing&) const = default;
};

template <class T>
class Reading : public tl::expected<T, Missing> {
 public:
  using tl::expected<T, Missing>::expected;
  Reading() : tl::expected<T, Missing>(tl::unexpected<Missing>(Missing{})) {}
};

// A figure that is missing, by its name.
struct Untold {
  std::string figure;
  Missing missing;
};

inline tl::unexpected<Missing> missing(Absence why, std::string sentence) {
  return tl::unexpected<Missing>(Missing{why, std::move(sentence)});
}

// ------------------------------------------------------------------------------------------------------------- ids

// The driver's number of a GPU instance on its card, and of a compute instance in its GPU instance.
struct GpuInstanceId {
  std::uint32_t value = 0;
  auto operator<=>(const GpuInstanceId&) const = default;
};
struct ComputeInstanceId {
  std::uint32_t value = 0;
  auto operator<=>(const ComputeInstanceId&) const = default;
};

// ----------------------------------------------------------------------------------------------------------- cards

struct PciAddress {
  std::string bus_id;           // "00000000:07:00.0"
  std::uint32_t device_id = 0;  // device in the high half, vendor in the low
};

struct MigModes {
  bool current = false;
  bool pending = false;  // what it will be; differs from `current` while a change waits
};

enum class ComputeMode : std::uint8_t { shared, exclusive_thread, prohibited, exclusive_process };

// Of a card or of a GPU instance. Drivers that cannot tell `reserved` count it as used.
struct MemoryUse {
  Mib total, used;
  Reading<Mib> reserved;
};

// A profile as the driver of this card reports it; two cards of one model may differ.
struct LiveProfile {
  std::string name;      // "3g.40gb"
  std::uint32_t id = 0;  // what create calls take and nvidia-smi shows
  int nvml_enum = 0;     // argument of the call that describes it
  int compute_slices = 0;
  int max_instances = 0;
  int sms = 0;
  Mib memory;
  Reading<std::vector<Placement>> placements;  // all that it may ever have, ascending
};

struct LiveComputeInstance {
  ComputeInstanceId id;
  Reading<int> compute_slices;
  Reading<int> start;         // its first compute slice, counted in its GPU instance
  Reading<std::string> uuid;  // of its MIG device: "MIG-..."
};

struct LiveGpuInstance {
  GpuInstanceId id;
  Reading<std::string> profile;  // its name
  Reading<int> compute_slices;
  Reading<Placement> placement;
  Reading<MemoryUse> memory;  // its compute instances share it
  Reading<std::vector<LiveComputeInstance>> compute;
};

// A process as the system knows it.
struct ProcessFacts {
  std::string user;                      // by name if the system has one, else its number
  std::string command;                   // with its arguments
  std::string cgroup;                    // the path that tells container, pod or job
  std::optional<std::uint64_t> started;  // in clock ticks after the boot; with the pid it names one process for ever
  std::int32_t group = 0;                // of processes, as a shell makes one for each job; 0: not told
  std::vector<std::int32_t> ancestors;   // its parent first
};

struct Occupant {
  std::int32_t pid = 0;
  bool compute = false, graphics = false, mps = false;  // at least one: in what way
  Reading<Mib> memory;
  std::optional<GpuInstanceId> gpu_instance;  // nothing: the card as a whole
  std::optional<ComputeInstanceId> compute_instance;
  Reading<ProcessFacts> process;
};

// How much of the SMs was in use since the read before. The driver tells it of a card and of processes where MIG is
// off, and of GPU instances where it is on.
struct ProcessUse {
  std::int32_t pid = 0;  // a process that is not listed used nothing
  Permille mean, peak;   // of the card
};
struct InstanceUse {
  GpuInstanceId id;
  Reading<Permille> sm;  // of the instance
};
struct CardUse {
  Reading<Permille> sm;                         // time in which anything ran
  Reading<std::vector<ProcessUse>> processes;   // by pid
  Reading<std::vector<InstanceUse>> instances;  // in the order of the card's
};

struct LiveCard {
  int index = 0;
  std::optional<std::string> lost;  // it does not answer: the driver's sentence, and no other figure
  Reading<std::string> uuid;
  Reading<std::string> name;
  Reading<PciAddress> pci;
  Reading<int> minor;  // of /dev/nvidiaN; not the index
  Reading<MemoryUse> memory;
  Reading<MigModes> mig;  // unsupported: a card without MIG
  Reading<ComputeMode> compute_mode;
  Reading<std::vector<LiveProfile>> profiles;
  Reading<std::vector<LiveGpuInstance>> instances;  // by place, where places are known, else by id; none with MIG off
  Reading<std::vector<Occupant>> occupants;         // by instance, then pid
  std::vector<Untold> untold;                       // kinds of occupants that could not be asked for
  CardUse use;                                      // where the read was to ask for it

  bool is_cut() const { return mig && mig->current; }
};

struct Machine {
  Reading<std::string> driver;  // its version
  std::string library;          // the path of NVML
  std::vector<LiveCard> cards;  // by index
};

// ------------------------------------------------------------------------------------------------------- follows

// The model of the catalog that has this product name, and of several the one with this much memory. Null if there is
// none, or it cannot be told.
const CardModel* catalog_model(const LiveCard&);

// Columns of its memory grid: from its own profiles' placements, else from the catalog; nothing if neither knows.
std::optional<int> memory_grid(const LiveCard&);

// "1g.10gb", "1c.3g.40gb" for a compute instance that has less compute than its GPU instance.
std::string device_name(const LiveGpuInstance&, const LiveComputeInstance&);

// Every figure of the card that is missing, and why; of a lost card nothing, and of a card without MIG not what only
// MIG has. What is missing for one reason in several instances is said once.
std::vector<Untold> untold_of(const LiveCard&);

// The card as planning takes it: the model of the catalog where the driver agrees with it in all that planning uses
// (plain profiles with places, memory, SMs and counts; the memory of the card), else one of its own, made from what the
// driver tells and to be registered.
// Error: environment: it cannot be planned with; the message completes "card 3 ...".
Result<CardModel> live_model(const LiveCard&);

// A figure in which driver and catalog differ. Nothing on one side: that one does not have it.
struct Difference {
  std::string figure;  // "memory of 3g.40gb"
  std::optional<std::string> driver, catalog;
  bool operator==(const Difference&) const = default;
};
// Every such figure, the card's first, then profile by profile. What the driver does not tell is not compared.
std::vector<Difference> differences(const LiveCard&, const CardModel&);

// What the card waits for before its MIG mode becomes what was asked; empty if nothing is pending.
std::string waits_for(const LiveCard&);

}  // namespace carve
