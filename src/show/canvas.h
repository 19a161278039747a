// A grid of terminal cells to draw boxes on, in UTF-8 or ASCII.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "show/table.h"

namespace carve {

// A line of text in pieces of different ink.
using Line = std::vector<Text>;
int display_width(const Line&);

// The pieces a box is made of, as one table for each character set.
struct Strokes {
  std::string_view across, down, top_left, top_right, bottom_left, bottom_right, tee_down, tee_up;
  std::string_view dotted_across, dotted_down;  // around what is free
  std::string_view used, stranded;              // in a bar
};
const Strokes& strokes_of(const Style&);

struct Spot {
  int column = 0;
  int row = 0;
};

class Canvas {
 public:
  Canvas(int columns, int rows);
  // Cells beyond the edges are left out.
  void put(Spot, std::string_view text, Ink = Ink::plain);
  void put(Spot, const Line&);
  // Rows without trailing spaces, each behind `indent` spaces and ended by a line feed.
  std::string render(const Style&, int indent) const;

 private:
  struct Cell {
    std::string glyph = " ";  // empty: covered by the wide character before it
    Ink ink = Ink::plain;
  };
  int columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace carve
