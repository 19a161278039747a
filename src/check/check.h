// check: what is wrong with a plan. Two independent parts.
//
//   verify()     the checker: re-derives every limit from the card's geometry and the workloads, and the bound from the
//                prices in the file. Shares no code with the packer. A violation means that the plan cannot be used.
//   findings()   what a person should know about a plan that is valid.
//   answers()    the four questions that are always answered.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace carve {

// A rule of the geometry, of a mechanism or of the workloads that the plan breaks.
struct Violation {
  std::string subject;  // "node-0/0/2g.20gb@4"
  std::string message;
};

struct Verification {
  std::vector<Violation> violations;
  std::int64_t cost = 0;              // recounted
  std::int64_t cost_lower_bound = 0;  // re-derived from Plan::proof
  std::int64_t lower_bound = 0;       // cards
};
Verification verify(const Plan&);

// The bound that these prices prove for these workloads on this fleet: no plan that places every replica costs less.
std::int64_t cost_bound(const std::vector<FleetEntry>&, const std::vector<Workload>&, const Limits&, const Proof&);

// Every finding, ordered as in Plan::findings. docs/findings.md lists the codes.
std::vector<Finding> findings(const Plan&);

// One of the four questions with its answer.
struct Answer {
  std::string key;       // "trust", "memory", "stall", "scheduler"
  std::string question;  // "does each tenant's mechanism match its trust level?"
  bool yes = false;      // no error finding and no warning behind it; for trust no error
  std::string sentence;  // "yes: 4 tenants, none behind another's wall"
};
std::vector<Answer> answers(const Plan&, const std::vector<Finding>&);

// What a code means, for the docs and `--help`.
struct FindingCode {
  std::string_view code;
  Severity severity;
  std::string_view meaning;
};
const std::vector<FindingCode>& finding_codes();

}  // namespace carve
