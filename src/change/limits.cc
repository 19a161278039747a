// Numbers are compared first: they make the clearest sentence. What is left is a matter of places.
#include "change/limits.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "change/choose.h"
#include "change/nearest.h"

namespace carve {

namespace {

std::string title(const LiveCard& card) { return card.name.value_or("the card"); }

Error wrong(std::string message, std::string help) {
  return {Fault::bad_input, std::move(message), {}, std::move(help), {}};
}

const LiveProfile* find_profile(const LiveCard& card, std::string_view name) {
  for (const LiveProfile& profile : *card.profiles)
    if (profile.name == name) return &profile;
  return nullptr;
}

std::map<std::string, int> counted_by_name(const std::vector<WantedInstance>& wanted) {
  std::map<std::string, int> counts;
  for (const WantedInstance& one : wanted) ++counts[one.profile];
  return counts;
}

std::string list_of(const std::vector<WantedInstance>& wanted) {
  std::vector<std::string> names;
  for (const WantedInstance& one : wanted) names.push_back(one.profile);
  return carve::list_of(names);
}

std::string names_of(const LiveCard& card) {
  std::vector<std::string> names;
  for (const LiveProfile& profile : *card.profiles) names.push_back(profile.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// "3g." of "3g.20gb": what the profile has of the card's compute.
std::string_view share_of(std::string_view name) { return name.substr(0, name.find('.') + 1); }
std::string_view attribute_of(std::string_view name) {
  const std::size_t at = name.find_first_of("+-");
  return at == std::string_view::npos ? std::string_view() : name.substr(at);
}

// Names of another card: what the same shares are called on this one.
std::string called_here(const LiveCard& card, const std::vector<std::string>& names) {
  std::vector<std::string> same;
  for (const std::string& name : names) {
    const auto& profiles = *card.profiles;
    const auto here = std::find_if(profiles.begin(), profiles.end(), [&](const LiveProfile& profile) {
      return share_of(profile.name) == share_of(name) && attribute_of(profile.name) == attribute_of(name);
    });
    if (here != profiles.end()) same.push_back(here->name);
  }
  if (same.empty()) return "it has " + names_of(card);
  return fmt::format("on this card the same {} called {}; it has {}", same.size() == 1 ? "share is" : "shares are",
                     fmt::join(same, ", "), names_of(card));
}

Result<void> check_names(const LiveCard& card, const std::map<std::string, int>& counts) {
  std::vector<std::string> unknown;
  for (const auto& [name, count] : counts)
    if (find_profile(card, name) == nullptr) unknown.push_back(name);
  if (!unknown.empty())
    return fail(
        wrong(fmt::format("{} has no profile {}", title(card), fmt::join(unknown, ", ")), called_here(card, unknown)));
  for (const auto& [name, count] : counts) {
    const LiveProfile* profile = find_profile(card, name);
    if (!profile->placements)
      return fail(Error{Fault::environment,
                        fmt::format("where {} may stand on {} is not told: {}", name, title(card),
                                    profile->placements.error().sentence),
                        {},
                        "places are told to privileged users only",
                        {}});
    if (count > profile->max_instances)
      return fail(wrong(fmt::format("{} cannot be cut into {} of {}: at most {} fits", title(card), count, name,
                                    profile->max_instances),
                        ""));
  }
  return {};
}

}  // namespace

Result<void> check_limits(const LiveCard& card, const std::vector<WantedInstance>& wanted) {
  const std::map<std::string, int> counts = counted_by_name(wanted);
  TRY_VOID(check_names(card, counts));
  const CardModel model = driver_model(card);
  int memory = 0, compute = 0;
  for (const auto& [name, count] : counts) {
    const Profile* profile = model.find_profile(name);
    memory += count * profile->memory_slices.value_or(0);
    compute += count * profile->compute_slices;
  }
  if (memory > *model.memory_slices)
    return fail(wrong(fmt::format("{} cannot be cut into {}: they need {} of {} memory slices", title(card),
                                  list_of(wanted), memory, *model.memory_slices),
                      ""));
  if (compute > model.compute_slices)
    return fail(wrong(fmt::format("{} cannot be cut into {}: they need {} of {} compute slices", title(card),
                                  list_of(wanted), compute, model.compute_slices),
                      ""));
  return {};
}

Error no_layout(const LiveCard& card, const std::vector<WantedInstance>& wanted) {
  std::string places;
  for (const auto& [name, count] : counted_by_name(wanted)) {
    const LiveProfile* profile = find_profile(card, name);
    std::vector<int> starts;
    for (const Placement& place : *profile->placements) starts.push_back(place.start);
    places += fmt::format("{}{} stands at {} only", places.empty() ? "" : "; ", name, fmt::join(starts, ", "));
  }
  return wrong(fmt::format("{} cannot be cut into {}: their slices would suffice, but not their places", title(card),
                           list_of(wanted)),
               places);
}

}  // namespace carve
