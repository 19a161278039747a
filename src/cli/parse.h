// From the command line to a call: which command, with what, or a text that was asked for.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "cli/command.h"

namespace carve {

struct Call {
  const Command* command = nullptr;
  Given given;
};
struct HelpAsked {
  const Command* command = nullptr;  // nothing: the overview
};
enum class Form { text, json };
struct VersionAsked {
  Form form = Form::text;
};
struct CompletionAsked {
  std::vector<std::string> words;  // see complete.h
};
using Parsed = std::variant<Call, HelpAsked, VersionAsked, CompletionAsked>;

// The arguments without the program's own name. Error: bad_input, with the nearest known word as its help.
Result<Parsed> parse(const std::vector<std::string>& arguments);

}  // namespace carve
