// The map: cards that look alike are drawn once. A card with MIG is drawn to scale on its memory grid, one column of
// boxes per memory slice; when the narrowest box would be too narrow to read, the card becomes a list.
#include <algorithm>
#include <map>

#include "show/box.h"
#include "show/canvas.h"

namespace carve {

namespace {

constexpr int indent = 2;
constexpr int readable = 8;  // columns inside the narrowest box

// Cards that differ only in the numbers of their replicas.
struct Drawn {
  const CardClass* card = nullptr;  // the first of them
  const CardModel* model = nullptr;
  std::vector<Position> positions;
};

// The partitions without what may differ between cards that look alike.
std::vector<Partition> look(const CardClass& card) {
  std::vector<Partition> partitions = card.partitions;
  for (Partition& partition : partitions)
    for (Share& share : partition.shares) share.first = 0;
  return partitions;
}

// Classes that look alike are neighbours in most plans, so comparing with those of the same model and size suffices.
std::vector<Drawn> alike(const Plan& plan) {
  std::vector<Drawn> drawn;
  std::vector<std::vector<Partition>> looks;
  for (const CardClass& card : plan.cards) {
    std::vector<Partition> own = look(card);
    std::size_t i = 0;
    for (; i < drawn.size(); ++i)
      if (drawn[i].card->model == card.model && drawn[i].card->mig == card.mig && looks[i] == own) break;
    if (i == drawn.size()) {
      const auto match = find_model(card.model);
      drawn.push_back({&card, match ? match->model : nullptr, {}});
      looks.push_back(std::move(own));
    }
    drawn[i].positions.insert(drawn[i].positions.end(), card.positions.begin(), card.positions.end());
  }
  return drawn;
}

Numbering numbering_of(const Drawn& drawn) {
  return drawn.positions.size() == 1 ? Numbering::replicas : Numbering::none;
}

// ------------------------------------------------------------------------------------------------------------ header

std::string where(const Drawn& drawn, const Style& style) {
  const auto text = [](const Position& p) { return fmt::format("{}/{}", p.node, p.index); };
  const std::string first = text(drawn.positions.front());
  if (drawn.positions.size() == 1) return first;
  return fmt::format("{}{}  {}{}{}", style.unicode ? "×" : "x", drawn.positions.size(), first,
                     drawn.positions.size() == 2 ? ", "
                     : style.unicode             ? " … "
                                                 : " .. ",
                     text(drawn.positions.back()));
}

std::string stranded_text(const Drawn& drawn, const Plan& plan) {
  Mib lost, held;
  bool all_known = true, some_known = false;
  for (const Partition& partition : drawn.card->partitions) {
    const bool known = memory_known(partition, plan);
    if (known) lost += stranded(partition);
    held += partition.memory;
    all_known = all_known && known;
    some_known = some_known || known;
  }
  const std::string each = drawn.positions.size() > 1 ? " on each" : "";
  if (!some_known) return fmt::format("memory in use not measured{}", each);
  const Mib total = drawn.model != nullptr && drawn.model->total_memory ? *drawn.model->total_memory : held;
  return fmt::format("{}{} of {} GiB stranded{}", all_known ? "" : "at least ", gib(lost), gib(total), each);
}

std::string wall_text(const Drawn& drawn) {
  if (!drawn.card->mig) return drawn.model != nullptr && drawn.model->has_mig() ? "not cut" : "";
  if (drawn.model == nullptr) return "MIG";
  int used = 0;
  for (const Partition& partition : drawn.card->partitions)
    if (const Profile* profile = drawn.model->find_profile(partition.profile)) used += profile->compute_slices;
  return fmt::format("MIG, compute {}/{}", used, drawn.model->compute_slices);
}

std::string header(const Drawn& drawn, const Plan& plan, int width, const Style& style) {
  const std::string place = where(drawn, style);
  std::string rest = "  " + drawn.card->model;
  if (const std::string wall = wall_text(drawn); !wall.empty()) rest += "  " + wall;
  const std::string right = stranded_text(drawn, plan);
  const int spare = width - display_width(place) - display_width(rest) - display_width(right);
  const std::string head = inked(place, Ink::bold, style) + rest;
  if (spare >= 2) return head + repeated(" ", spare) + right + '\n';
  if (display_width(place) + display_width(rest) <= width) return head + "\n  " + right + '\n';
  return inked(place, Ink::bold, style) + "\n" + rest + "\n  " + right + '\n';
}

// -------------------------------------------------------------------------------------------------------------- free

// A run of slices that no partition holds.
std::vector<Placement> free_runs(const CardClass& card, int slices) {
  std::vector<Placement> runs;
  int at = 0;
  for (const Partition& partition : card.partitions) {
    if (!partition.placement) continue;
    if (partition.placement->start > at) runs.push_back({at, partition.placement->start - at});
    at = std::max(at, partition.placement->start + partition.placement->size);
  }
  if (at < slices) runs.push_back({at, slices - at});
  return runs;
}

// The layout of the card as one of its geometry; nothing if a partition is at no place of it.
std::optional<Layout> layout_of(const Drawn& drawn, const Geometry& geometry) {
  Layout layout = 0;
  for (const Partition& partition : drawn.card->partitions) {
    const auto& places = geometry.places();
    const auto at = std::find_if(places.begin(), places.end(), [&](const PlacedProfile& place) {
      return drawn.model->profiles[static_cast<std::size_t>(place.profile)].name == partition.profile &&
             partition.placement == place.placement;
    });
    if (at == places.end()) return std::nullopt;
    layout |= Layout{1} << (at - places.begin());
  }
  return layout;
}

// The largest profile that a run of free slices still takes: "2g.20gb fits", "nothing fits" (as when the compute slices
// are used up), or nothing to say if the layout is none that carve knows.
std::string room_in(Placement run, const Drawn& drawn) {
  if (drawn.model == nullptr || !drawn.model->can_be_cut()) return "";
  const Geometry geometry(*drawn.model, plain_profiles(*drawn.model));
  const std::optional<Layout> layout = layout_of(drawn, geometry);
  if (!layout) return "";
  const Profile* largest = nullptr;
  for (int i = 0; i < std::ssize(geometry.places()); ++i) {
    const PlacedProfile& place = geometry.places()[static_cast<std::size_t>(i)];
    const bool inside =
        place.placement.start >= run.start && place.placement.start + place.placement.size <= run.start + run.size;
    const Profile& profile = drawn.model->profiles[static_cast<std::size_t>(place.profile)];
    const auto size = [](const Profile& p) { return std::pair(p.memory_slices, p.compute_slices); };
    if (inside && geometry.can_add(*layout, i) && (largest == nullptr || size(profile) > size(*largest)))
      largest = &profile;
  }
  return (largest == nullptr ? "nothing" : largest->name) + " fits";
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
  for (const Partition& partition : drawn.card->partitions) {
    const Placement placement = partition.placement.value_or(Placement{0, scale.slices});
    const int width = text_width(placement.size * scale.cell - 1);
    boxes.push_back({placement, title_of(partition), contents(partition, plan, numbering_of(drawn), width, style)});
  }
  if (!drawn.card->mig) return boxes;
  for (const Placement run : free_runs(*drawn.card, scale.slices)) {
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
  return canvas.render(style, indent) + (drawn.card->mig ? axis(scale) : "");
}

// -------------------------------------------------------------------------------------------------------------- list

std::string list(const Drawn& drawn, const Plan& plan, int slices, const Style& style) {
  struct Row {
    int start;
    std::string text;
  };
  std::vector<Row> rows;
  const int inner = style.width - indent - 2;
  const auto range = [](Placement p) {
    return p.size == 1 ? fmt::format("slice {}", p.start) : fmt::format("slices {}-{}", p.start, p.start + p.size - 1);
  };
  for (const Partition& partition : drawn.card->partitions) {
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
  if (drawn.card->mig)
    for (const Placement run : free_runs(*drawn.card, slices))
      rows.push_back({run.start, fmt::format("  free  {}: {}\n", range(run), room_in(run, drawn))});
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.start < b.start; });
  std::string result;
  for (const Row& row : rows) result += row.text;
  return result;
}

// -------------------------------------------------------------------------------------------------------------- card

std::string card(const Drawn& drawn, const Plan& plan, const Style& style) {
  constexpr int plain_slices = 8;  // a card that is not cut is as wide as one that is
  int slices = plain_slices;
  if (drawn.card->mig && drawn.model != nullptr && drawn.model->memory_slices) slices = *drawn.model->memory_slices;
  int narrowest = slices;
  for (const Partition& partition : drawn.card->partitions)
    if (partition.placement) narrowest = std::min(narrowest, partition.placement->size);
  const Scale scale{slices, (style.width - indent - 1) / slices};
  if (narrowest * scale.cell - 1 < readable)
    return header(drawn, plan, style.width, style) + list(drawn, plan, slices, style);
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
