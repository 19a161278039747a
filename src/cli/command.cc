// What commands share: the list of them, values as they were given, the style of standard output.
#include "cli/command.h"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <charconv>

namespace carve {

namespace {

constexpr std::array<const Command*, 15> commands{
    &plan_command,   &why_command,   &check_command,      &status_command,  &observe_command,
    &diff_command,   &apply_command, &rollback_command,   &journal_command, &import_command,
    &export_command, &cards_command, &mechanisms_command, &sim_command,     &completion_command};

void add_all(std::span<const Command* const> some, std::vector<const Command*>& list) {
  for (const Command* command : some) {
    list.push_back(command);
    add_all(command->commands, list);
  }
}

}  // namespace

std::span<const Command* const> all_commands() { return commands; }

std::vector<const Command*> every_command() {
  std::vector<const Command*> list;
  add_all(commands, list);
  return list;
}

NamedCommand find_command(std::span<const std::string> words) {
  NamedCommand named;
  for (std::span<const Command* const> list = commands; named.words < words.size() && !list.empty();) {
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const Command* c) { return c->word() == words[named.words]; });
    if (found == list.end()) break;
    named = {*found, named.words + 1};
    list = named.command->commands;
  }
  return named;
}

const std::string& Given::text(std::string_view name) const {
  static const std::string none;
  const auto found = values_.find(name);
  return found == values_.end() ? none : found->second;
}

Result<std::optional<int>> Given::number(std::string_view name, Bounds bounds) const {
  if (!has(name)) return std::optional<int>();
  const std::string& typed = text(name);
  int value = 0;
  const auto [end, failed] = std::from_chars(typed.data(), typed.data() + typed.size(), value);
  const bool whole = failed == std::errc() && end == typed.data() + typed.size();
  if (!whole || value < bounds.least || value > bounds.most)
    return fail(
        Error{Fault::bad_input,
              fmt::format("{} {}: expected a whole number from {} to {}", name, typed, bounds.least, bounds.most),
              {},
              {},
              {}});
  return std::optional<int>(value);
}

Result<Style> output_style(const Given& given) {
  Style style = style_of(STDOUT_FILENO);
  if (given.has(ascii_option.name)) style.unicode = false;
  TRY(const std::optional<int> width, given.number(width_option.name, {40, 400}));
  if (width) style.width = *width;
  return style;
}

}  // namespace carve
