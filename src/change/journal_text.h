// The lines of a journal, to and from values. Inside this room only.
#pragma once

#include <string>
#include <string_view>

#include "change/journal.h"

namespace carve {

std::string opening_line(const JournalOpening&);
std::string step_line(const JournalStep&);
std::string closing_line(Outcome);

// "1a2b3c4d {...}\n"
std::string checked_line(const std::string& json);

// A whole file. Nothing: not even its first line is whole.
Result<std::optional<Journaled>> parse_journal(std::string_view text, const std::string& path);

}  // namespace carve
