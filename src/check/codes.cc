// Every code, once: severity and meaning. docs/findings.md is this table for people.
#include "check/check.h"

namespace carve {

const std::vector<FindingCode>& finding_codes() {
  using enum Severity;
  static const std::vector<FindingCode> codes{
      {"trust.mixed", error, "two tenants are in one partition"},
      {"trust.fungible", error, "two tenants stand behind one shared name, and a scheduler may swap them"},
      {"trust.weakened", warning, "`isolation: cooperative` drops what the objective would need"},
      {"memory.no-margin", warning, "a partition is filled over 97 %"},
      {"memory.stranded", warning, "much memory of a partition is used by nobody and can be given to nobody"},
      {"memory.measured-unknown", info, "measured without memory: it fitted, how tightly is unknown"},
      {"memory.unlimited", info, "a partition is time-sliced, and nothing limits the memory of each replica in it"},
      {"objective.unprotected", warning, "a latency objective shares its partition, and nothing protects it there"},
      {"stall.refused", error, "a workload that has not accepted stalls is time-sliced"},
      {"stall.accepted", info, "a partition is time-sliced, and all in it have accepted stalls"},
      {"stall.duty-unknown", info, "interruptible without `duty`: counted as always busy, so it gets no neighbours"},
      {"scheduler.mps-on-mig", warning, "MPS inside a MIG device, which NVIDIA's device plugin does not offer"},
      {"scheduler.partly-shared", warning, "partitions of one name are shared on a host and others of it are not"},
      {"scheduler.same-name", warning, "two card models on one host give partitions of one name"},
      {"scheduler.bad-name", warning, "a tenant's name does not fit into a resource name"},
      {"scheduler.mixed-strategy", info, "a host needs the MIG strategy `mixed`"},
      {"card.saturated", info, "needs 90 % of a card or more: sharing has nothing for it"},
      {"card.whole", info, "no smaller partition holds it, so it has a whole card"},
      {"card.assumed", info, "a short name fits several boards, and one was taken"},
      {"card.occupied", warning, "processes held a card of the plan when it was made"},
      {"card.left-out", warning, "a card of the machine cannot be planned with"},
      {"unknown.occupants", info, "the driver does not tell who holds a card of the plan"},
      {"unknown.placements", warning, "nobody published where this card can be cut, so it is used whole"},
      {"unknown.sms", warning, "nobody published the SMs of partitions, so no share of compute can be promised there"},
      {"unknown.memory", info, "a memory figure is derived, on the safe side, because nobody published it"},
      {"unknown.placements-inferred", info, "placements are those of a relative of the card, not observed on it"},
      {"unknown.compute", info, "without `compute`: taken to be content with what its memory brings along"},
      {"unknown.nodes", info, "the fleet does not say which cards share a host"},
      {"unplaced", error, "replicas found no place"},
  };
  return codes;
}

}  // namespace carve
