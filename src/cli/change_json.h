// A change, its events and its end as JSON. docs/json.md describes them.
#pragma once

#include <string>

#include "change/change.h"

namespace carve {

std::string change_json(const Change&);
std::string event_json(const ApplyEvent&);  // one line
std::string applied_json(const Applied&);   // one line
std::string journals_json(const std::vector<Journaled>&);

}  // namespace carve
