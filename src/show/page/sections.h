// The parts of the page, from top to bottom. Each is empty if there is nothing to say.
#pragma once

#include <string>
#include <vector>

#include "show/page/atlas.h"
#include "show/page/markup.h"

namespace carve {

// How mechanisms are told apart: by a word, an edge and, last, a colour.
struct MechanismLook {
  Mechanism mechanism;
  std::string_view word;
  std::string_view css;  // class of what is drawn
};
const MechanismLook& look_of(Mechanism);

// "search"; who has no name in common: "each its own tenant".
std::string tenant_of(const Share&);
// "reranker/3", "tower-train ×4".
std::string named(const Share&, Numbering);
// "36.0 / 39.5 GiB", "? / 9.5 GiB": unknown is never zero.
std::string memory_text(const Partition&, const Plan&);

// What replicas use of a partition's memory, each a rectangle of a path; the whole is 1000 wide and 1 high.
Markup bar_path(const Partition&);

// Every drawn card on its memory grid, below a legend.
Markup cards_section(const Plan&, const Atlas&);
// What partitions hold, why, and what was refused: beside the cards when one is asked for, all of them in print.
Markup kinds_section(const Plan&, const Atlas&);
// Workload by workload: what it asked for, what it got, why, and why nothing else.
Markup why_section(const Plan&, const Atlas&);
Markup unplaced_section(const Plan&, const Atlas&);
Markup questions_section(const Plan&);
Markup findings_section(const Plan&, const Atlas&);
Markup proof_section(const Plan&);

// What `subject` names, as a link to it where the page shows it.
Markup subject_link(const std::string& subject, const Atlas&);
// A sentence in which what stands between backticks is code.
Markup prose(std::string_view sentence);
// "warning" with the class that colours it.
Markup severity_word(Severity);

}  // namespace carve
