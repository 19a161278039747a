// A page is a list of sections; every text goes through escaped() or plain(), so that none is taken for a request.
#include "manual.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>

#include "cli/built_from.h"
#include "cli/command.h"
#include "cli/help.h"

namespace carve {

namespace {

// A word as it shall be read: backslashes and hyphens are no escapes and no places to break a line.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '\\') {
      result += "\\e";
    } else if (letter == '-') {
      result += "\\-";
    } else {
      result += letter;
    }
  }
  return result;
}

// Running text in lines that mandoc does not find too long. A line that began with a dot or a quote would be a request.
std::string plain(std::string_view text) {
  constexpr std::size_t longest = 80;
  std::string lines, line;
  const auto end_line = [&] {
    if (line.starts_with('.') || line.starts_with('\'')) line.insert(0, "\\&");
    lines += lines.empty() ? line : '\n' + line;
    line.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string word = escaped(text.substr(at, end - at));
    if (!line.empty() && line.size() + 1 + word.size() > longest) end_line();
    if (!word.empty()) line += line.empty() ? word : ' ' + word;
    at = end + 1;
  }
  end_line();
  return lines;
}

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", escaped(text)); }
std::string italic(std::string_view text) { return fmt::format("\\fI{}\\fR", escaped(text)); }

std::string section(std::string_view title, std::string_view body) { return fmt::format(".SH {}\n{}", title, body); }

// An entry of a list: what it is, and indented below it what that means.
std::string entry(std::string_view head, std::string_view meaning) {
  return fmt::format(".TP\n{}\n{}\n", head, plain(meaning));
}

std::string head_of(const Option& option) {
  std::string head = option.brief.empty() ? "" : bold(option.brief) + ", ";
  head += bold(option.name);
  if (!option.value.empty()) head += " " + italic(option.value);
  return head;
}

std::string page_name(const Command& command) {
  std::string name = fmt::format("carve-{}", command.name);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string call_of(const Command& command) {
  std::string call = bold(fmt::format("carve {}", command.name));
  for (const Argument& argument : command.arguments) {
    const std::string name = italic(argument.name);
    call += argument.need == Need::required ? " " + name : fmt::format(" [{}]", name);
  }
  if (!command.commands.empty()) call += " " + italic("command");
  if (!command.options.empty()) call += fmt::format(" [{}]", italic("options"));
  return call + "\n";
}

std::string exit_codes() {
  std::string list;
  for (const ExitMeaning& row : exit_meanings)
    list += entry(bold(fmt::format("{}", static_cast<int>(row.exit))), fmt::format("{}.", row.meaning));
  return list;
}

std::string heading(std::string_view name, const std::string& date) {
  std::string upper;
  std::transform(name.begin(), name.end(), std::back_inserter(upper),
                 [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); });
  return fmt::format(".TH {} 1 \"{}\" \"carve {}\" \"carve manual\"\n", escaped(upper), date, built_from.version);
}

std::string name_line(std::string_view name, std::string_view summary) {
  return section("NAME", plain(fmt::format("{} - {}", name, summary)) + '\n');
}

// ------------------------------------------------------------------------------------------------------------- pages

std::string other_pages(const Command& but) {
  std::string list = ".BR carve (1)";
  for (const Command* command : every_command())
    if (command != &but) list += fmt::format(",\n.BR {} (1)", escaped(page_name(*command)));
  return list + "\n";
}

ManualPage page_of(const Command& command, const std::string& date) {
  std::string commands;
  for (const Command* inner : command.commands)
    commands += fmt::format(".TP\n.BR {} (1)\n{}\n", escaped(page_name(*inner)), plain(inner->summary));
  if (!commands.empty()) commands = section("COMMANDS", commands);
  std::string options;
  for (const Argument& argument : command.arguments) options += entry(italic(argument.name), argument.help);
  for (const Option& option : command.options) options += entry(head_of(option), option.help);
  options += entry(bold("-h") + ", " + bold("--help"), "explains the command");
  std::string examples;
  for (const Example& example : command.examples) examples += entry(bold(example.line), example.meaning);
  return {page_name(command),
          heading(page_name(command), date) + name_line(page_name(command), command.summary) +
              section("SYNOPSIS", call_of(command)) + section("DESCRIPTION", plain(command.details) + "\n") + commands +
              section("OPTIONS", options) + section("EXAMPLES", examples) + section("\"EXIT STATUS\"", exit_codes()) +
              section("\"SEE ALSO\"", other_pages(command))};
}

constexpr std::string_view description =
    "You write down what you want to run. carve decides for each workload what wall it needs (a whole card, a MIG\n"
    "partition) and how it may share inside it (alone, MPS, time slicing), and says why; packs everything onto the\n"
    "fewest cards and proves how far from the minimum that is; and checks the plan for memory that does not fit,\n"
    "memory that nobody can use, tenants that can hurt each other, and stalls that nobody agreed to.\n"
    "Planning needs no GPU.";

struct Variable {
  std::string_view name, meaning;
};

constexpr std::array variables{
    Variable{"LC_ALL, LC_CTYPE, LANG", "maps are drawn with lines in a UTF-8 locale, and with ASCII in any other"},
    Variable{"NO_COLOR", "no colour, when it is not empty; there is none either where output is no terminal"},
    Variable{"COLUMNS", "how wide to draw, instead of the terminal's width"}};

ManualPage overview_page(const std::string& date) {
  std::string commands;
  for (const Command* command : all_commands())
    commands += fmt::format(".TP\n.BR {} (1)\n{}\n", escaped(page_name(*command)), plain(command->summary));
  std::string environment;
  for (const Variable& variable : variables) environment += entry(bold(variable.name), variable.meaning);
  const std::string options =
      entry(bold("-h") + ", " + bold("--help"), "the commands; carve help COMMAND explains one") +
      entry(bold("--version") + " [" + bold("--json") + "]", "what it was built from");
  const std::string files = entry(italic("/usr/share/doc/carve/examples"), "workload files to begin from") +
                            entry(italic("/usr/share/doc/carve/docs"), "every key of the files, every finding, why");
  return {"carve", heading("carve", date) + name_line("carve", tagline) +
                       section("SYNOPSIS", bold("carve") + " " + italic("command") + " [" + italic("arguments") +
                                               "] [" + italic("options") + "]\n") +
                       section("DESCRIPTION", plain(description) + "\n") + section("COMMANDS", commands) +
                       section("OPTIONS", options) + section("ENVIRONMENT", environment) + section("FILES", files) +
                       section("\"EXIT STATUS\"", exit_codes())};
}

}  // namespace

std::vector<ManualPage> manual_pages(const std::string& date) {
  std::vector<ManualPage> pages{overview_page(date)};
  for (const Command* command : every_command()) pages.push_back(page_of(*command, date));
  return pages;
}

}  // namespace carve
