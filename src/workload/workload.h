// workload: what a person wants to run, read from a workload file. Everything here is valid by construction: names are
// unique, cards exist, figures are in range; what contradicts itself was refused by the reader.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/base.h"
#include "card/card.h"
#include "text/text.h"

namespace carve {

enum class ObjectiveKind { p50, p95, p99, throughput, best_effort };

struct Objective {
  ObjectiveKind kind = ObjectiveKind::best_effort;
  Micros target;  // of a latency objective; 0 otherwise

  bool is_latency() const { return kind <= ObjectiveKind::p99; }
};

// What the workload asks of its wall, over what is derived from its objective.
enum class Isolation { derived, cooperative, hard, card };

// How much compute one replica needs: a share of the SMs of one card, per card model, or compute slices.
struct NoComputeNeed {};  // content with what its memory brings along
struct ComputeShare {
  Permille of_card;
};
struct ComputePerModel {
  std::vector<std::pair<std::string, Permille>> of_card;  // (model id, share), ordered by id
};
struct ComputeSlices {
  int slices = 0;
};
using ComputeNeed = std::variant<NoComputeNeed, ComputeShare, ComputePerModel, ComputeSlices>;

// One row of a measured table: a whole partition that runs `processes` processes of the workload.
struct MeasuredRow {
  std::string card;     // model id
  std::string profile;  // name; empty for the whole card
  int processes = 1;
  int batch = 1;
  MilliPerSecond throughput;  // of the whole partition
  Micros latency;
  std::optional<Mib> memory;  // of the whole partition; a row without it fitted, how tightly is unknown

  auto operator<=>(const MeasuredRow&) const = default;
};

// What the simulator needs of a workload. Read, checked and handed on; packing does not look at it.
enum class Arrivals { poisson, uniform, bursty };
struct Service {
  Micros gap;  // per request, time in which the card is not the bottleneck
  Micros gpu;  // per request, work of a whole card
  Arrivals arrivals = Arrivals::poisson;
  std::optional<int> clients;  // closed loop
};

struct Workload {
  std::string name;
  std::string tenant;         // empty if every replica is its own tenant
  bool tenant_each = false;   // `tenant: each`
  std::int64_t replicas = 0;  // 0 if `rate` and `measured` decide how many partitions there are
  std::optional<Mib> memory;  // peak of one replica, contexts included, rounded up; nothing if measured rows decide
  ComputeNeed compute;
  Objective objective;
  bool interruptible = false;    // a stall is accepted
  std::optional<Permille> duty;  // share of the time that it uses the card at all
  Isolation isolation = Isolation::derived;
  int processes = 1;           // of one replica; several get a private MPS daemon in a partition of their own
  std::optional<Mib> context;  // for each process beyond the first
  int cards = 0;               // whole cards of one node per replica, never cut; 0: it is content with a part
  int priority = 0;            // larger is placed first when not all fit
  std::optional<MilliPerSecond> rate;
  std::string measured_file;          // as written; empty if there is none
  std::vector<MeasuredRow> measured;  // sorted
  Permille latency_margin{1000};      // of the objective that the measured latency may use
  int max_processes = 0;              // of a measured row; 0: no cap
  std::optional<Service> service;
  Place place;  // where it is written

  bool is_measured() const { return !measured.empty(); }
  // Memory that one replica needs with all its processes.
  Mib replica_memory() const { return *memory + context.value_or(Mib{0}) * (processes - 1); }
};

// A card of a live machine.
struct FleetCard {
  int index = 0;     // on its host
  std::string uuid;  // empty: its driver does not tell
  // The processes that hold it ("4711 alice"); nothing: the driver does not tell.
  std::optional<std::vector<std::string>> held_by;
};

// Cards of one model. Without `nodes` they share one host.
struct FleetEntry {
  std::string asked;                  // as the person wrote it
  std::string card;                   // model id
  std::vector<std::string> also_fit;  // other boards that the short name fits
  std::int64_t count = 0;
  std::int64_t cost = 1000;          // of one card, in units of the user's choice
  std::int64_t nodes = 1;            // hosts that the cards are spread over evenly; divides count
  std::string node = {};             // of live cards: their host; else empty
  std::vector<FleetCard> live = {};  // each of `count` live cards, those to be used first in front; else empty
};

struct Limits {
  Permille duty{700};        // sum of the duties in a time-sliced partition
  int thread_percent = 100;  // sum of the thread percentages of an MPS partition
  int mps_clients = 48;      // per card (60 from CUDA 13.1); scaled by compute slices inside a MIG device
};

struct WorkloadFile {
  std::vector<FleetEntry> fleet;    // in the order of the file; may be empty: then --fleet must give one
  std::vector<Workload> workloads;  // ordered by name
  Limits limits;
};

// Reads a workload file and the measured tables that it names (relative to its own folder).
// Errors: bad_input with up to twenty places.
Result<WorkloadFile> read_workload_file(const std::string& path);

// The same from the text of a file; `path` is what its places name, and where measured tables are looked for.
Result<WorkloadFile> parse_workload_file(const std::string& text, const std::string& path);

// "8xh100-80gb,2xa30": the fleet given on the command line.
Result<std::vector<FleetEntry>> parse_fleet(const std::string& text);

// Workloads as plan files hold them: the same keys as a workload file, defaults filled in, measured rows inline.
Json workload_to_json(const Workload&);
Result<Workload> workload_from_json(const Json&);
Result<Workload> workload_from_node(Node);  // of a plan file's tree; keys that are not known are ignored

// The keys of the workload file with their types, defaults and helps, as a reference for people.
std::string describe_workload_file();

}  // namespace carve
