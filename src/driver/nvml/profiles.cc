// The profiles of a card: by their enumerators from 0 on, until the driver says that there are no more. Those in
// between that this card does not have are skipped.
#include <algorithm>
#include <array>
#include <cstring>

#include "driver/nvml/read.h"

namespace carve {

namespace {

// What follows the memory in the name of a profile, for drivers that tell no names: by enumerator.
struct Attribute {
  int nvml_enum;
  std::string_view text;
};
constexpr std::array attributes{Attribute{7, "+me"},   Attribute{8, "+me"},      Attribute{10, "+gfx"},
                                Attribute{11, "+gfx"}, Attribute{12, "+gfx"},    Attribute{13, "-me"},
                                Attribute{14, "-me"},  Attribute{15, "+me.all"}, Attribute{16, "+me.all"},
                                Attribute{17, "+gfx"}};

std::string_view attribute_of(int nvml_enum) {
  const auto* found = std::find_if(attributes.begin(), attributes.end(),
                                   [&](const Attribute& row) { return row.nvml_enum == nvml_enum; });
  return found == attributes.end() ? std::string_view() : found->text;
}

LiveProfile profile_of(const NvmlProfileV2& told, int nvml_enum) {
  LiveProfile profile;
  profile.name = std::string(told.name, ::strnlen(told.name, sizeof told.name));
  if (profile.name.starts_with("MIG ")) profile.name.erase(0, 4);
  profile.id = told.id;
  profile.nvml_enum = nvml_enum;
  profile.compute_slices = static_cast<int>(told.slices);
  profile.max_instances = static_cast<int>(told.instances);
  profile.sms = static_cast<int>(told.sms);
  profile.memory = Mib{static_cast<std::int64_t>(told.memory_mib)};
  return profile;
}

// The first generation has no version and no name, and the others one member further on.
NvmlOutcome ask_for(const NvmlAsk& ask, unsigned nvml_enum, NvmlProfileV2& told) {
  told.version = nvml_version<NvmlProfileV2>(2);
  const NvmlOutcome outcome = ask.nvml.call(nvml_profile_v, ask.device, nvml_enum, &told);
  if (outcome.code != NvmlCode::function_not_found) return outcome;
  NvmlProfile first{};
  const NvmlOutcome older = ask.nvml.call(nvml_profile, ask.device, nvml_enum, &first);
  told = {0,          first.id,      first.p2p,     first.slices, first.instances, first.sms,
          first.copy, first.decoder, first.encoder, first.jpeg,   first.ofa,       first.memory_mib,
          {}};
  return older;
}

Reading<std::vector<Placement>> read_placements(const NvmlAsk& ask, std::uint32_t profile) {
  std::array<NvmlPlacement, nvml_most_rows> rows{};
  unsigned count = nvml_most_rows;
  const NvmlOutcome outcome =
      ask.nvml.call_either(nvml_placements_v2, nvml_placements, ask.device, profile, rows.data(), &count);
  if (!outcome.ok()) return ask.nvml.missing(outcome);
  std::vector<Placement> places;
  for (unsigned i = 0; i < std::min(count, nvml_most_rows); ++i)
    places.push_back({static_cast<int>(rows[i].start), static_cast<int>(rows[i].size)});
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace

Reading<std::vector<LiveProfile>> read_profiles(const NvmlAsk& ask, Reading<MemoryUse> total) {
  std::vector<LiveProfile> profiles;
  for (unsigned nvml_enum = 0; nvml_enum < nvml_most_rows; ++nvml_enum) {
    NvmlProfileV2 told{};
    const NvmlOutcome outcome = ask_for(ask, nvml_enum, told);
    if (outcome.code == NvmlCode::invalid_argument) break;
    if (outcome.code == NvmlCode::not_supported) continue;
    if (!outcome.ok()) return ask.nvml.missing(outcome);
    LiveProfile profile = profile_of(told, static_cast<int>(nvml_enum));
    if (profile.name.empty() && total)
      profile.name =
          profile_name(profile.compute_slices, profile.memory, total->total, attribute_of(profile.nvml_enum));
    if (profile.name.empty()) profile.name = fmt::format("profile {}", profile.id);
    profile.placements = read_placements(ask, profile.id);
    profiles.push_back(std::move(profile));
  }
  return profiles;
}

}  // namespace carve
