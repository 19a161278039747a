// policy: which wall and mechanism carries a workload, and why. Two tables decide: what each choice gives, what each
// workload needs. A choice is allowed when the needs are a subset of what is given; among the allowed, the least share
// of a card wins. No other room asks "is this MIG?" to decide policy.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "card/card.h"
#include "workload/workload.h"

namespace carve {

// ------------------------------------------------------------------------------------------- walls and mechanisms

enum class Wall { card, mig };
enum class Mechanism { exclusive, mps, time_slicing };
std::string_view to_string(Wall);
std::string_view to_string(Mechanism);  // "time-slicing"

// The columns of the table, in the order of preference: the least share of a card first.
enum class Choice { time_slicing, mps, mig, card };
inline constexpr std::array<Choice, 4> all_choices{Choice::time_slicing, Choice::mps, Choice::mig, Choice::card};
std::string_view to_string(Choice);  // "time-slicing", "mps", "mig", "card"
std::string_view title(Choice);      // "time slicing", "MPS", "MIG, exclusive", "card, exclusive"

// ------------------------------------------------------------------------------------------------------- guarantees

enum class Guarantee { fault, oom, memory, compute, bandwidth, power, concurrent };
inline constexpr int guarantee_count = 7;

// A set of guarantees.
class Guarantees {
 public:
  constexpr Guarantees() = default;
  constexpr Guarantees(std::initializer_list<Guarantee> members) {
    for (const Guarantee member : members) bits_ |= 1u << static_cast<int>(member);
  }
  constexpr bool has(Guarantee g) const { return (bits_ >> static_cast<int>(g) & 1u) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr Guarantees operator|(Guarantees other) const { return from(bits_ | other.bits_); }
  constexpr Guarantees operator-(Guarantees other) const { return from(bits_ & ~other.bits_); }
  constexpr bool operator==(const Guarantees&) const = default;
  std::vector<Guarantee> list() const;

 private:
  static constexpr Guarantees from(unsigned bits) {
    Guarantees result;
    result.bits_ = bits;
    return result;
  }
  unsigned bits_ = 0;
};

// One cell of the table: does the choice give the guarantee, and under what condition.
struct Cell {
  bool given = false;
  std::string_view condition;  // "only with a per-client limit, which carve always sets"; empty if there is none
};
struct GuaranteeRow {
  Guarantee guarantee;
  std::string_view key;           // "bandwidth": how plan files and `why` name it
  std::string_view meaning;       // "cache and bandwidth of its own"
  std::array<Cell, 4> by_choice;  // in the order of all_choices
};
const std::array<GuaranteeRow, guarantee_count>& guarantee_table();
std::string_view to_string(Guarantee);
Guarantees given_by(Choice);

// What a kind of workload needs, and whom it applies to.
struct NeedRow {
  std::string_view who;  // "a latency objective"
  Guarantees needs;
  Guarantees drops;          // what it gives up towards its own tenant
  std::string_view because;  // "needs memory, compute, cache and bandwidth of its own"
  bool (*applies)(const Workload&);
};
const std::vector<NeedRow>& need_table();

// Facts that bind without being guarantees; `mechanisms` and the docs print them.
struct MechanismLimit {
  std::string_view choice;
  std::string_view limit;
};
const std::vector<MechanismLimit>& limit_table();

// MPS clients that one server accepts in a partition of `compute_slices` of `of_slices`. (The scaling inside a MIG
// device is inferred: the documents say that it is scaled down and not how.)
int mps_client_limit(const Limits&, int compute_slices, int of_slices);

// --------------------------------------------------------------------------------------------------------- decisions

struct Refusal {
  Choice choice;
  Guarantees missing;       // empty if the card cannot do it at all
  std::string why;          // a sentence
  std::string would_allow;  // what would have to change in the file
};

// The choice for one workload on one card model.
struct Decision {
  std::string workload;
  std::string card;  // model id
  Choice choice = Choice::card;
  std::vector<std::string> because;
  std::vector<Refusal> refused;  // the other choices, in the order of all_choices
};
Decision decide(const Workload&, const CardModel&);

// One replica wants this much of the memory or of the SMs of a whole card, or more: sharing has nothing for it.
inline constexpr Permille fills_a_card{900};
bool fills_card(const Workload&, const CardModel&);

// -------------------------------------------------------------------------------------------------------- partitions

// A kind of partition that a card can hold: one plain profile, or the whole card.
struct PartitionKind {
  Wall wall = Wall::card;
  int profile = -1;             // index into CardModel::profiles; -1 for the whole card
  std::string name;             // profile name; empty for the whole card
  Mib memory;                   // usable
  bool memory_derived = false;  // memory slices times the smallest profile's, because the figure is not known
  std::optional<int> sms;
  int compute_slices = 0;  // of it; for a whole card all of the model's, or 1 of 1 without MIG
  int of_slices = 1;
};
// Plain profiles of the model in its order, then the whole card. Profiles whose memory cannot be known are left out.
std::vector<PartitionKind> partition_kinds(const CardModel&);

// Whether one replica fits a partition of this kind, whoever its neighbours are.
enum class Misfit { none, memory, compute, clients, unknown_sms, not_measured, too_slow, full_profile };
struct Fit {
  Misfit misfit = Misfit::none;
  std::string sentence;  // "26 of 132 SMs are 19.7 %, needs 20 %"
  bool fits() const { return misfit == Misfit::none; }
};
Fit fit(const Workload&, const CardModel&, const PartitionKind&, const Limits&);

// The row of a measured workload that a partition of this kind runs best: within the latency margin and the cap on
// processes, most throughput, then least latency, fewest processes, smallest batch. Nothing if no row qualifies.
std::optional<MeasuredRow> best_row(const Workload&, const CardModel&, const PartitionKind&, const Limits&);

// SMs that the workload's `compute` asks for on this model, rounded up; nothing if it has no need or the model's SMs
// are not known (fit() then says unknown_sms).
std::optional<int> sms_needed(const Workload&, const CardModel&);

// The thread percentage that one replica takes of an MPS partition: its SMs as a share of the partition's, rounded up;
// without `compute` the share of the memory, rounded down, at least 1.
int thread_percent(const Workload&, const CardModel&, const PartitionKind&);

}  // namespace carve
