// Widths follow Unicode's East Asian Width for the ranges that occur in names and messages; the ranges are data.
#include "show/table.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

namespace carve {

namespace {

// ---------------------------------------------------------------------------------------------------------- decoding

struct Decoded {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

// The first character of a text that is not empty.
Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  if (lead < 0xc2 || lead > 0xf4 || length > text.size()) return {};
  char32_t code = lead & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < smallest[length] || code > 0x10ffff || surrogate) return {};
  return {code, length, true};
}

struct Range {
  char32_t first, last;
};
// Ranges without a column of their own: combining marks, joiners, direction marks, variation selectors.
constexpr std::array zero_width{Range{0x300, 0x36f},   Range{0x483, 0x489},   Range{0x591, 0x5bd},
                                Range{0x610, 0x61a},   Range{0x64b, 0x65f},   Range{0x1ab0, 0x1aff},
                                Range{0x1dc0, 0x1dff}, Range{0x200b, 0x200f}, Range{0x202a, 0x202e},
                                Range{0x2060, 0x2064}, Range{0x20d0, 0x20ff}, Range{0xfe00, 0xfe0f},
                                Range{0xfe20, 0xfe2f}, Range{0xfeff, 0xfeff}, Range{0xe0100, 0xe01ef}};
constexpr std::array two_wide{Range{0x1100, 0x115f},   Range{0x2e80, 0x303e},   Range{0x3041, 0xa4cf},
                              Range{0xac00, 0xd7a3},   Range{0xf900, 0xfaff},   Range{0xfe30, 0xfe6f},
                              Range{0xff00, 0xff60},   Range{0xffe0, 0xffe6},   Range{0x1f300, 0x1f64f},
                              Range{0x1f680, 0x1f6ff}, Range{0x1f900, 0x1f9ff}, Range{0x20000, 0x3fffd}};

bool within(char32_t code, std::span<const Range> ranges) {
  return std::any_of(ranges.begin(), ranges.end(), [&](Range r) { return code >= r.first && code <= r.last; });
}

int columns_of(const Decoded& character) {
  if (!character.valid || character.code < 0x300) return 1;
  if (within(character.code, zero_width)) return 0;
  return within(character.code, two_wide) ? 2 : 1;
}

bool is_control(char32_t code) {
  const bool direction = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || direction;
}

}  // namespace

// -------------------------------------------------------------------------------------------------------------- ink

std::string inked(std::string_view text, Ink ink, const Style& style) {
  constexpr std::array<std::string_view, 7> codes{"", "1", "2", "31", "32", "33", "36"};
  const std::string_view code = codes[static_cast<std::size_t>(ink)];
  if (!style.colour || code.empty() || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

// ----------------------------------------------------------------------------------------------------------- widths

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const Decoded character = decode(text);
    width += columns_of(character);
    text.remove_prefix(character.bytes);
  }
  return width;
}

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const Decoded character = decode(text);
    if (character.code == '\t') {
      shown += ' ';
    } else if (!character.valid || is_control(character.code)) {
      shown += '?';
    } else {
      shown += text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes);
  }
  return shown;
}

std::string printable(std::string_view text, const Style& style) {
  struct Spelling {
    std::string_view character, ascii;
  };
  constexpr std::array<Spelling, 6> spellings{
      {{"×", "x"}, {"…", "..."}, {"·", ","}, {"–", "-"}, {"→", "->"}, {"≥", ">="}}};
  std::string shown = printable(text);
  if (style.unicode) return shown;
  for (const Spelling& spelling : spellings)
    for (std::size_t at; (at = shown.find(spelling.character)) != std::string::npos;)
      shown.replace(at, spelling.character.size(), spelling.ascii);
  return shown;
}

std::string shortened(std::string_view text, int width, const Style& style) {
  if (display_width(text) <= width) return std::string(text);
  if (width <= 0) return {};
  std::string kept;
  int used = 0;
  while (!text.empty()) {
    const Decoded character = decode(text);
    used += columns_of(character);
    if (used > width - 1) break;
    kept += text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
  }
  return kept + (style.unicode ? "…" : "~");
}

std::string fitted(std::string_view text, int width, Align align, const Style& style) {
  const std::string kept = shortened(text, width, style);
  const int spare = std::max(0, width - display_width(kept));
  const int before = align == Align::left ? 0 : align == Align::right ? spare : spare / 2;
  return repeated(" ", before) + kept + repeated(" ", spare - before);
}

namespace {

// The first line may have another width than those after it.
struct LineWidths {
  int first, others;
};

std::vector<std::string> broken(std::string_view text, LineWidths widths) {
  std::vector<std::string> lines(1);
  int used = 0;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    if (word.empty()) continue;
    const int columns = display_width(word);
    if (used > 0 && used + 1 + columns > (lines.size() == 1 ? widths.first : widths.others)) {
      lines.emplace_back();
      used = 0;
    }
    if (used > 0) lines.back() += ' ';
    lines.back() += word;
    used += columns + (used > 0 ? 1 : 0);
  }
  return lines;
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, int width) { return broken(text, {width, width}); }

std::string paragraph(std::string_view first, std::string_view text, const Style& style) {
  const int lead = display_width(first);
  const int spaces = static_cast<int>(std::min(first.find_first_not_of(' '), first.size()));
  return paragraph(first, text, style, lead <= style.width / 4 ? lead : spaces + 4);
}

std::string paragraph(std::string_view first, std::string_view text, const Style& style, int hang) {
  const int lead = display_width(first);
  std::string result;
  for (const std::string& line : broken(text, {style.width - lead, style.width - hang})) {
    result += result.empty() ? std::string(first) : repeated(" ", hang);
    result += line;
    result += '\n';
  }
  return result;
}

std::string repeated(std::string_view unit, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += unit;
  return result;
}

// ----------------------------------------------------------------------------------------------------------- tables

namespace {

constexpr int gap = 2;  // spaces between columns

// Columns that remain, and their widths.
struct Arrangement {
  std::vector<std::size_t> shown;
  std::vector<int> widths;
};

int total_width(const Arrangement& kept) {
  const int content = std::accumulate(kept.widths.begin(), kept.widths.end(), 0);
  return content + gap * std::max<int>(0, static_cast<int>(kept.widths.size()) - 1);
}

// Drops the column that matters least. False if none may go.
bool drop_one(Arrangement& kept, const std::vector<Column>& columns) {
  std::size_t victim = 0;
  for (std::size_t i = 1; i < kept.shown.size(); ++i)
    if (columns[kept.shown[i]].drop >= columns[kept.shown[victim]].drop) victim = i;
  if (kept.shown.empty() || columns[kept.shown[victim]].drop == 0) return false;
  kept.shown.erase(kept.shown.begin() + static_cast<std::ptrdiff_t>(victim));
  kept.widths.erase(kept.widths.begin() + static_cast<std::ptrdiff_t>(victim));
  return true;
}

void shrink(Arrangement& kept, const std::vector<Column>& columns, int width) {
  constexpr int least = 8;
  int* widest = nullptr;
  for (std::size_t i = 0; i < kept.shown.size(); ++i)
    if (columns[kept.shown[i]].align == Align::left && (widest == nullptr || kept.widths[i] > *widest))
      widest = &kept.widths[i];
  if (widest != nullptr) *widest = std::max(std::min(least, *widest), *widest - (total_width(kept) - width));
}

// Leaves the last column what the others do not need, to be wrapped. False if that is too little to read.
bool wrap_last(Arrangement& kept, const std::vector<Column>& columns, int width) {
  constexpr int readable = 12;
  const int spare = kept.widths.back() - (total_width(kept) - width);
  if (columns[kept.shown.back()].align != Align::left || spare < readable) return false;
  kept.widths.back() = spare;
  return true;
}

std::string row_text(const Arrangement& kept, const std::vector<Text>& cells, const std::vector<Column>& columns,
                     const Style& style, int indent) {
  std::string text = repeated(" ", indent);
  for (std::size_t i = 0; i < kept.shown.size(); ++i) {
    const Text& cell = cells[kept.shown[i]];
    const bool last = i + 1 == kept.shown.size();
    std::string words = fitted(cell.text, kept.widths[i], columns[kept.shown[i]].align, style);
    if (last) words.erase(words.find_last_not_of(' ') + 1);
    text += inked(words, cell.ink, style);
    if (!last) text += repeated(" ", gap);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + '\n';
}

}  // namespace

void Table::add(std::vector<Text> cells) {
  assert(cells.size() == columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::render(const Style& style, int indent) const {
  Arrangement kept;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    int width = display_width(columns_[i].title);
    for (const auto& row : rows_) width = std::max(width, display_width(row[i].text));
    kept.shown.push_back(i);
    kept.widths.push_back(width);
  }
  const int width = style.width - indent;
  while (total_width(kept) > width && drop_one(kept, columns_)) {
  }
  const bool wraps = total_width(kept) > width && wrap_last(kept, columns_, width);
  if (total_width(kept) > width) shrink(kept, columns_, width);

  std::vector<Text> titles;
  for (const Column& column : columns_) titles.emplace_back(column.title, Ink::bold);
  std::string result = row_text(kept, titles, columns_, style, indent);
  for (std::vector<Text> row : rows_) {
    if (!wraps) {
      result += row_text(kept, row, columns_, style, indent);
      continue;
    }
    const std::size_t last = kept.shown.back();
    for (const std::string& line : wrapped(row[last].text, kept.widths.back())) {
      row[last].text = line;
      result += row_text(kept, row, columns_, style, indent);
      for (const std::size_t i : kept.shown) row[i].text.clear();
    }
  }
  return result;
}

}  // namespace carve
