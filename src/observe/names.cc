#include "observe/names.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace carve::observe_internal {

namespace {

constexpr std::size_t longest = 48;  // leaves room for a number within the 63 that are allowed

bool is_letter_or_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Beginnings of the names of programs that run others: "python3.11" as well.
constexpr std::array<std::string_view, 7> interpreters{"python", "bash", "sh", "perl", "node", "java", "julia"};

bool is_interpreter(std::string_view program) {
  return std::any_of(interpreters.begin(), interpreters.end(), [&](std::string_view name) {
    return program.starts_with(name) && program.find_first_not_of("0123456789.", name.size()) == std::string_view::npos;
  });
}

std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

}  // namespace

std::string_view program_of(std::string_view command) {
  const std::string_view program = last_part(take_word(command));
  if (!is_interpreter(program)) return program;
  while (!command.empty()) {
    const std::string_view word = take_word(command);
    if (word == "-c") break;  // what follows is a program, and not its name
    if (word == "-m" || word == "-jar") return last_part(take_word(command));
    if (!word.empty() && !word.starts_with('-')) return last_part(word);
  }
  return program;
}

bool names_its_user(std::string_view held_by) { return held_by != "pod" && held_by != "container"; }

std::string Names::unique(std::string_view wanted, std::string_view otherwise) {
  std::string base(wanted.substr(0, longest));
  for (char& c : base)
    if (!is_letter_or_digit(c) && c != '.' && c != '_') c = '-';
  while (!base.empty() && !is_letter_or_digit(base.back())) base.pop_back();
  base.erase(0, static_cast<std::size_t>(std::find_if(base.begin(), base.end(), is_letter_or_digit) - base.begin()));
  if (base.empty()) base = otherwise;
  std::string name = base;
  for (int number = 2; !taken_.insert(name).second; ++number) name = fmt::format("{}-{}", base, number);
  return name;
}

const std::string& Names::of(const std::string& wanted, std::string_view otherwise) {
  const auto known = given_.find(wanted);
  return known != given_.end() ? known->second : given_.emplace(wanted, unique(wanted, otherwise)).first->second;
}

}  // namespace carve::observe_internal
