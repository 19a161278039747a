// Cards to scale. A card is a grid of as many equal tracks as it has memory slices; a partition lies on the tracks of
// its placement (classes s0.. and n1..; page.css turns them into columns, on a narrow screen into rows). A partition is
// a button that opens what is said of its kind; that needs no script.
#include <algorithm>

#include "show/page/sections.h"

namespace carve {

namespace {

constexpr std::size_t shares_per_slice = 2;  // more are folded into "+n more"; the kind lists all of them
constexpr std::size_t least_shares = 3;
constexpr std::size_t many = 40;  // drawings; of more a browser lays out only those that are seen

Placement placement_of(const Partition& partition, int slices) {
  return partition.placement.value_or(Placement{0, slices});
}

// ------------------------------------------------------------------------------------------------------------ memory

// Bars that the boxes use: one for each kind. Used memory to scale, replica by replica; what is left of a bar is
// stranded.
Markup bars(const Plan& plan, const Atlas& atlas) {
  Markup symbols;
  for (std::size_t i = 0; i < atlas.kinds.size(); ++i) {
    const Partition& partition = *atlas.kinds[i].partition;
    if (!memory_known(partition, plan)) continue;
    symbols.put("<symbol id=\"b{}\" viewBox=\"0 0 1000 1\" preserveAspectRatio=\"none\"><path d=\"{}\"/></symbol>\n", i,
                bar_path(partition));
  }
  return Markup().put("<svg class=\"bars\" aria-hidden=\"true\">{}</svg>\n", symbols);
}

// Nothing is filled in where the use is not known.
Markup bar(const Partition& partition, std::size_t kind, const Plan& plan) {
  if (!memory_known(partition, plan)) return Markup().put("<i class=\"b u\"></i>");
  return Markup().put("<svg class=\"b\"><use href=\"#b{}\"/></svg>", kind);
}

// --------------------------------------------------------------------------------------------------------- partition

Markup share_lines(const Partition& partition, Numbering numbering, int slices) {
  const std::size_t most =
      std::max(least_shares, shares_per_slice * static_cast<std::size_t>(placement_of(partition, slices).size));
  const std::size_t shown = partition.shares.size() > most ? most - 1 : partition.shares.size();
  Markup lines;
  for (std::size_t i = 0; i < shown; ++i) {
    const Share& share = partition.shares[i];
    lines.put("<span>{}</span>", named(share, numbering));
    if (const auto details = details_of(share, "processes"); !details.empty())
      lines.put("<em>{}</em>", fmt::format("{}", fmt::join(details, ", ")));
  }
  if (shown < partition.shares.size()) lines.put("<em>+{} more</em>", partition.shares.size() - shown);
  return lines;
}

Markup brief_text(const Partition& partition, Numbering numbering) {
  if (partition.shares.empty()) return Markup().put("unused");
  Markup text;
  text.put("{}", named(partition.shares.front(), numbering));
  if (partition.shares.size() > 1) text.put(" +{}", partition.shares.size() - 1);
  return text;
}

Markup full_text(const Partition& partition, Numbering numbering, int slices) {
  if (partition.shares.empty()) return Markup().put("<span>unused</span>");
  const Share& first = partition.shares.front();
  return Markup().put("<i>{} · {}</i>{}", look_of(partition.mechanism).word,
                      first.tenant_each ? "tenant each" : first.tenant, share_lines(partition, numbering, slices));
}

// "1 warning" where a finding is about this place; the finding links back to it.
Markup badge(const Mark& mark, const Atlas& atlas) {
  Markup result;
  const auto found = atlas.findings.find(mark);
  if (found == atlas.findings.end()) return result;
  const Severity worst =
      (*std::min_element(found->second.begin(), found->second.end(), [](const Finding* a, const Finding* b) {
        return a->severity < b->severity;
      }))->severity;
  const auto count = std::count_if(found->second.begin(), found->second.end(),
                                   [&](const Finding* finding) { return finding->severity == worst; });
  return result.put("<u class=\"{}\">{}</u>", to_string(worst), counted(count, std::string(to_string(worst))));
}

Markup partition_box(const Partition& partition, const Mark& mark, const Plan& plan, const Atlas& atlas) {
  const Drawn& drawn = atlas.drawn[mark.card];
  const int slices = grid_slices(drawn);
  const Placement placement = placement_of(partition, slices);
  const bool full = detail_of(atlas) == Detail::full;
  const Numbering numbering = numbering_of(drawn);
  Markup id, figures;
  if (full) figures.put("<small>{}</small>", memory_text(partition, plan));
  if (atlas.findings.contains(mark) && drawn.card().mig) id.put(" id=\"{}\"", id_of(mark, drawn));
  const std::size_t kind = atlas.kind_of[mark.card][static_cast<std::size_t>(mark.partition)];
  return Markup().put("<button class=\"p {} s{} n{}\" popovertarget=\"k{}\"{}><b>{}</b>{}{}{}{}</button>",
                      partition.shares.empty() ? "e" : look_of(partition.mechanism).css, placement.start,
                      placement.size, kind, id, title_of(partition),
                      full ? full_text(partition, numbering, slices) : brief_text(partition, numbering),
                      badge(mark, atlas), bar(partition, kind, plan), figures);
}

Markup free_box(Placement run, const Drawn& drawn) {
  return Markup().put("<div class=\"p f s{} n{}\"><b>free</b><em>{}</em></div>", run.start, run.size,
                      room_in(run, drawn));
}

// Partitions and what is free, in the order of their places, so that a keyboard walks along the card.
Markup grid(std::size_t number, const Plan& plan, const Atlas& atlas) {
  struct Box {
    int start;
    Markup markup;
  };
  const Drawn& drawn = atlas.drawn[number];
  std::vector<Box> boxes;
  for (int i = 0; i < std::ssize(drawn.card().partitions); ++i) {
    const Partition& partition = drawn.card().partitions[static_cast<std::size_t>(i)];
    boxes.push_back(
        {placement_of(partition, grid_slices(drawn)).start, partition_box(partition, {number, i}, plan, atlas)});
  }
  for (const Placement run : free_runs(drawn)) boxes.push_back({run.start, free_box(run, drawn)});
  std::stable_sort(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.start < b.start; });
  Markup inside;
  for (const Box& box : boxes) inside.put("{}\n", box.markup);
  return Markup().put("<div class=\"g g{}{}\">\n{}</div>", grid_slices(drawn), drawn.card().mig ? "" : " whole",
                      inside);
}

// -------------------------------------------------------------------------------------------------------------- card

struct Run {
  std::int64_t first, last;
};

// Sorted numbers as runs: "0–3, 7".
std::string runs_text(std::vector<Run> runs) {
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
  std::vector<Run> merged;
  for (const Run& run : runs) {
    if (!merged.empty() && run.first <= merged.back().last + 1)
      merged.back().last = std::max(merged.back().last, run.last);
    else
      merged.push_back(run);
  }
  std::vector<std::string> texts;
  for (const Run& run : merged)
    texts.push_back(run.first == run.last ? fmt::format("{}", run.first) : fmt::format("{}–{}", run.first, run.last));
  return fmt::format("{}", fmt::join(texts, ", "));
}

// All cards of a drawing, host by host, and all replicas on them.
Markup members(const Drawn& drawn) {
  std::map<std::string, std::vector<Run>> hosts, replicas;
  std::int64_t copies = 0;
  for (const Position& position : drawn.positions) hosts[position.node].push_back({position.index, position.index});
  for (const CardClass* cards : drawn.classes)
    for (const Partition& partition : cards->partitions)
      for (const Share& share : partition.shares) {
        replicas[share.workload].push_back({share.first, share.first + share.count * cards->count() - 1});
        copies = std::max(copies, share.count);
      }
  Markup result;
  if (replicas.empty() || (drawn.positions.size() == 1 && copies == 1)) return result;  // the boxes say it
  Markup lists;
  if (drawn.positions.size() > 1)
    for (const auto& [host, runs] : hosts) lists.put("<li>{}: cards {}</li>", host, runs_text(runs));
  for (const auto& [workload, runs] : replicas) lists.put("<li>{}: replicas {}</li>", workload, runs_text(runs));
  return result.put("<details class=\"who\"><summary>{}</summary><ul>{}</ul></details>",
                    drawn.positions.size() > 1 ? "which cards and replicas" : "which replicas", lists);
}

Markup card(std::size_t number, const Plan& plan, const Atlas& atlas) {
  const Drawn& drawn = atlas.drawn[number];
  const Style style;
  if (detail_of(atlas) == Detail::brief)
    return Markup().put("<article class=\"card\" id=\"c{}\"><header><h3>{}</h3><p>{}</p></header>\n{}</article>\n",
                        number, where(drawn, style), drawn.card().model, grid(number, plan, atlas));
  const std::string wall = wall_text(drawn);
  return Markup().put(
      "<article class=\"card\" id=\"c{}\"><header><h3>{}</h3><p>{}{}{} · {}</p>{}{}</header>\n{}</article>\n", number,
      where(drawn, style), drawn.card().model, wall.empty() ? "" : " · ", wall, stranded_text(drawn, plan),
      drawn.card().mig ? badge({number, -1}, atlas) : Markup(), members(drawn), grid(number, plan, atlas));
}

Markup legend(const Plan& plan) {
  const bool cut = std::any_of(plan.cards.begin(), plan.cards.end(), [](const CardClass& c) { return c.mig; });
  Markup items;
  for (const Mechanism mechanism : {Mechanism::exclusive, Mechanism::mps, Mechanism::time_slicing})
    items.put("<li><i class=\"k {}\"></i>{}</li>", look_of(mechanism).css, look_of(mechanism).word);
  items.put(
      "<li><i class=\"b used\"></i>memory in use</li><li><i class=\"b\"></i>stranded: nobody else can have it</li>");
  items.put("<li><i class=\"b u\"></i>use not known</li>");
  if (cut) items.put("<li><i class=\"k f\"></i>free</li>");
  return Markup().put("<ul class=\"legend\">{}</ul>\n", items);
}

}  // namespace

Markup cards_section(const Plan& plan, const Atlas& atlas) {
  Markup result;
  if (atlas.drawn.empty()) return result;
  Markup cards;
  for (std::size_t i = 0; i < atlas.drawn.size(); ++i) cards.put("{}", card(i, plan, atlas));
  const bool grouped = atlas.drawn.size() < static_cast<std::size_t>(plan.summary.cards_used);
  return result.put(
      "<section id=\"cards\"{}><h2>Cards</h2>\n<p class=\"lead\">Drawn to scale: a card is its memory, slice by "
      "slice.{} Select a partition for what it holds, why, and what was refused.</p>\n{}"
      "<form id=\"filter\" hidden=\"\"><label>Show cards with <input type=\"search\" autocomplete=\"off\" "
      "placeholder=\"workload, tenant, model, host\"/></label> <output></output></form>\n{}{}</section>\n",
      detail_of(atlas) == Detail::brief ? Markup().put(" class=\"many brief\"")
      : atlas.drawn.size() > many       ? Markup().put(" class=\"many\"")
                                        : Markup(),
      fmt::format("{}{}", grouped ? " Cards that look alike are drawn once." : "",
                  detail_of(atlas) == Detail::brief
                      ? " These are many, so a box names only what is first in it; +1 is one workload more."
                      : ""),
      legend(plan), bars(plan, atlas), cards);
}

}  // namespace carve
