// All layouts of the card are looked at: there are some hundred.
#include "change/nearest.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include <fmt/format.h>

#include "change/choose.h"

namespace carve {

namespace {

constexpr std::size_t most = 3;

struct Sized {
  int slices = 0;  // of memory and of compute
  std::string name;
  auto operator<=>(const Sized&) const = default;
};
using Cut = std::vector<Sized>;  // the largest first

int distance(const Cut& wanted, const Cut& possible) {
  constexpr int of_a_slice = 100;  // more than all the names that may differ
  int sum = 0;
  for (std::size_t i = 0; i < std::max(wanted.size(), possible.size()); ++i) {
    const Sized a = i < wanted.size() ? wanted[i] : Sized{};
    const Sized b = i < possible.size() ? possible[i] : Sized{};
    sum += std::abs(a.slices - b.slices) * of_a_slice + (a.name == b.name ? 0 : 1);
  }
  return sum;
}

void sort(Cut& cut) { std::sort(cut.begin(), cut.end(), std::greater<>()); }

Sized sized(const Profile& profile) {
  return {profile.memory_slices.value_or(0) + profile.compute_slices, profile.name};
}

}  // namespace

std::string list_of(const std::vector<std::string>& profiles) {
  std::map<std::string, int> counts;
  for (const std::string& name : profiles) ++counts[name];
  std::vector<std::string> words;
  for (const auto& [name, count] : counts) words.push_back(count == 1 ? name : fmt::format("{} of {}", count, name));
  return fmt::format("{}", fmt::join(words, " and "));
}

std::vector<std::string> nearest_layouts(const LiveCard& card, const std::vector<WantedInstance>& wanted) {
  const CardModel model = driver_model(card);
  if (!model.can_be_cut()) return {};  // places are not told
  Cut cut;
  for (const WantedInstance& one : wanted) cut.push_back(sized(*model.find_profile(one.profile)));
  sort(cut);
  const Geometry geometry(model, profiles_to_look_at(model, wanted));
  std::set<std::pair<int, Cut>> found;
  for (const Layout layout : geometry.layouts()) {
    Cut possible;
    for (std::size_t i = 0; i < geometry.places().size(); ++i)
      if ((layout >> i & 1) != 0)
        possible.push_back(sized(model.profiles[static_cast<std::size_t>(geometry.places()[i].profile)]));
    sort(possible);
    if (!possible.empty()) found.emplace(distance(cut, possible), std::move(possible));
  }
  std::vector<std::string> texts;
  for (const auto& [far, possible] : found) {
    if (texts.size() == most) break;
    std::vector<std::string> names;
    for (const Sized& one : possible) names.push_back(one.name);
    texts.push_back(list_of(names));
  }
  return texts;
}

}  // namespace carve
