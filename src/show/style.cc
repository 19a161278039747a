// What the terminal can show, from the environment alone.
#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "show/show.h"

namespace carve {

namespace {

constexpr int narrowest = 40;
constexpr int widest = 120;  // lines that are longer are hard to read

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

// The locale's character set, by the variables that decide it, without loading a locale.
bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = variable(name);
    if (value.empty()) continue;
    for (const std::string_view charset : {"UTF-8", "utf-8", "UTF8", "utf8"})
      if (value.find(charset) != std::string_view::npos) return true;
    return false;
  }
  return false;
}

int terminal_width(int file_descriptor) {
  const std::string_view columns = variable("COLUMNS");
  int width = 0;
  const auto [end, failed] = std::from_chars(columns.data(), columns.data() + columns.size(), width);
  const bool whole = failed == std::errc() && end == columns.data() + columns.size();
  if (whole && width > 0) return width;
  winsize size{};
  if (::ioctl(file_descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return Style{}.width;
}

}  // namespace

Style style_of(int file_descriptor) {
  const bool terminal = ::isatty(file_descriptor) != 0;
  Style style;
  style.unicode = locale_is_utf8();
  style.colour = terminal && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
  style.width = std::clamp(terminal_width(file_descriptor), narrowest, widest);
  return style;
}

}  // namespace carve
