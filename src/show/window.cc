// A page cut to the size of a terminal. Ink (ESC [ ... m) takes no column and is switched off where a line is cut.
#include <algorithm>

#include "show/table.h"

namespace carve {

namespace {

// Bytes of the sequence of ink that the text begins with; 0 if it begins otherwise.
std::size_t ink_bytes(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find('m');
  return end == std::string_view::npos ? text.size() : end + 1;
}

std::size_t character_bytes(std::string_view text) {
  std::size_t bytes = 1;
  while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80) ++bytes;
  return bytes;
}

std::string cut(std::string_view line, int columns) {
  std::string result;
  bool inked = false;
  while (!line.empty()) {
    std::size_t bytes = ink_bytes(line);
    if (bytes > 0) {
      inked = true;
    } else {
      bytes = character_bytes(line);
      columns -= display_width(line.substr(0, bytes));
      if (columns < 0) return inked ? result + "\x1b[0m" : result;
    }
    result += line.substr(0, bytes);
    line.remove_prefix(bytes);
  }
  return result;
}

}  // namespace

std::vector<std::string> window_lines(std::string_view page, const Window& window, const Style& style) {
  std::vector<std::string_view> all;
  while (!page.empty()) {
    const std::size_t end = std::min(page.find('\n'), page.size());
    all.push_back(page.substr(0, end));
    page.remove_prefix(std::min(end + 1, page.size()));
  }
  const auto rows = static_cast<std::size_t>(std::max(1, window.rows));
  const bool fits = all.size() <= rows;
  const std::size_t shown = fits ? rows : rows - 1;
  const std::size_t last_first = all.size() > shown ? all.size() - shown : 0;
  const std::size_t first = std::min(static_cast<std::size_t>(std::max(0, window.first)), last_first);
  const std::size_t end = std::min(all.size(), first + shown);
  std::vector<std::string> lines;
  for (std::size_t i = first; i < end; ++i) lines.push_back(cut(all[i], window.columns));
  if (!fits) {
    const std::string more = fmt::format("lines {}-{} of {}; j and k move", first + 1, end, all.size());
    lines.push_back(inked(cut(more, window.columns), Ink::dim, style));
  }
  return lines;
}

}  // namespace carve
