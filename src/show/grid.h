// A card drawn to scale on its memory grid: boxes side by side, borders shared, the slices numbered below.
#pragma once

#include <string>
#include <vector>

#include "card/card.h"
#include "show/canvas.h"

namespace carve {

inline constexpr int grid_indent = 2;  // columns before the grid

// `slices` columns of `cell` terminal columns each.
struct Scale {
  int slices = 0;
  int cell = 0;
  int column(int slice) const { return slice * cell; }
  int width() const { return slices * cell + 1; }
};

// As wide as the style allows; slices is at least 1.
Scale scale_of(int slices, const Style&);
// The narrowest box, of so many slices, has room for something that can be read.
bool readable(const Scale&, int narrowest_slices);

struct Box {
  Placement placement;
  std::string title;
  std::vector<Line> lines;
  bool free = false;
};

// Runs of slices that none of these takes.
std::vector<Placement> free_runs(const std::vector<Placement>& taken, int slices);
// The box of such a run, with what still fits there.
Box free_box(Placement run, const std::string& room, const Scale&, const Style&);

// Columns for text in a box of so many slices.
int text_columns(const Scale&, int slices);

// The boxes, which do not overlap, without the numbers.
std::string boxes_text(const std::vector<Box>&, const Scale&, const Style&);
// The numbers of the slices.
std::string axis_text(const Scale&);

}  // namespace carve
