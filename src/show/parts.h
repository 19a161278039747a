// Parts that several pages of show share: what did not fit, the four questions, findings, the proof.
#pragma once

#include <string>
#include <vector>

#include "check/check.h"
#include "show/table.h"

namespace carve {

// Each of these ends every line with a line feed and is empty if there is nothing to say.
std::string unplaced_text(const Plan&, const Style&);
std::string answers_text(const std::vector<Answer>&, const Style&);
// Errors and warnings one by one with their remedies; infos of one code together, their remedies only in detail.
enum class Detail { brief, full };
std::string findings_text(const std::vector<Finding>&, Detail, const Style&);
// How the bound was got, and how to get it again.
std::string proof_text(const Plan&, const Style&);

}  // namespace carve
