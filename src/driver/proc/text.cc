#include "driver/proc/text.h"

#include <algorithm>
#include <charconv>

namespace carve {

namespace {

// The text before `end`, which is taken off with it; all of it if there is no such byte.
std::string_view take_until(std::string_view& text, char end) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return taken;
}

template <class Number>
std::optional<Number> number_in(std::string_view digits) {
  Number value{};
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (failed != std::errc() || end != digits.data() + digits.size()) return {};
  return value;
}

}  // namespace

std::string command_in(std::string_view cmdline) {
  while (cmdline.ends_with('\0')) cmdline.remove_suffix(1);
  std::string text(cmdline);
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

std::string cgroup_in(std::string_view lines) {
  std::string_view best;
  while (!lines.empty()) {
    std::string_view line = take_until(lines, '\n');
    if (std::count(line.begin(), line.end(), ':') < 2) continue;
    take_until(line, ':');
    take_until(line, ':');
    if (line.size() > best.size()) best = line;
  }
  return std::string(best);
}

std::optional<std::string> user_in(std::string_view passwd, std::uint32_t uid) {
  while (!passwd.empty()) {
    std::string_view line = take_until(passwd, '\n');
    const std::string_view name = take_until(line, ':');
    take_until(line, ':');
    const bool whole = line.find(':') != std::string_view::npos;
    if (whole && number_in<std::uint32_t>(take_until(line, ':')) == uid) return std::string(name);
  }
  return {};
}

std::optional<ProcessStat> stat_in(std::string_view line) {
  constexpr int parent_field = 4, group_field = 5, started_field = 22;
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string_view::npos) return {};
  line.remove_prefix(std::min(name_end + 2, line.size()));
  ProcessStat stat;
  for (int field = 3; field <= started_field; ++field) {
    const std::string_view word = take_until(line, ' ');
    if (field == parent_field || field == group_field) {
      const auto value = number_in<std::int32_t>(word);
      if (!value) return {};
      (field == parent_field ? stat.parent : stat.group) = *value;
    }
    if (field != started_field) continue;
    const auto value = number_in<std::uint64_t>(word);
    if (!value) return {};
    stat.started = *value;
  }
  return stat;
}

}  // namespace carve
