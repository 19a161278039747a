#include "show/grid.h"

#include <algorithm>

namespace carve {

namespace {

constexpr int least_columns = 8;  // inside the narrowest box

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

}  // namespace

Scale scale_of(int slices, const Style& style) { return {slices, (style.width - grid_indent - 1) / slices}; }

bool readable(const Scale& scale, int narrowest_slices) { return narrowest_slices * scale.cell - 1 >= least_columns; }

std::vector<Placement> free_runs(const std::vector<Placement>& taken, int slices) {
  const auto is_free = [&](int slice) {
    return std::none_of(taken.begin(), taken.end(),
                        [&](Placement held) { return slice >= held.start && slice < held.start + held.size; });
  };
  std::vector<Placement> runs;
  for (int slice = 0; slice < slices; ++slice) {
    if (!is_free(slice)) continue;
    if (runs.empty() || runs.back().start + runs.back().size != slice) runs.push_back({slice, 0});
    ++runs.back().size;
  }
  return runs;
}

Box free_box(Placement run, const std::string& room, const Scale& scale, const Style& style) {
  Box box{run, "", {}, true};
  const int width = text_columns(scale, run.size);
  for (const std::string& words : {std::string("free"), room})
    for (const std::string& line : wrapped(words, width))
      if (!line.empty()) box.lines.push_back({Text(shortened(line, width, style), Ink::dim)});
  return box;
}

int text_columns(const Scale& scale, int slices) {
  const int inner = slices * scale.cell - 1;
  return inner >= 10 ? inner - 2 : inner;
}

std::string boxes_text(const std::vector<Box>& boxes, const Scale& scale, const Style& style) {
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
  return canvas.render(style, grid_indent);
}

std::string axis_text(const Scale& scale) {
  std::string line = repeated(" ", grid_indent);
  for (int slice = 0; slice < scale.slices; ++slice) {
    const std::string number = fmt::format(" {}", slice);
    line += number + repeated(" ", slice + 1 < scale.slices ? scale.cell - static_cast<int>(number.size()) : 0);
  }
  return line + '\n';
}

}  // namespace carve
