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
constexpr const char* not_meant = "-";

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

// "memory of 3 profiles": of those without an attribute, which are what carve cuts with.
std::string missing_in_profiles(const CardModel& model, std::string_view what, bool (*lacks)(const Profile&)) {
  const std::vector<int> plain = plain_profiles(model);
  const auto count = std::count_if(plain.begin(), plain.end(),
                                   [&](int i) { return lacks(model.profiles[static_cast<std::size_t>(i)]); });
  if (count == 0) return "";
  const bool all = count == static_cast<std::ptrdiff_t>(plain.size());
  return all ? fmt::format("{} of profiles", what) : fmt::format("{} of {}", what, counted(count, "profile"));
}

std::string not_known(const CardModel& model) {
  std::vector<std::string> parts;
  if (!model.total_memory) parts.emplace_back("total memory");
  if (!model.sms) parts.emplace_back("SMs");
  if (model.has_mig() && !model.can_be_cut()) parts.emplace_back("placements");
  for (const auto& part : {missing_in_profiles(model, "memory", [](const Profile& p) { return !p.memory.has_value(); }),
                           missing_in_profiles(model, "SMs", [](const Profile& p) { return !p.sms.has_value(); }),
                           missing_in_profiles(model, "id", [](const Profile& p) { return !p.id.has_value(); })}) {
    if (!part.empty()) parts.push_back(part);
  }
  return fmt::format("{}", fmt::join(parts, ", "));
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
               {"architecture", Align::left, 2},
               {"memory", Align::right},
               {"SMs", Align::right},
               {"slices", Align::right},
               {"grid", Align::right, 3},
               {"placements", Align::left, 3},
               {"layouts", Align::right, 1},
               {"not known", Align::left}});
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
               not_known(model)});
  }
  return inked("Cards with MIG", Ink::bold, style) + '\n' + table.render(style, 2);
}

std::string cards_without_mig(const Style& style) {
  Table table({{"card"},
               {"architecture", Align::left, 2},
               {"memory", Align::right},
               {"SMs", Align::right},
               {"product", Align::left, 1},
               {"not known", Align::left}});
  for (const CardModel& model : catalog()) {
    if (model.has_mig()) continue;
    table.add({{model.id, Ink::bold},
               model.architecture,
               total_memory(model),
               figure(model.sms),
               model.products.front(),
               not_known(model)});
  }
  return heading("Cards without MIG: whole, by MPS, or by time slicing", style) + table.render(style, 2);
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

// "0    1    2 ...": a number at the begin of each unit.
std::string ruler(int units, int unit_width) {
  std::string text;
  for (int unit = 0; unit < units; ++unit) text += fmt::format("{:<{}}", unit, unit_width);
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string placements_grid(const CardModel& model, const Style& style) {
  const int units = *model.memory_slices;
  std::size_t name_width = 0;
  for (const Profile& profile : model.profiles) name_width = std::max(name_width, profile.name.size());
  const int left = static_cast<int>(name_width) + 4;
  const int unit_width = std::clamp((std::min(style.width, 100) - left - 10) / units, 3, 56 / units);
  std::string text = repeated(" ", left) + inked(ruler(units, unit_width), Ink::dim, style) + '\n';
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
         "inferred: the grid of a relative whose driver tables are the same; nobody has published "
         "this card's");
  return text;
}

// ---------------------------------------------------------------------------------------------------------- profiles

// Of all instances of a profile that fit on one card together, as it loses SMs by being cut.
std::string profiles_section(const CardModel& model, const Style& style) {
  Table table({{"profile"},
               {"id", Align::right},
               {"enum", Align::right, 3},
               {"compute", Align::right},
               {"memory", Align::right},
               {"GiB", Align::right},
               {"SMs", Align::right},
               {"of card", Align::right},
               {"max", Align::right},
               {"copy", Align::right, 2},
               {"dec", Align::right, 1},
               {"enc", Align::right, 1},
               {"jpeg", Align::right, 2},
               {"ofa", Align::right, 2}});
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
  if (model.nominal_memory_gb) nominal = fmt::format("{} GB on the box", *model.nominal_memory_gb);
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
  text +=
      paragraph("",
                "? means that no public source has the figure. Memory is what the driver reports. `carve cards CARD` "
                "shows one card with its profiles, where they may lie, and the sources.",
                style);
  return text;
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
