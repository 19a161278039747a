// The catalog as values: the rows of the generated table, read once, when somebody asks for them.
#include <algorithm>

#include "card/card.h"
#include "card/catalog_table.h"

namespace carve {

namespace {

std::optional<int> figure(std::int32_t value) { return value == no_figure ? std::nullopt : std::optional<int>(value); }
std::optional<Mib> mebibytes(std::int32_t value) {
  return value == no_figure ? std::nullopt : std::optional<Mib>(Mib{value});
}

Evidence evidence_of(RowEvidence evidence) {
  switch (evidence) {
    case RowEvidence::observed:
      return Evidence::observed;
    case RowEvidence::inferred:
      return Evidence::inferred;
    case RowEvidence::unknown:
      break;
  }
  return Evidence::unknown;
}

// Adds the keys that are not there yet.
void add_sources(std::vector<std::string>& keys, std::span<const std::string_view> more) {
  for (const std::string_view key : more) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.emplace_back(key);
  }
}

Profile profile_of(const ProfileRow& row) {
  Profile profile;
  profile.name = row.name;
  profile.nvml_enum = figure(row.nvml_enum);
  profile.id = figure(row.id);
  profile.compute_slices = row.compute_slices;
  profile.memory_slices = figure(row.memory_slices);
  profile.memory = mebibytes(row.memory_mib);
  profile.sms = figure(row.sms);
  profile.max_instances = row.max_instances;
  profile.engines = {.copy = figure(row.copy_engines),
                     .decoder = figure(row.decoders),
                     .encoder = figure(row.encoders),
                     .jpeg = figure(row.jpeg_engines),
                     .ofa = figure(row.ofa_engines)};
  for (const std::int32_t start : row.placement_starts) profile.placements.push_back({start, row.placement_size});
  profile.placement_evidence = evidence_of(row.placement_evidence);
  add_sources(profile.sources, row.figures_from.sources);
  add_sources(profile.sources, row.placements_from.sources);
  profile.note = row.note;
  return profile;
}

CardModel model_of(const ModelRow& row) {
  CardModel model;
  model.id = row.id;
  model.products.assign(row.products.begin(), row.products.end());
  model.architecture = row.architecture;
  model.chip = row.chip;
  model.compute_capability = row.compute_capability;
  model.nominal_memory_gb = figure(row.nominal_gb);
  model.total_memory = mebibytes(row.total_mib);
  model.compute_slices = row.compute_slices;
  model.memory_slices = figure(row.memory_slices);
  model.sms = figure(row.sms);
  model.max_instances = row.max_instances;
  model.mode_change_needs_reset = row.mode_change == ModeChange::needs_reset;
  add_sources(model.sources, row.board_from.sources);
  add_sources(model.sources, row.total_from.sources);
  add_sources(model.sources, row.sms_from.sources);
  add_sources(model.sources, row.enum_sources);
  model.notes.assign(row.notes.begin(), row.notes.end());
  if (!row.total_note.empty()) model.notes.insert(model.notes.begin(), "total memory: " + std::string(row.total_note));
  for (const ProfileRow& profile : row.profiles) model.profiles.push_back(profile_of(profile));
  return model;
}

}  // namespace

const std::vector<CardModel>& catalog() {
  static const std::vector<CardModel> models = [] {
    std::vector<CardModel> all;
    for (const ModelRow& row : catalog_rows()) all.push_back(model_of(row));
    return all;
  }();
  return models;
}

const std::vector<CatalogSource>& catalog_sources() {
  static const std::vector<CatalogSource> sources = [] {
    std::vector<CatalogSource> all;
    for (const SourceRow& row : catalog_source_rows()) all.push_back({std::string(row.key), std::string(row.citation)});
    return all;
  }();
  return sources;
}

bool CardModel::can_be_cut() const {
  if (!has_mig() || !memory_slices) return false;
  return std::all_of(profiles.begin(), profiles.end(), [](const Profile& profile) {
    return !profile.attribute().empty() || !profile.placements.empty();
  });
}

const Profile* CardModel::find_profile(std::string_view name) const {
  const auto found = std::find_if(profiles.begin(), profiles.end(), [&](const Profile& p) { return p.name == name; });
  return found == profiles.end() ? nullptr : &*found;
}

}  // namespace carve
