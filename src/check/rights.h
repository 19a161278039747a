// What a partition gives against what a workload needs, re-derived from the two tables of docs/design.md, section 4,
// which stand here a second time on purpose: policy/ holds the first copy, and one wrong cell cannot agree with itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace carve {

// What the workload needs towards the neighbours of its own tenant and the partition with its mechanism does not give,
// in the words of the design; empty if all is given. Neighbours of another tenant are another rule.
std::vector<std::string> lacking(const Workload&, const Partition&);

// The mechanism by which the workload may share a partition with others of its tenant: the least share of a card that
// gives all it needs. Nothing: it has every partition alone. One per workload, the same on every card.
std::optional<Mechanism> sharing_mechanism(const Workload&);

// Nothing less than a whole card gives what it needs.
bool needs_whole_card(const Workload&);

// What `isolation: cooperative` drops of the needs of the objective, in the words of the design; empty without it.
std::vector<std::string> given_up(const Workload&);

}  // namespace carve
