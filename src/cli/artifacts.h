// The files that a command writes beside its answer, each whole or not at all: the plan, the page, the drawing.
#pragma once

#include <string>

#include "check/check.h"
#include "cli/command.h"

namespace carve {

inline constexpr Option output_option{"--output", "-o", "PLAN", "also write the plan file, whole or not at all"};
inline constexpr Option html_option{"--html", "", "PAGE", "also write the plan as one page that stands alone"};
inline constexpr Option svg_option{"--svg", "", "DRAWING", "also write a drawing of the cards"};

// Before any work: each of these options that was given names a file, they name different ones, and none of them is
// `input`, the path that is read. Error: bad_input.
Result<void> check_artifacts(const Given&, const std::string& input);

// Writes what was asked for. Of `input` only the file's own name goes into the page, which is made to be handed on.
Result<void> write_artifacts(const Given&, const Plan&, const std::vector<Violation>&, const std::string& input);

}  // namespace carve
