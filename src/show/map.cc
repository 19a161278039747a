// The map: cards that look alike are drawn once. A card with MIG is drawn to scale on its memory grid, one column of
// boxes per memory slice; when the narrowest box would be too narrow to read, the card becomes a list.
#include <algorithm>

#include "show/box.h"
#include "show/canvas.h"
#include "show/drawn.h"

namespace carve {

namespace {

constexpr int indent = 2;
constexpr int readable = 8;  // columns inside the narrowest box

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

// The scale of one card: `slices` columns of `cell` terminal columns, borders shared.
struct Scale {
  int slices = 0;
  int cell = 0;
  int column(int slice) const { return slice * cell; }
  int width() const { return slices * cell + 1; }
};

struct Box {
  Placement placement;
  std::string title;
  std::vector<Line> lines;
  bool free = false;
};

// The title in the upper border: "─ 3g.40gb ─", in a narrow box without its ornaments.
void draw_title(Canvas& canvas, const Box& box, const Scale& scale, const Style& style) {
  const int left = scale.column(box.placement.start);
  const int inner = box.placement.size * scale.cell - 1;
  const int length = display_width(box.title);
  if (box.title.empty()) return;
  const std::string ink = length + 3 <= inner ? " " + box.title + " " : shortened(box.title, inner, style);
  canvas.put({left + (length + 3 <= inner ? 2 : 1), 0}, ink, Ink::bold);
}

void draw_box(Canvas& canvas, const Box& box, const Scale& scale, int height, const Style& style) {
  const Strokes& strokes = strokes_of(style);
  const int left = scale.column(box.placement.start);
  const int right = scale.column(box.placement.start + box.placement.size);
  const std::string_view across = box.free ? strokes.dotted_across : strokes.across;
  const std::string rule = repeated(across, right - left - 1);
  canvas.put({left + 1, 0}, rule, box.free ? Ink::dim : Ink::plain);
  canvas.put({left + 1, height - 1}, rule, box.free ? Ink::dim : Ink::plain);
  draw_title(canvas, box, scale, style);
  const int padding = right - left - 1 >= 10 ? 1 : 0;
  for (int row = 0; row < std::ssize(box.lines); ++row)
    canvas.put({left + 1 + padding, row + 1}, box.lines[static_cast<std::size_t>(row)]);
}

// The vertical line at a slice, with the corners that its neighbours need.
void draw_edge(Canvas& canvas, const std::vector<Box>& boxes, int slice, const Scale& scale, int height,
               const Style& style) {
  const Strokes& s = strokes_of(style);
  const Box* before = nullptr;
  const Box* after = nullptr;
  for (const Box& box : boxes) {
    if (box.placement.start + box.placement.size == slice) before = &box;
    if (box.placement.start == slice) after = &box;
  }
  const bool solid = (before != nullptr && !before->free) || (after != nullptr && !after->free);
  const std::string_view top = before == nullptr ? s.top_left : after == nullptr ? s.top_right : s.tee_down;
  const std::string_view bottom = before == nullptr ? s.bottom_left : after == nullptr ? s.bottom_right : s.tee_up;
  canvas.put({scale.column(slice), 0}, top);
  for (int row = 1; row < height - 1; ++row)
    canvas.put({scale.column(slice), row}, solid ? s.down : s.dotted_down, solid ? Ink::plain : Ink::dim);
  canvas.put({scale.column(slice), height - 1}, bottom);
}

int text_width(int inner) { return inner >= 10 ? inner - 2 : inner; }

std::vector<Box> boxes_of(const Drawn& drawn, const Plan& plan, const Scale& scale, const Style& style) {
  std::vector<Box> boxes;
  for (const Partition& partition : drawn.card().partitions) {
    const Placement placement = partition.placement.value_or(Placement{0, scale.slices});
    const int width = text_width(placement.size * scale.cell - 1);
    boxes.push_back({placement, title_of(partition), contents(partition, plan, numbering_of(drawn), width, style)});
  }
  for (const Placement run : free_runs(drawn)) {
    const int width = text_width(run.size * scale.cell - 1);
    Box box{run, "", {}, true};
    for (const std::string& words : {std::string("free"), room_in(run, drawn)})
      for (const std::string& line : wrapped(words, width))
        if (!line.empty()) box.lines.push_back({Text(shortened(line, width, style), Ink::dim)});
    boxes.push_back(std::move(box));
  }
  return boxes;
}

std::string axis(const Scale& scale) {
  std::string line = repeated(" ", indent);
  for (int slice = 0; slice < scale.slices; ++slice) {
    const std::string number = fmt::format(" {}", slice);
    line += number + repeated(" ", slice + 1 < scale.slices ? scale.cell - static_cast<int>(number.size()) : 0);
  }
  return line + '\n';
}

std::string grid(const Drawn& drawn, const Plan& plan, const Scale& scale, const Style& style) {
  const std::vector<Box> boxes = boxes_of(drawn, plan, scale, style);
  std::size_t most = 1;
  for (const Box& box : boxes) most = std::max(most, box.lines.size());
  const int height = static_cast<int>(most) + 2;
  Canvas canvas(scale.width(), height);
  for (const Box& box : boxes) draw_box(canvas, box, scale, height, style);
  std::vector<int> edges;
  for (const Box& box : boxes) {
    edges.push_back(box.placement.start);
    edges.push_back(box.placement.start + box.placement.size);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (const int slice : edges) draw_edge(canvas, boxes, slice, scale, height, style);
  return canvas.render(style, indent) + (drawn.card().mig ? axis(scale) : "");
}

// -------------------------------------------------------------------------------------------------------------- list

std::string list(const Drawn& drawn, const Plan& plan, const Style& style) {
  struct Row {
    int start;
    std::string text;
  };
  std::vector<Row> rows;
  const int inner = style.width - indent - 2;
  const auto range = [](Placement p) {
    return p.size == 1 ? fmt::format("slice {}", p.start) : fmt::format("slices {}-{}", p.start, p.start + p.size - 1);
  };
  for (const Partition& partition : drawn.card().partitions) {
    std::string text = repeated(" ", indent) + inked(title_of(partition), Ink::bold, style);
    if (partition.placement) text += "  " + range(*partition.placement);
    text += '\n';
    for (const Line& line : contents(partition, plan, numbering_of(drawn), inner, style)) {
      text += repeated(" ", indent + 2);
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
  const Scale scale{slices, (style.width - indent - 1) / slices};
  if (narrowest * scale.cell - 1 < readable) return header(drawn, plan, style.width, style) + list(drawn, plan, style);
  return header(drawn, plan, indent + scale.width(), style) + grid(drawn, plan, scale, style);
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
