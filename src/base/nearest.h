// "Did you mean": the known word that is closest to what was typed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace carve {

// The candidate with the least edit distance (Levenshtein with transpositions; ties to the first), or nothing if none
// is near enough to be a slip of the keyboard: more than a third of the letters differ.
std::optional<std::string> nearest(std::string_view typed, std::span<const std::string> candidates);

}  // namespace carve
