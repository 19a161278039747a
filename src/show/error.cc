// Errors as rustc prints them:
//
//   error: memory needs a unit
//    --> team.yaml:7:13
//     |
//   7 |     memory: 18
//     |             ^^
//     = help: write 18GiB (2^30 bytes each) or 18GB (10^9)
#include <algorithm>

#include "show/table.h"

namespace carve {

namespace {

// Bytes of the first `count` characters of a line.
std::size_t bytes_of(std::string_view line, int count) {
  std::size_t at = 0;
  const auto inside = [&](std::size_t i) {
    return i < line.size() && (static_cast<unsigned char>(line[i]) & 0xc0) == 0x80;
  };
  for (; count > 0 && at < line.size(); --count) {
    ++at;
    while (inside(at)) ++at;
  }
  return at;
}

// Places count characters; what stands before and above the caret is measured as a terminal shows it.
std::string caret_line(const Place& place, const Style& style) {
  const std::string_view line = place.source_line;
  const std::size_t before = bytes_of(line, place.column - 1);
  const std::size_t under = bytes_of(line.substr(before), place.width);
  const int indent = display_width(printable(line.substr(0, before)));
  const int carets = display_width(printable(line.substr(before, under)));
  return repeated(" ", indent) +
         inked(std::string(static_cast<std::size_t>(std::max(1, carets)), '^'), Ink::red, style);
}

std::string place_of(const Place& place) {
  std::string text = printable(place.file);
  if (place.line > 0) text += fmt::format(":{}", place.line);
  if (place.line > 0 && place.column > 0) text += fmt::format(":{}", place.column);
  return text;
}

// A long line is shown around its caret.
Place cropped(Place place, int width) {
  constexpr int lead = 20;  // characters kept before the caret
  const int column = std::max(1, place.column);
  const int cut = column + place.width > width ? std::max(0, column - 1 - lead) : 0;
  const std::string_view line = std::string_view(place.source_line).substr(bytes_of(place.source_line, cut));
  const std::string kept(line.substr(0, bytes_of(line, width)));
  place.source_line = fmt::format("{}{}", cut > 0 ? "..." : "", kept);
  place.column = column - cut + (cut > 0 ? 3 : 0);
  return place;
}

std::string one(const Error& error, const Style& style) {
  std::string text = inked("error", Ink::red, style) + ": " + printable(error.message) + '\n';
  std::string margin = " ";
  if (error.place) {
    const std::string number = error.place->line > 0 ? fmt::format("{}", error.place->line) : "";
    margin = std::string(number.size() + 1, ' ');
    text += fmt::format("{}--> {}\n", margin.substr(1), place_of(*error.place));
    if (!error.place->source_line.empty() && error.place->line > 0) {
      const Place place = cropped(*error.place, std::max(20, style.width - 4 - static_cast<int>(number.size())));
      text += fmt::format("{}|\n{} | {}\n{}| {}\n", margin, number, printable(place.source_line), margin,
                          caret_line(place, style));
    }
  }
  if (!error.help.empty())
    text += paragraph(margin + (error.place ? "= help: " : "help: "), printable(error.help), style);
  return text;
}

}  // namespace

std::string render_error(const Error& error, const Style& style) {
  std::string text = one(error, style);
  for (const Error& other : error.others) text += '\n' + one(other, style);
  if (!error.others.empty()) text += fmt::format("\n{} errors\n", error.others.size() + 1);
  return text;
}

}  // namespace carve
