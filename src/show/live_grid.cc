// The grid of a live card: a box for each GPU instance with its memory and its users, and dotted ones for what is free.
#include <algorithm>
#include <map>

#include "show/box.h"
#include "show/live.h"

namespace carve {

namespace {

constexpr std::size_t most_users = 3;  // in one box

Text cell(std::string_view text, int width, const Style& style, Ink ink = Ink::plain) {
  return {shortened(text, width, style), ink};
}

// "ana ×2", "4711": users by name, processes that only have a number by that.
std::vector<std::string> users_of(const std::vector<const Occupant*>& occupants, const Style& style) {
  std::map<std::string, int> counts;
  for (const Occupant* occupant : occupants)
    ++counts[occupant->process ? printable(occupant->process->user) : fmt::format("{}", occupant->pid)];
  std::vector<std::string> lines;
  for (const auto& [user, count] : counts) {
    if (lines.size() == most_users) {
      lines.push_back(fmt::format("+{} more", counts.size() - most_users));
      break;
    }
    lines.push_back(count == 1 ? user : fmt::format("{} {}{}", user, style.unicode ? "×" : "x", count));
  }
  return lines;
}

Text memory_line(const Reading<MemoryUse>& memory, int width, const Style& style) {
  if (!memory) return cell("memory ?", width, style, Ink::dim);
  for (const std::string_view between : {" of ", " / ", "/"}) {
    const std::string text = fmt::format("{}{}{}", gib(memory->used), between, gib(memory->total));
    if (display_width(text) <= width) return {text};
  }
  return cell(gib(memory->used), width, style);
}

Box box_of(const LiveGpuInstance& instance, const LiveCard& card, const Scale& scale, const Style& style) {
  Box box{*instance.placement, printable(instance.profile.value_or("?")), {}, false};
  const int width = text_columns(scale, box.placement.size);
  if (instance.compute && instance.compute->empty()) {
    box.lines.push_back({cell("no compute", width, style, Ink::yellow)});
    return box;
  }
  box.lines.push_back({memory_line(instance.memory, width, style)});
  if (instance.compute && instance.compute->size() > 1)
    box.lines.push_back({cell(fmt::format("{} parts", instance.compute->size()), width, style)});
  const std::vector<const Occupant*> inside = occupants_in(card, instance.id);
  if (!card.occupants) box.lines.push_back({cell("held by ?", width, style, Ink::dim)});
  if (card.occupants && inside.empty()) box.lines.push_back({cell("unused", width, style, Ink::dim)});
  for (const std::string& user : users_of(inside, style)) box.lines.push_back({cell(user, width, style, Ink::cyan)});
  return box;
}

// The largest plain profile that this card still takes in a run of free slices, by its own placements and by the
// compute slices that its instances leave of the largest profile's.
std::string room_in(Placement run, const LiveCard& card) {
  if (!card.profiles) return {};
  int most = 0;
  for (const LiveProfile& profile : *card.profiles) most = std::max(most, profile.compute_slices);
  for (const LiveGpuInstance& instance : *card.instances) most -= instance.compute_slices.value_or(0);
  const LiveProfile* best = nullptr;
  for (const LiveProfile& profile : *card.profiles) {
    if (profile.name.find_first_of("+-") != std::string::npos || profile.compute_slices > most) continue;
    if (!profile.placements) return {};
    const bool fits = std::any_of(profile.placements->begin(), profile.placements->end(), [&](Placement place) {
      return place.start >= run.start && place.start + place.size <= run.start + run.size;
    });
    const auto size = [](const LiveProfile& p) { return std::pair(p.compute_slices, p.memory); };
    if (fits && (best == nullptr || size(*best) < size(profile))) best = &profile;
  }
  return best == nullptr ? "nothing fits" : best->name + " fits";
}

}  // namespace

std::vector<const Occupant*> occupants_in(const LiveCard& card, std::optional<GpuInstanceId> instance) {
  std::vector<const Occupant*> found;
  if (!card.occupants) return found;
  for (const Occupant& occupant : *card.occupants)
    if (occupant.gpu_instance == instance) found.push_back(&occupant);
  return found;
}

std::string live_grid(const LiveCard& card, const Style& style) {
  const std::optional<int> slices = memory_grid(card);
  if (!slices || *slices < 1 || !card.instances) return {};
  const Scale scale = scale_of(*slices, style);
  int narrowest = *slices;
  for (const LiveGpuInstance& instance : *card.instances) {
    if (!instance.placement) return {};
    narrowest = std::min(narrowest, instance.placement->size);
  }
  if (!readable(scale, narrowest)) return {};
  std::vector<Box> boxes;
  std::vector<Placement> taken;
  for (const LiveGpuInstance& instance : *card.instances) {
    boxes.push_back(box_of(instance, card, scale, style));
    taken.push_back(*instance.placement);
  }
  for (const Placement run : free_runs(taken, *slices))
    boxes.push_back(free_box(run, room_in(run, card), scale, style));
  return boxes_text(boxes, scale, style) + axis_text(scale);
}

}  // namespace carve
