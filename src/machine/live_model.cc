// The driver's figures as a model; the catalog adds what a driver does not tell (the SMs of a whole card, what a mode
// change takes). Whether the two agree is asked of all that packing and checking look at, and of nothing else: a
// profile with another id is still the same piece of the same card.
#include <algorithm>
#include <cctype>
#include <tuple>

#include <fmt/format.h>

#include "machine/machine.h"

namespace carve {

namespace {

Error unplannable(std::string why, std::string help) {
  return Error{Fault::environment, std::move(why), {}, std::move(help), {}};
}

// A product as a file may hold it: real ones are plain ASCII.
std::string plain(std::string_view text) {
  std::string result;
  for (const char c : text) result += c >= ' ' && c <= '~' ? c : '?';
  return result;
}

Profile profile_of(const LiveProfile& told) {
  Profile profile;
  profile.name = told.name;
  profile.nvml_enum = told.nvml_enum;
  profile.id = static_cast<int>(told.id);
  profile.compute_slices = told.compute_slices;
  profile.memory = told.memory;
  profile.sms = told.sms;
  profile.max_instances = told.max_instances;
  profile.sources = {"this driver"};
  if (!told.placements) return profile;
  profile.placements = *told.placements;
  int slices = 0;
  for (const Placement place : profile.placements) slices = std::max(slices, place.size);
  if (slices > 0) profile.memory_slices = slices;
  profile.placement_evidence = Evidence::observed;
  return profile;
}

// Profiles whose places the driver tells. A variant (+me, -me ...) without them is left out: nothing is planned with
// it.
Result<void> add_profiles(const std::vector<LiveProfile>& told, CardModel& model) {
  for (const LiveProfile& live : told) {
    Profile profile = profile_of(live);
    const bool plain = profile.attribute().empty();
    if (plain && !live.placements)
      return fail(unplannable(fmt::format("cannot be planned with: where {} may be placed: {}", live.name,
                                          live.placements.error().sentence),
                              live.placements.error().why == Absence::denied
                                  ? "ask as root: places are told to privileged users only"
                                  : ""));
    if (!profile.placements.empty()) model.profiles.push_back(std::move(profile));
  }
  std::stable_sort(model.profiles.begin(), model.profiles.end(), [](const Profile& a, const Profile& b) {
    return std::tuple(a.compute_slices, a.memory_slices, a.memory, a.nvml_enum) <
           std::tuple(b.compute_slices, b.memory_slices, b.memory, b.nvml_enum);
  });
  if (plain_profiles(model).empty())
    return fail(unplannable("cannot be planned with: it has MIG, and its driver tells no profile", ""));
  return {};
}

void set_grid(CardModel& model) {
  int slices = 0;
  for (const Profile& profile : model.profiles) {
    model.compute_slices = std::max(model.compute_slices, profile.compute_slices);
    model.max_instances = std::max(model.max_instances, profile.max_instances);
    for (const Placement place : profile.placements) slices = std::max(slices, place.start + place.size);
  }
  model.memory_slices = slices;
}

// ---------------------------------------------------------------------------------------------------- the catalog's

bool same_piece(const Profile& a, const Profile& b) {
  return std::tie(a.name, a.compute_slices, a.memory_slices, a.memory, a.sms, a.max_instances, a.placements) ==
         std::tie(b.name, b.compute_slices, b.memory_slices, b.memory, b.sms, b.max_instances, b.placements);
}

bool agree(const CardModel& told, const CardModel& row) {
  if (std::tie(told.total_memory, told.compute_slices, told.memory_slices, told.max_instances) !=
      std::tie(row.total_memory, row.compute_slices, row.memory_slices, row.max_instances))
    return false;
  const std::vector<int> of_told = plain_profiles(told);
  return of_told.size() == plain_profiles(row).size() && std::all_of(of_told.begin(), of_told.end(), [&](int index) {
           const Profile& profile = told.profiles[static_cast<std::size_t>(index)];
           const Profile* known = row.find_profile(profile.name);
           return known != nullptr && same_piece(profile, *known);
         });
}

// What was measured on the catalog's board was measured in pieces with as much compute.
bool measures_hold(const CardModel& told, const CardModel& row) {
  return std::all_of(told.profiles.begin(), told.profiles.end(), [&](const Profile& profile) {
    const Profile* known = row.find_profile(profile.name);
    return known == nullptr ||
           (known->compute_slices == profile.compute_slices && (!known->sms || known->sms == profile.sms));
  });
}

bool has_room_for_all(const std::optional<int>& sms, const CardModel& model) {
  return std::all_of(model.profiles.begin(), model.profiles.end(),
                     [&](const Profile& profile) { return profile.sms <= sms; });
}

// "NVIDIA H100 PCIe" as "h100-pcie".
std::string stem_of(std::string_view product) {
  constexpr std::size_t longest = 48;
  std::string stem;
  for (const char c : product) {
    const auto letter = static_cast<unsigned char>(c);
    if (letter < 0x80 && std::isalnum(letter) != 0)
      stem += static_cast<char>(std::tolower(letter));
    else if (!stem.empty() && stem.back() != '-')
      stem += '-';
  }
  if (stem.starts_with("nvidia-")) stem.erase(0, std::string_view("nvidia-").size());
  stem.resize(std::min(stem.size(), longest));
  while (stem.ends_with('-')) stem.pop_back();
  return stem.empty() ? "card" : stem;
}

void add_from_catalog(const CardModel& row, CardModel& model) {
  model.architecture = row.architecture;
  model.chip = row.chip;
  model.compute_capability = row.compute_capability;
  model.nominal_memory_gb = row.nominal_memory_gb;
  model.mode_change_needs_reset = row.mode_change_needs_reset;
  if (row.sms && has_room_for_all(row.sms, model)) model.sms = row.sms;
  if (measures_hold(model, row)) model.based_on = row.id;
}

}  // namespace

Result<CardModel> live_model(const LiveCard& card) {
  if (card.lost) return fail(unplannable(fmt::format("does not answer: {}", *card.lost), ""));
  if (!card.name) return fail(unplannable("does not tell its name: " + card.name.error().sentence, ""));
  if (!card.memory) return fail(unplannable("does not tell its memory: " + card.memory.error().sentence, ""));
  CardModel told;
  told.products = {plain(*card.name)};
  told.total_memory = card.memory->total;
  told.sources = {"this driver"};
  const bool has_mig = card.mig || card.mig.error().why != Absence::unsupported;
  if (has_mig && !card.profiles)
    return fail(unplannable("does not tell its profiles: " + card.profiles.error().sentence, ""));
  if (has_mig) {
    TRY_VOID(add_profiles(*card.profiles, told));
    set_grid(told);
  }
  const CardModel* row = catalog_model(card);
  if (row != nullptr && agree(told, *row)) return *row;
  if (row != nullptr) add_from_catalog(*row, told);
  told.id = live_model_id(row == nullptr ? stem_of(*card.name) : row->id, told);
  return told;
}

}  // namespace carve
