// `carve cards`: the list of all models, and the page of one: its figures, its profiles, and where each profile may lie
// on the memory grid. A figure that no public source has is a "?"; it is never left out and never guessed.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "card/card.h"
#include "show/table.h"

namespace carve {

namespace {

constexpr const char* no_figure = "?";

Text figure(std::optional<int> value) { return value ? Text(fmt::format("{}", *value)) : Text(no_figure, Ink::dim); }

// Two decimals, as `nvidia-smi mig -lgip` prints it.
Text gib_shown(std::optional<Mib> memory) {
  if (!memory) return {no_figure, Ink::dim};
  return {fmt::format("{:.2f}", static_cast<double>(memory->value) / 1024)};
}

std::optional<Permille> share_of_card(const Profile& profile, const CardModel& model) {
  if (!profile.sms || !model.sms) return std::nullopt;
  return Permille{(2000 * std::int64_t{*profile.sms} + *model.sms) / (2 * std::int64_t{*model.sms})};
}

std::string heading(std::string_view words, const Style& style) { return '\n' + inked(words, Ink::bold, style) + '\n'; }

// ------------------------------------------------------------------------------------------------------------- list

std::string placements_word(const CardModel& model) {
  if (!model.can_be_cut()) return no_figure;
  const bool inferred = std::any_of(model.profiles.begin(), model.profiles.end(), [](const Profile& profile) {
    return profile.attribute().empty() && profile.placement_evidence == Evidence::inferred;
  });
  return inferred ? "inferred" : "observed";
}

// Whether memory and SMs of the profiles without an attribute, which are what carve cuts with, are known.
std::string profile_figures(const CardModel& model) {
  const std::vector<int> plain = plain_profiles(model);
  const auto known = std::count_if(plain.begin(), plain.end(), [&](int i) {
    const Profile& profile = model.profiles[static_cast<std::size_t>(i)];
    return profile.memory && profile.sms;
  });
  const auto all = static_cast<std::ptrdiff_t>(plain.size());
  return known == all ? fmt::format("all {}", all) : fmt::format("{} of {}", known, all);
}

std::string layouts_of(const CardModel& model) {
  if (!model.can_be_cut()) return no_figure;
  return fmt::format("{}", Geometry(model, plain_profiles(model)).layouts().size());
}

Text total_memory(const CardModel& model) {
  return model.total_memory ? Text(to_string(*model.total_memory)) : Text(no_figure, Ink::dim);
}

std::string cards_with_mig(const Style& style) {
  Table table({{"card"},
               {"architecture", Align::left, 5},
               {"memory", Align::right},
               {"SMs", Align::right},
               {"compute", Align::right, 3},
               {"grid", Align::right, 4},
               {"placements", Align::left, 1},
               {"layouts", Align::right, 1},
               {"known", Align::left, 2}});
  for (const CardModel& model : catalog()) {
    if (!model.has_mig()) continue;
    table.add({{model.id, Ink::bold},
               model.architecture,
               total_memory(model),
               figure(model.sms),
               fmt::format("{}", model.compute_slices),
               figure(model.memory_slices),
               placements_word(model),
               layouts_of(model),
               profile_figures(model)});
  }
  return inked("Cards with MIG", Ink::bold, style) + '\n' + table.render(style, 2);
}

std::string cards_without_mig(const Style& style) {
  Table table({{"card"},
               {"architecture", Align::left, 2},
               {"memory", Align::right},
               {"SMs", Align::right},
               {"product", Align::left, 1}});
  for (const CardModel& model : catalog()) {
    if (model.has_mig()) continue;
    table.add(
        {{model.id, Ink::bold}, model.architecture, total_memory(model), figure(model.sms), model.products.front()});
  }
  return heading("Cards without MIG", style) + table.render(style, 2);
}

// ------------------------------------------------------------------------------------------------------------- grid

// What a bar is made of.
struct Bar {
  std::string_view left, fill, right;
};
Bar bar_of(Evidence evidence, const Style& style) {
  const bool observed = evidence == Evidence::observed;
  if (!style.unicode) return observed ? Bar{"[", "=", "]"} : Bar{"[", "-", "]"};
  return observed ? Bar{"├", "─", "┤"} : Bar{"├", "╌", "┤"};
}

// The placements in as few rows as hold them without overlap.
std::vector<std::vector<Placement>> in_rows(const std::vector<Placement>& placements) {
  std::vector<std::vector<Placement>> rows;
  for (const Placement& placement : placements) {
    const auto free = std::find_if(rows.begin(), rows.end(), [&](const std::vector<Placement>& row) {
      return row.back().start + row.back().size <= placement.start;
    });
    if (free == rows.end()) {
      rows.push_back({placement});
    } else {
      free->push_back(placement);
    }
  }
  return rows;
}

std::string bars(const std::vector<Placement>& row, int unit_width, Bar bar) {
  std::string text;
  int column = 0;
  for (const Placement& placement : row) {
    const int begin = placement.start * unit_width;
    text += repeated(" ", begin - column);
    text += fmt::format("{}{}{}", bar.left, repeated(bar.fill, placement.size * unit_width - 2), bar.right);
    column = begin + placement.size * unit_width;
  }
  return text;
}

// "0    1    2 ...": numbers at the begin of units, of as many as there is room for.
std::string ruler(int units, int unit_width) {
  constexpr int number_width = 3;
  const int step = (number_width + unit_width - 1) / unit_width;
  std::string text;
  for (int unit = 0; unit < units; unit += step) text += fmt::format("{:<{}}", unit, unit_width * step);
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

// As wide as there is room for, but not so wide that the eye loses the line; a bar needs two columns.
int unit_width_of(const CardModel& model, int room) {
  constexpr int widest_grid = 56;
  int smallest = *model.memory_slices;
  for (const Profile& profile : model.profiles) {
    for (const Placement& placement : profile.placements) smallest = std::min(smallest, placement.size);
  }
  const int units = *model.memory_slices;
  return std::max(std::min(room, widest_grid) / units, smallest > 1 ? 1 : 2);
}

std::string placements_grid(const CardModel& model, const Style& style) {
  std::size_t name_width = 0;
  for (const Profile& profile : model.profiles) name_width = std::max(name_width, profile.name.size());
  const int left = static_cast<int>(name_width) + 4;
  const int unit_width = unit_width_of(model, style.width - left);
  std::string text = repeated(" ", left) + inked(ruler(*model.memory_slices, unit_width), Ink::dim, style) + '\n';
  for (const Profile& profile : model.profiles) {
    std::string name = fitted(profile.name, static_cast<int>(name_width), Align::left, style);
    const bool known = profile.placement_evidence != Evidence::unknown;
    if (!known) text += fmt::format("  {}  {}\n", name, no_figure);
    for (const std::vector<Placement>& row : in_rows(profile.placements)) {
      const std::string drawn = bars(row, unit_width, bar_of(profile.placement_evidence, style));
      text += fmt::format("  {}  {}\n", name, inked(drawn, Ink::cyan, style));
      name.assign(name.size(), ' ');
    }
  }
  return text;
}

bool any_placement(const CardModel& model, Evidence evidence) {
  return std::any_of(model.profiles.begin(), model.profiles.end(),
                     [&](const Profile& profile) { return profile.placement_evidence == evidence; });
}

std::string placements_section(const CardModel& model, const Style& style) {
  std::string text = heading("Where they may lie on the memory grid", style);
  if (!model.memory_slices) {
    return text + paragraph("  ",
                            "No public source has this card's grid or the placements of its profiles, so carve "
                            "plans no MIG partitions on it. On a live card the driver tells.",
                            style);
  }
  text += placements_grid(model, style);
  const auto legend = [&](Evidence evidence, std::string_view words) {
    const Bar bar = bar_of(evidence, style);
    if (any_placement(model, evidence)) {
      text += paragraph(fmt::format("  {}{}{}{} ", bar.left, bar.fill, bar.fill, bar.right), words, style);
    }
  };
  text += '\n';
  legend(Evidence::observed, "observed: printed by a driver");
  legend(Evidence::inferred,
         "inferred from a relative with the same tables in the driver; no public listing shows them");
  return text;
}

// ---------------------------------------------------------------------------------------------------------- profiles

std::string profiles_section(const CardModel& model, const Style& style) {
  Table table({{"profile"},
               {"id", Align::right, 1},
               {"enum", Align::right, 7},
               {"compute", Align::right, 3},
               {"memory", Align::right, 2},
               {"GiB", Align::right},
               {"SMs", Align::right},
               {"of card", Align::right, 4},
               {"max", Align::right},
               {"copy", Align::right, 6},
               {"dec", Align::right, 5},
               {"enc", Align::right, 5},
               {"jpeg", Align::right, 6},
               {"ofa", Align::right, 6}});
  for (const Profile& profile : model.profiles) {
    const auto share = share_of_card(profile, model);
    const auto of = [](const Text& part, const Text& whole) { return Text(part.text + '/' + whole.text, part.ink); };
    table.add({{profile.name, Ink::bold},
               figure(profile.id),
               figure(profile.nvml_enum),
               of(figure(profile.compute_slices), figure(model.compute_slices)),
               of(figure(profile.memory_slices), figure(model.memory_slices)),
               gib_shown(profile.memory),
               figure(profile.sms),
               share ? Text(to_string(*share)) : Text(no_figure, Ink::dim),
               fmt::format("{}", profile.max_instances),
               figure(profile.engines.copy),
               figure(profile.engines.decoder),
               figure(profile.engines.encoder),
               figure(profile.engines.jpeg),
               figure(profile.engines.ofa)});
  }
  return heading("Profiles", style) + table.render(style, 2);
}

// ------------------------------------------------------------------------------------------------------------- page

// "memory      79.6 GiB ..."
std::string fact(std::string_view name, std::string_view text, const Style& style) {
  return paragraph(fmt::format("  {:<13}", name), text, style);
}

std::string memory_fact(const CardModel& model) {
  std::string nominal;
  if (model.nominal_memory_gb) nominal = fmt::format("sold as {} GB", *model.nominal_memory_gb);
  if (!model.total_memory) {
    return fmt::format("{}{}", no_figure, nominal.empty() ? "" : "; " + nominal);
  }
  return fmt::format("{} ({} MiB) as the driver reports it{}", to_string(*model.total_memory),
                     model.total_memory->value, nominal.empty() ? "" : "; " + nominal);
}

// What cutting costs: SMs that not even the largest profile has.
std::string sms_fact(const CardModel& model) {
  if (!model.sms) return no_figure;
  std::string text = fmt::format("{}", *model.sms);
  if (!model.has_mig()) return text;
  const Profile& largest = model.profiles.back();
  if (!largest.sms || *largest.sms == *model.sms) return text;
  return fmt::format("{}; with MIG {} has {}, the other {} are lost", text, largest.name, *largest.sms,
                     *model.sms - *largest.sms);
}

std::string layouts_fact(const CardModel& model) {
  const Geometry geometry(model, plain_profiles(model));
  return fmt::format(
      "{} layouts of the profiles without an attribute, the empty one included; {} sets of instances, {} of "
      "them in no other",
      geometry.layouts().size(), geometry.multisets().size(), geometry.largest_multisets().size());
}

std::string facts(const CardModel& model, const Style& style) {
  const std::string capability = model.compute_capability.empty() ? no_figure : model.compute_capability;
  const std::string chip = model.chip.empty() ? no_figure : model.chip;
  std::string text = fact("products", fmt::format("{}", fmt::join(model.products, ", ")), style);
  text += fact("architecture", fmt::format("{}, chip {}, compute capability {}", model.architecture, chip, capability),
               style);
  text += fact("memory", memory_fact(model), style);
  text += fact("SMs", sms_fact(model), style);
  if (!model.has_mig()) {
    return text + fact("MIG", "no; it is shared by MPS or time slicing, or not at all", style);
  }
  text += fact("MIG",
               fmt::format("{} compute slices, {} memory slices, at most {}", model.compute_slices,
                           figure(model.memory_slices).text, counted(model.max_instances, "instance")),
               style);
  text += fact("mode change", model.mode_change_needs_reset ? "needs a reset of the card" : "without a reset", style);
  if (model.can_be_cut()) text += fact("layouts", layouts_fact(model), style);
  return text;
}

std::string notes_section(const CardModel& model, const Style& style) {
  std::string text;
  for (const std::string& note : model.notes) text += paragraph("  - ", note, style);
  for (const Profile& profile : model.profiles) {
    if (!profile.note.empty()) text += paragraph("  - ", profile.name + ": " + profile.note, style);
  }
  return text.empty() ? text : heading("Notes", style) + text;
}

std::string sources_section(const CardModel& model, const Style& style) {
  std::vector<std::string> keys = model.sources;
  for (const Profile& profile : model.profiles) {
    for (const std::string& key : profile.sources) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
  }
  std::string text = heading("Sources", style);
  for (const CatalogSource& source : catalog_sources()) {
    const bool cited = std::find(keys.begin(), keys.end(), source.key) != keys.end();
    if (cited) text += paragraph("  - ", source.citation, style);
  }
  return text;
}

std::string legend_line(std::string_view page, const Style& style) {
  const bool used = page.find(no_figure) != std::string_view::npos;
  return used ? paragraph("", "? means that no public source has the figure.", style) : "";
}

}  // namespace

std::string card_list(const Style& style) {
  std::string text = cards_with_mig(style) + cards_without_mig(style) + '\n';
  const std::pair<std::string_view, std::string_view> titles[] = {
      {"memory", "of the whole card, as the driver reports it"},
      {"compute", "compute slices"},
      {"grid", "memory slices, the units of the placement grid"},
      {"placements",
       "whether a driver printed them or they are those of a relative with the same tables in the driver"},
      {"layouts", "ways to place the profiles without an attribute, the empty one included"},
      {"known", "of how many of these profiles memory and SMs are known"},
      {"?", "no public source has the figure"}};
  const std::string tables = text;
  for (const auto& [title, meaning] : titles) {
    const bool shown = tables.find(title) != std::string::npos;  // a narrow terminal has fewer columns
    if (shown) text += paragraph(fmt::format("  {:<12}", title), meaning, style);
  }
  return text + '\n' +
         paragraph("", "`carve cards CARD` shows one card: its profiles, where they may lie, the sources.", style);
}

std::string card_page(const ModelMatch& match, const Style& style) {
  const CardModel& model = *match.model;
  std::string text = inked(model.id, Ink::bold, style) + '\n';
  if (!match.also_fit.empty()) {
    text += paragraph(
        "  ", fmt::format("The name also fits {}; it means the SXM board.", fmt::join(match.also_fit, ", ")), style);
  }
  text += facts(model, style);
  if (model.has_mig()) text += profiles_section(model, style) + placements_section(model, style);
  const std::string legend = legend_line(text, style);
  text += notes_section(model, style);
  if (!legend.empty()) text += '\n' + legend;
  return text + sources_section(model, style);
}

}  // namespace carve
