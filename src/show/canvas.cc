#include "show/canvas.h"

namespace carve {

namespace {

constexpr Strokes unicode_strokes{"─", "│", "┌", "┐", "└", "┘", "┬", "┴", "┄", "┊", "▓", "░"};
constexpr Strokes ascii_strokes{"-", "|", "+", "+", "+", "+", "+", "+", ".", ":", "#", "."};

// Bytes of the first character of a text that is not empty and valid UTF-8.
std::size_t character_bytes(std::string_view text) {
  std::size_t bytes = 1;
  while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80) ++bytes;
  return bytes;
}

}  // namespace

int display_width(const Line& line) {
  int width = 0;
  for (const Text& piece : line) width += display_width(piece.text);
  return width;
}

const Strokes& strokes_of(const Style& style) { return style.unicode ? unicode_strokes : ascii_strokes; }

Canvas::Canvas(int columns, int rows)
    : columns_(columns), rows_(static_cast<std::size_t>(rows), std::vector<Cell>(static_cast<std::size_t>(columns))) {}

void Canvas::put(Spot spot, std::string_view text, Ink ink) {
  if (spot.row < 0 || spot.row >= std::ssize(rows_)) return;
  std::vector<Cell>& row = rows_[static_cast<std::size_t>(spot.row)];
  for (int column = spot.column; !text.empty();) {
    const std::string_view character = text.substr(0, character_bytes(text));
    text.remove_prefix(character.size());
    const int width = display_width(character);
    if (width == 0 && column > 0 && column <= columns_) {
      row[static_cast<std::size_t>(column - 1)].glyph += character;  // a mark on the character before it
      continue;
    }
    if (column < 0 || column + width > columns_) return;
    row[static_cast<std::size_t>(column)] = {std::string(character), ink};
    if (width == 2) row[static_cast<std::size_t>(column + 1)] = {"", ink};
    column += width;
  }
}

void Canvas::put(Spot spot, const Line& line) {
  for (const Text& piece : line) {
    put(spot, piece.text, piece.ink);
    spot.column += display_width(piece.text);
  }
}

std::string Canvas::render(const Style& style, int indent) const {
  std::string result;
  for (const std::vector<Cell>& row : rows_) {
    std::size_t end = row.size();
    while (end > 0 && row[end - 1].glyph == " ") --end;
    if (end > 0) result += repeated(" ", indent);
    for (std::size_t at = 0; at < end;) {  // runs of one ink
      const Ink ink = row[at].ink;
      std::string run;
      for (; at < end && row[at].ink == ink; ++at) run += row[at].glyph;
      result += inked(run, ink, style);
    }
    result += '\n';
  }
  return result;
}

}  // namespace carve
