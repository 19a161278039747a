// The cards alone, as SVG that stands by itself: colours are written out for light and dark, and whatever does not fit
// is shortened, and cut at the edge of its box should a font be wider than expected. A box has its text as a title too.
#include <algorithm>

#include "show/page/sections.h"
#include "show/sentences.h"
#include "show/table.h"

namespace carve {

namespace {

constexpr int page_width = 960;
constexpr int margin = 20;
constexpr int header_height = 44;
constexpr int card_gap = 26;
constexpr int box_gap = 4;
constexpr int padding = 9;
constexpr int line_height = 16;
constexpr int first_line = 24;   // baseline of a box's title
constexpr int foot_height = 42;  // bar and figures
constexpr int bar_height = 10;
constexpr double letter_width = 6.7;  // of the text in a box, on the safe side
constexpr std::size_t most_shares = 5;

struct Area {
  int x = 0, y = 0, width = 0, height = 0;
};

int columns_in(int width) { return static_cast<int>((width - 2 * padding) / letter_width); }

// The text of a box: its title, lines below it, figures at its foot; and all of it in one sentence.
struct Words {
  std::string title;
  std::vector<std::string> lines;
  std::string figures;
};

Words words_of(const Partition& partition, const Plan& plan, Numbering numbering, int columns) {
  Words words{title_of(partition), {}, memory_text(partition, plan)};
  if (partition.shares.empty()) {
    words.lines.emplace_back("unused");
    return words;
  }
  const Share& first = partition.shares.front();
  const auto add = [&](const std::string& text) {
    for (std::string& line : wrapped(printable(text), columns)) words.lines.push_back(std::move(line));
  };
  add(fmt::format("{} · {}", look_of(partition.mechanism).word, first.tenant_each ? "tenant each" : first.tenant));
  const std::size_t shown = partition.shares.size() > most_shares ? most_shares - 1 : partition.shares.size();
  for (std::size_t i = 0; i < shown; ++i) {
    words.lines.push_back(named(partition.shares[i], numbering));
    if (const auto details = details_of(partition.shares[i], "processes"); !details.empty())
      add(fmt::format("{}", fmt::join(details, ", ")));
  }
  if (shown < partition.shares.size()) words.lines.push_back(fmt::format("+{} more", partition.shares.size() - shown));
  return words;
}

Markup text_lines(const Words& words, int width) {
  const Style style;
  const int columns = columns_in(width);
  Markup result;
  result.put("<text class=\"title\" x=\"{}\" y=\"{}\">{}</text>", padding, first_line,
             shortened(words.title, columns, style));
  int y = first_line;
  for (const std::string& line : words.lines)
    result.put("<text x=\"{}\" y=\"{}\">{}</text>", padding, y += line_height,
               shortened(printable(line), columns, style));
  return result;
}

Markup bar(const Partition& partition, const Plan& plan, const Area& area) {
  Markup place;
  place.put("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", padding, area.height - foot_height + 6,
            area.width - 2 * padding, bar_height);
  if (!memory_known(partition, plan)) return Markup().put("<rect class=\"unknown\" {}/>", place);
  return Markup().put(
      "<rect class=\"bar\" {}/><rect fill=\"url(#carve-stranded)\" {}/>"
      "<svg {} viewBox=\"0 0 1000 1\" preserveAspectRatio=\"none\"><path class=\"used\" d=\"{}\"/></svg>"
      "<rect class=\"frame\" {}/>",
      place, place, place, bar_path(partition), place);
}

// The upper edge says which mechanism it is: one line, two lines, or dashes.
Markup edge(Mechanism mechanism, int width) {
  switch (mechanism) {
    case Mechanism::exclusive:
      return Markup().put("<path class=\"edge\" d=\"M1 3h{}\"/>", width - 2);
    case Mechanism::mps:
      return Markup().put("<path class=\"edge double\" d=\"M1 1h{}M1 6h{}\"/>", width - 2, width - 2);
    case Mechanism::time_slicing:
      return Markup().put("<path class=\"edge dashed\" d=\"M1 3h{}\"/>", width - 2);
  }
  return {};
}

Markup framed(std::string_view css, const Area& area, const std::string& told, const Markup& inside) {
  return Markup().put(
      "<svg class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}</title>"
      "<rect class=\"box\" x=\"1\" y=\"1\" width=\"{}\" height=\"{}\" rx=\"4\"/>{}</svg>\n",
      css, area.x, area.y, area.width, area.height, told, area.width - 2, area.height - 2, inside);
}

Markup partition_box(const Partition& partition, const Plan& plan, const Words& words, const Area& area) {
  Markup inside;
  if (!partition.shares.empty()) inside.put("{}", edge(partition.mechanism, area.width));
  inside.put("{}{}<text x=\"{}\" y=\"{}\">{}</text>", text_lines(words, area.width), bar(partition, plan, area),
             padding, area.height - 10, words.figures);
  const std::string told = fmt::format("{}: {}; {}", words.title, fmt::join(words.lines, ", "), words.figures);
  return framed(partition.shares.empty() ? "e" : look_of(partition.mechanism).css, area, told, inside);
}

// -------------------------------------------------------------------------------------------------------------- card

// The part of the drawing's width that a placement takes; one beyond the grid stays within it.
Area area_of(Placement placement, int slices, int y, int height) {
  const int inner = page_width - 2 * margin;
  const int start = std::clamp(placement.start, 0, slices);
  const int end = std::clamp(placement.start + placement.size, start, slices);
  const int left = inner * start / slices;
  const int right = inner * end / slices;
  return {margin + left, y, std::max(2 * padding, right - left - box_gap), height};
}

struct Sheet {
  Markup markup;
  int y = margin;
};

void add_card(Sheet& sheet, const Drawn& drawn, const Plan& plan) {
  const int slices = grid_slices(drawn);
  std::vector<Words> words;
  std::size_t most = 3;
  for (const Partition& partition : drawn.card().partitions) {
    const int width = area_of(partition.placement.value_or(Placement{0, slices}), slices, 0, 0).width;
    words.push_back(words_of(partition, plan, numbering_of(drawn), columns_in(width)));
    most = std::max(most, words.back().lines.size());
  }
  const std::string wall = wall_text(drawn);
  sheet.markup.put(
      "<text class=\"where\" x=\"{}\" y=\"{}\">{}</text><text class=\"dim\" x=\"{}\" y=\"{}\">{}</text>\n", margin,
      sheet.y + 14, where(drawn, Style{}), margin, sheet.y + 33,
      fmt::format("{}{}{} · {}", drawn.card().model, wall.empty() ? "" : " · ", wall, stranded_text(drawn, plan)));
  const int height = first_line + line_height * static_cast<int>(most) + foot_height + 4;
  const int top = sheet.y + header_height;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Partition& partition = drawn.card().partitions[i];
    const Area area = area_of(partition.placement.value_or(Placement{0, slices}), slices, top, height);
    sheet.markup.put("{}", partition_box(partition, plan, words[i], area));
  }
  for (const Placement run : free_runs(drawn)) {
    const Area area = area_of(run, slices, top, height);
    const std::string room = room_in(run, drawn);
    const Markup inside = text_lines({"free", wrapped(room, columns_in(area.width)), ""}, area.width);
    sheet.markup.put("{}", framed("f dim", area, room.empty() ? "free" : "free: " + room, inside));
  }
  sheet.y = top + height + card_gap;
}

}  // namespace

std::string drawing_of(const Plan& plan, const std::vector<Violation>& violations) {
  Sheet sheet;
  for (const Drawn& drawn : alike(plan)) add_card(sheet, drawn, plan);
  std::string told = placed_sentence(plan);
  if (!violations.empty())
    told = fmt::format("this plan cannot be used: {}; {}", counted(std::ssize(violations), "broken rule"), told);
  if (!violations.empty() || plan.cards.empty()) {
    sheet.markup.put("<text class=\"where\" x=\"{}\" y=\"{}\">{}</text>\n", margin, sheet.y + 14, capitalised(told));
    sheet.y += header_height;
  }
  Markup drawing;
  drawing.put(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\" "
      "aria-labelledby=\"carve-title carve-told\">\n<title id=\"carve-title\">{}</title>\n"
      "<desc id=\"carve-told\">{}. Cards that look alike are drawn once.</desc>\n",
      page_width, sheet.y, page_width, sheet.y, capitalised(told), capitalised(bound_sentence(plan)));
  drawing.put("<style>").put(drawing_css).put("</style>\n");
  drawing.put(
      "<defs><pattern id=\"carve-stranded\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><path class=\"hatch\" d=\"M0 0v5\"/></pattern></defs>\n"
      "<rect class=\"paper\" width=\"{}\" height=\"{}\"/>\n{}</svg>\n",
      page_width, sheet.y, sheet.markup);
  return drawing.text();
}

}  // namespace carve
