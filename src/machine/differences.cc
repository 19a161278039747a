// Figure by figure. The driver's are texts as a person would write them, so that two that look the same are the same.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "machine/machine.h"

namespace carve {

namespace {

using Told = std::optional<std::string>;

Told told(int value) { return fmt::format("{}", value); }
Told told(Mib value) { return fmt::format("{} MiB", value.value); }
template <class T>
Told told(const std::optional<T>& value) {
  return value ? told(*value) : std::nullopt;
}
Told told(const std::vector<Placement>& places) {
  if (places.empty()) return std::nullopt;
  std::vector<std::string> each;
  for (const Placement place : places) each.push_back(fmt::format("{}:{}", place.start, place.size));
  return fmt::format("{}", fmt::join(each, " "));
}

class Comparison {
 public:
  void figure(std::string name, const Told& driver, const Told& catalog) {
    if (driver != catalog) found_.push_back({std::move(name), driver, catalog});
  }
  std::vector<Difference> take() { return std::move(found_); }

 private:
  std::vector<Difference> found_;
};

void compare(const LiveProfile& live, const Profile& row, Comparison& found) {
  const auto of = [&](std::string_view what) { return fmt::format("{} of {}", what, live.name); };
  found.figure(of("id"), told(static_cast<int>(live.id)), told(row.id));
  found.figure(of("enumerator"), told(live.nvml_enum), told(row.nvml_enum));
  found.figure(of("compute slices"), told(live.compute_slices), told(row.compute_slices));
  found.figure(of("memory"), told(live.memory), told(row.memory));
  found.figure(of("SMs"), told(live.sms), told(row.sms));
  found.figure(of("most instances"), told(live.max_instances), told(row.max_instances));
  if (live.placements) found.figure(of("places"), told(*live.placements), told(row.placements));
}

void compare_profiles(const std::vector<LiveProfile>& live, const CardModel& model, Comparison& found) {
  std::set<std::string_view> met;
  for (const LiveProfile& profile : live) {
    const Profile* row = model.find_profile(profile.name);
    if (row == nullptr || !met.insert(row->name).second)
      found.figure(fmt::format("profile {}", profile.name), fmt::format("id {}", profile.id), std::nullopt);
    else
      compare(profile, *row, found);
  }
  for (const Profile& row : model.profiles)
    if (!met.contains(row.name))
      found.figure(fmt::format("profile {}", row.name), std::nullopt,
                   row.id ? fmt::format("id {}", *row.id) : std::string("without an id"));
}

}  // namespace

std::vector<Difference> differences(const LiveCard& card, const CardModel& model) {
  Comparison found;
  if (card.name && std::find(model.products.begin(), model.products.end(), *card.name) == model.products.end())
    found.figure("name", *card.name, fmt::format("{}", fmt::join(model.products, ", ")));
  if (card.memory) found.figure("memory of the card", told(card.memory->total), told(model.total_memory));
  const bool without_mig = !card.mig && card.mig.error().why == Absence::unsupported;
  if (card.mig || without_mig) found.figure("MIG", without_mig ? "no" : "yes", model.has_mig() ? "yes" : "no");
  if (const auto grid = card.profiles ? memory_grid(card) : std::nullopt)
    found.figure("memory slices", told(*grid), told(model.memory_slices));
  if (card.profiles) compare_profiles(*card.profiles, model, found);
  return found.take();
}

}  // namespace carve
