// Cards that look alike are found by comparing partitions without the numbers of their replicas. What is said of a card
// is said once here, for the map, the page and the drawing.
#include "show/drawn.h"

#include <algorithm>

#include "show/grid.h"

namespace carve {

namespace {

// The partitions without what may differ between cards that look alike.
std::vector<Partition> look(const CardClass& card) {
  std::vector<Partition> partitions = card.partitions;
  for (Partition& partition : partitions)
    for (Share& share : partition.shares) share.first = 0;
  return partitions;
}

// The layout of the card as one of its geometry; nothing if a partition is at no place of it.
std::optional<Layout> layout_of(const Drawn& drawn, const Geometry& geometry) {
  Layout layout = 0;
  for (const Partition& partition : drawn.card().partitions) {
    const auto& places = geometry.places();
    const auto at = std::find_if(places.begin(), places.end(), [&](const PlacedProfile& place) {
      return drawn.model->profiles[static_cast<std::size_t>(place.profile)].name == partition.profile &&
             partition.placement == place.placement;
    });
    if (at == places.end()) return std::nullopt;
    layout |= Layout{1} << (at - places.begin());
  }
  return layout;
}

}  // namespace

// Classes that look alike are neighbours in most plans, so comparing with those of the same model and size suffices.
std::vector<Drawn> alike(const Plan& plan) {
  std::vector<Drawn> drawn;
  std::vector<std::vector<Partition>> looks;
  for (const CardClass& card : plan.cards) {
    std::vector<Partition> own = look(card);
    std::size_t i = 0;
    for (; i < drawn.size(); ++i)
      if (drawn[i].card().model == card.model && drawn[i].card().mig == card.mig && looks[i] == own) break;
    if (i == drawn.size()) {
      const auto match = find_model(card.model);
      drawn.push_back({{}, match ? match->model : nullptr, {}});
      looks.push_back(std::move(own));
    }
    drawn[i].classes.push_back(&card);
    drawn[i].positions.insert(drawn[i].positions.end(), card.positions.begin(), card.positions.end());
  }
  return drawn;
}

Numbering numbering_of(const Drawn& drawn) {
  return drawn.positions.size() == 1 ? Numbering::replicas : Numbering::none;
}

std::string where(const Drawn& drawn, const Style& style) {
  const auto text = [](const Position& p) { return fmt::format("{}/{}", p.node, p.index); };
  const std::string first = text(drawn.positions.front());
  if (drawn.positions.size() == 1) return first;
  return fmt::format("{}{}  {}{}{}", style.unicode ? "×" : "x", drawn.positions.size(), first,
                     drawn.positions.size() == 2 ? ", "
                     : style.unicode             ? " … "
                                                 : " .. ",
                     text(drawn.positions.back()));
}

std::string stranded_text(const Drawn& drawn, const Plan& plan) {
  Mib lost, held;
  bool all_known = true, some_known = false;
  for (const Partition& partition : drawn.card().partitions) {
    const bool known = memory_known(partition, plan);
    if (known) lost += stranded(partition);
    held += partition.memory;
    all_known = all_known && known;
    some_known = some_known || known;
  }
  const std::string each = drawn.positions.size() > 1 ? " on each" : "";
  if (!some_known) return fmt::format("memory in use not measured{}", each);
  const Mib total = drawn.model != nullptr && drawn.model->total_memory ? *drawn.model->total_memory : held;
  return fmt::format("{}{} of {} GiB stranded{}", all_known ? "" : "at least ", gib(lost), gib(total), each);
}

std::string wall_text(const Drawn& drawn) {
  if (!drawn.card().mig) return drawn.model != nullptr && drawn.model->has_mig() ? "not cut" : "";
  if (drawn.model == nullptr) return "MIG";
  int used = 0;
  for (const Partition& partition : drawn.card().partitions)
    if (const Profile* profile = drawn.model->find_profile(partition.profile)) used += profile->compute_slices;
  return fmt::format("MIG, compute {}/{}", used, drawn.model->compute_slices);
}

int grid_slices(const Drawn& drawn) {
  constexpr int plain_slices = 8;
  const bool known = drawn.card().mig && drawn.model != nullptr && drawn.model->memory_slices;
  return known ? *drawn.model->memory_slices : plain_slices;
}

std::vector<Placement> free_runs(const Drawn& drawn) {
  if (!drawn.card().mig) return {};
  std::vector<Placement> taken;
  for (const Partition& partition : drawn.card().partitions)
    if (partition.placement) taken.push_back(*partition.placement);
  return free_runs(taken, grid_slices(drawn));
}

std::string room_in(Placement run, const Drawn& drawn) {
  if (drawn.model == nullptr || !drawn.model->can_be_cut()) return "";
  const Geometry geometry(*drawn.model, plain_profiles(*drawn.model));
  const std::optional<Layout> layout = layout_of(drawn, geometry);
  if (!layout) return "";
  const Profile* largest = nullptr;
  for (int i = 0; i < std::ssize(geometry.places()); ++i) {
    const PlacedProfile& place = geometry.places()[static_cast<std::size_t>(i)];
    const bool inside =
        place.placement.start >= run.start && place.placement.start + place.placement.size <= run.start + run.size;
    const Profile& profile = drawn.model->profiles[static_cast<std::size_t>(place.profile)];
    const auto size = [](const Profile& p) { return std::pair(p.memory_slices, p.compute_slices); };
    if (inside && geometry.can_add(*layout, i) && (largest == nullptr || size(profile) > size(*largest)))
      largest = &profile;
  }
  return (largest == nullptr ? "nothing" : largest->name) + " fits";
}

}  // namespace carve
