// The map: cards that look alike are drawn once. A card with MIG is drawn to scale on its memory grid, one column of
// boxes per memory slice; when the narrowest box would be too narrow to read, the card becomes a list.
#include <algorithm>

#include "show/box.h"
#include "show/drawn.h"
#include "show/grid.h"

namespace carve {

namespace {

// ------------------------------------------------------------------------------------------------------------ header

std::string header(const Drawn& drawn, const Plan& plan, int width, const Style& style) {
  const std::string place = where(drawn, style);
  std::string rest = "  " + drawn.card().model;
  if (const std::string wall = wall_text(drawn); !wall.empty()) rest += "  " + wall;
  const std::string right = stranded_text(drawn, plan);
  const int spare = width - display_width(place) - display_width(rest) - display_width(right);
  const std::string head = inked(place, Ink::bold, style) + rest;
  if (spare >= 2) return head + repeated(" ", spare) + right + '\n';
  if (display_width(place) + display_width(rest) <= width) return head + "\n  " + right + '\n';
  return inked(place, Ink::bold, style) + "\n" + rest + "\n  " + right + '\n';
}

// -------------------------------------------------------------------------------------------------------------- grid

std::vector<Box> boxes_of(const Drawn& drawn, const Plan& plan, const Scale& scale, const Style& style) {
  std::vector<Box> boxes;
  for (const Partition& partition : drawn.card().partitions) {
    const Placement placement = partition.placement.value_or(Placement{0, scale.slices});
    const int width = text_columns(scale, placement.size);
    boxes.push_back({placement, title_of(partition), contents(partition, plan, numbering_of(drawn), width, style)});
  }
  for (const Placement run : free_runs(drawn)) boxes.push_back(free_box(run, room_in(run, drawn), scale, style));
  return boxes;
}

std::string grid(const Drawn& drawn, const Plan& plan, const Scale& scale, const Style& style) {
  const std::vector<Box> boxes = boxes_of(drawn, plan, scale, style);
  return boxes_text(boxes, scale, style) + (drawn.card().mig ? axis_text(scale) : "");
}

// -------------------------------------------------------------------------------------------------------------- list

std::string list(const Drawn& drawn, const Plan& plan, const Style& style) {
  struct Row {
    int start;
    std::string text;
  };
  std::vector<Row> rows;
  const int inner = style.width - grid_indent - 2;
  const auto range = [](Placement p) {
    return p.size == 1 ? fmt::format("slice {}", p.start) : fmt::format("slices {}-{}", p.start, p.start + p.size - 1);
  };
  for (const Partition& partition : drawn.card().partitions) {
    std::string text = repeated(" ", grid_indent) + inked(title_of(partition), Ink::bold, style);
    if (partition.placement) text += "  " + range(*partition.placement);
    text += '\n';
    for (const Line& line : contents(partition, plan, numbering_of(drawn), inner, style)) {
      text += repeated(" ", grid_indent + 2);
      for (const Text& piece : line) text += inked(piece.text, piece.ink, style);
      text += '\n';
    }
    rows.push_back({partition.placement.value_or(Placement{}).start, std::move(text)});
  }
  for (const Placement run : free_runs(drawn))
    rows.push_back({run.start, fmt::format("  free  {}: {}\n", range(run), room_in(run, drawn))});
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.start < b.start; });
  std::string result;
  for (const Row& row : rows) result += row.text;
  return result;
}

// -------------------------------------------------------------------------------------------------------------- card

std::string card(const Drawn& drawn, const Plan& plan, const Style& style) {
  const int slices = grid_slices(drawn);
  int narrowest = slices;
  for (const Partition& partition : drawn.card().partitions)
    if (partition.placement) narrowest = std::min(narrowest, partition.placement->size);
  const Scale scale = scale_of(slices, style);
  if (!readable(scale, narrowest)) return header(drawn, plan, style.width, style) + list(drawn, plan, style);
  return header(drawn, plan, grid_indent + scale.width(), style) + grid(drawn, plan, scale, style);
}

}  // namespace

std::string map_of(const Plan& plan, const Style& style) {
  std::string result;
  for (const Drawn& drawn : alike(plan)) {
    if (!result.empty()) result += '\n';
    result += card(drawn, plan, style);
  }
  return result;
}

}  // namespace carve
