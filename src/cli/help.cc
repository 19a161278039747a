// Help as text. The overview is one screen; what a command can do stands in its own help.
#include "cli/help.h"

#include <algorithm>

namespace carve {

namespace {

struct Entry {
  std::string left;
  std::string_view right;
};

// "  left   right", the right sides in line.
std::string entries(const std::vector<Entry>& list) {
  std::size_t width = 0;
  for (const Entry& entry : list) width = std::max(width, entry.left.size());
  std::string text;
  for (const Entry& entry : list) text += fmt::format("  {:<{}}  {}\n", entry.left, width, entry.right);
  return text;
}

std::string title(std::string_view words, const Style& style) {
  return style.colour ? fmt::format("\x1b[1m{}\x1b[0m\n", words) : fmt::format("{}\n", words);
}

std::string examples(std::span<const Example> list, const Style& style) {
  std::vector<Entry> lines;
  for (const Example& example : list) lines.push_back({std::string(example.line), example.meaning});
  return title(list.size() == 1 ? "Example" : "Examples", style) + entries(lines);
}

// "plan FILE", "cards [CARD]".
std::string call_of(const Command& command) {
  std::string call(command.name);
  for (const Argument& argument : command.arguments)
    call += argument.need == Need::required ? fmt::format(" {}", argument.name) : fmt::format(" [{}]", argument.name);
  return command.commands.empty() ? call : call + " COMMAND";
}

}  // namespace

std::string overview(const Style& style) {
  std::string text = fmt::format("carve {}.\n\n", tagline);
  std::vector<Entry> commands;
  for (const Command* command : all_commands()) commands.push_back({call_of(*command), command->summary});
  text += title("Commands", style) + entries(commands) + '\n';
  text += title("Example", style);
  text += "  carve plan examples/team.yaml\n\n";
  text += "'carve COMMAND --help' explains one; every answer comes as JSON with --json.\n";
  text += "'carve --version' says what this program was built from.\n";
  std::vector<Entry> exits;
  for (const ExitMeaning& row : exit_meanings)
    exits.push_back({fmt::format("{}", static_cast<int>(row.exit)), row.meaning});
  return text + '\n' + title("Exit codes", style) + entries(exits);
}

std::string help_of(const Command& command, const Style& style) {
  std::string text = fmt::format("carve {}{}\n\n", call_of(command), command.options.empty() ? "" : " [options]");
  std::string summary(command.summary);
  summary[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(summary[0])));
  text += fmt::format("{}.\n\n{}\n\n", summary, command.details);
  std::vector<Entry> commands;
  for (const Command* inner : command.commands)
    commands.push_back({call_of(*inner).substr(command.name.size() + 1), inner->summary});
  if (!commands.empty()) text += title("Commands", style) + entries(commands) + '\n';
  std::vector<Entry> list;
  for (const Argument& argument : command.arguments) list.push_back({std::string(argument.name), argument.help});
  for (const Option& option : command.options) {
    std::string left =
        option.brief.empty() ? std::string(option.name) : fmt::format("{}, {}", option.brief, option.name);
    if (!option.value.empty()) left += fmt::format(" {}", option.value);
    list.push_back({std::move(left), option.help});
  }
  list.push_back({"-h, --help", "this text"});
  text += title("Arguments and options", style) + entries(list) + '\n';
  return text + examples(command.examples, style);
}

}  // namespace carve
