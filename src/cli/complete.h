// What a shell offers when a person presses TAB: the answer to `carve __complete WORD...`, which the scripts that
// `carve completion` prints ask. It comes from the commands' own data, so it can offer nothing that the program does
// not know.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace carve {

// The words after the program's name, up to the cursor; the last one is being typed, and may be empty.
//
// A line for each word that may stand there, with a tabulator and its meaning if it has one. Where a file is meant the
// last line is ":files" and the endings to prefer, as in ":files .yaml .yml". What cannot be known yields no line,
// never an error: a person in the middle of a word has made no mistake yet.
std::string complete(std::span<const std::string> words);

// It is known what belongs in the place of FILE, CARD ... : `placeholder` as arguments and options name it.
bool completes(std::string_view placeholder);

}  // namespace carve
