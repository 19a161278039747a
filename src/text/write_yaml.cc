// Drafts in YAML. Written by hand, because the emitter of yaml-cpp puts comments into the first column and quotes
// nothing that could be a number. What goes into comments comes from strangers: nothing in it may end the comment.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "text/text.h"

namespace carve {

namespace {

constexpr std::size_t widest = 100;  // bytes of a line, where there are spaces to break it at

// Of `text`, which it shortens, what fits into a line.
std::string take_line(std::string& text, std::size_t width) {
  std::size_t end = text.size();
  if (end > width) {
    end = text.rfind(' ', width);
    if (end == std::string::npos || end == 0) end = std::min(text.find(' ', width), text.size());
  }
  std::string line = text.substr(0, end);
  text.erase(0, std::min(end + 1, text.size()));
  return line;
}

void write_comment(std::string& out, std::string_view comment, std::string_view indent) {
  while (!comment.empty()) {
    const std::size_t end = std::min(comment.find('\n'), comment.size());
    std::string rest = legible(comment.substr(0, end));
    do {
      const std::string line = take_line(rest, widest - indent.size() - 2);
      out += line.empty() ? fmt::format("{}#\n", indent) : fmt::format("{}# {}\n", indent, line);
    } while (!rest.empty());
    comment.remove_prefix(std::min(end + 1, comment.size()));
  }
}

bool is_plain(std::string_view text) {
  constexpr std::array<std::string_view, 7> words{"true", "false", "null", "yes", "no", "on", "off"};
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const bool harmless_letters = std::all_of(lower.begin(), lower.end(), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  });
  return !lower.empty() && is_letter(lower.front()) && harmless_letters &&
         std::find(words.begin(), words.end(), lower) == words.end();
}

}  // namespace

std::string yaml_text(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string write_yaml(std::string_view comment, std::string_view key, const std::vector<YamlItem>& items) {
  std::string out;
  write_comment(out, comment, "");
  out += fmt::format("{}{}:\n", out.empty() ? "" : "\n", key);
  bool first_item = true;
  for (const YamlItem& item : items) {
    if (!std::exchange(first_item, false)) out += '\n';
    bool first = true;
    for (const YamlLine& line : item) {
      write_comment(out, line.comment, first ? "  " : "    ");
      if (line.key.empty()) continue;
      out += fmt::format("  {} {}: {}\n", std::exchange(first, false) ? "-" : " ", line.key, line.value);
    }
  }
  return out;
}

}  // namespace carve
