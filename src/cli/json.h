// What --json prints for the commands whose answer is no plan. docs/json.md describes it; keys are only ever added.
#pragma once

#include <string>

#include "check/check.h"
#include "show/show.h"

namespace carve {

std::string cards_json();
std::string card_json(const ModelMatch&);
std::string mechanisms_json();
std::string why_json(const Plan&, const Workload&);
std::string check_json(const Plan&, const Verification&);

}  // namespace carve
