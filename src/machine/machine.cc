// What follows from the values of a machine: the catalog's model, the grid, names, what a pending mode waits for.
#include "machine/machine.h"

#include <algorithm>

#include <fmt/format.h>

namespace carve {

namespace {

// What the driver keeps for itself makes two readings of one board differ by less than this.
constexpr Mib same_memory{1024};

bool has_product(const CardModel& model, const std::string& name) {
  return std::find(model.products.begin(), model.products.end(), name) != model.products.end();
}

bool has_memory(const CardModel& model, Mib total) {
  if (!model.total_memory) return false;
  const Mib difference = *model.total_memory - total;
  return difference < same_memory && Mib{} - difference < same_memory;
}

class Lacks {
 public:
  template <class T>
  void note(const std::string& figure, const Reading<T>& reading) {
    if (!reading) note(figure, reading.error());
  }
  void note(const std::string& figure, const Missing& missing) {
    const bool known = std::any_of(list_.begin(), list_.end(), [&](const Untold& untold) {
      return untold.figure == figure && untold.missing == missing;
    });
    if (!known) list_.push_back({figure, missing});
  }
  std::vector<Untold> take() { return std::move(list_); }

 private:
  std::vector<Untold> list_;
};

void note_instance(const LiveGpuInstance& instance, Lacks& lacks) {
  lacks.note("places of instances", instance.placement);
  lacks.note("profiles of instances", instance.profile);
  lacks.note("compute of instances", instance.compute_slices);
  lacks.note("compute instances", instance.compute);
  if (!instance.compute || instance.compute->empty()) return;  // then there is nobody to tell its memory
  lacks.note("memory of instances", instance.memory);
  for (const LiveComputeInstance& compute : *instance.compute) {
    lacks.note("UUIDs of MIG devices", compute.uuid);
    lacks.note("compute of instances", compute.compute_slices);
  }
}

}  // namespace

const CardModel* catalog_model(const LiveCard& card) {
  if (!card.name) return nullptr;
  std::vector<const CardModel*> found;
  for (const CardModel& model : catalog())
    if (has_product(model, *card.name)) found.push_back(&model);
  if (found.size() > 1 && card.memory)
    std::erase_if(found, [&](const CardModel* model) { return !has_memory(*model, card.memory->total); });
  return found.size() == 1 ? found.front() : nullptr;
}

std::optional<int> memory_grid(const LiveCard& card) {
  int slices = 0;
  if (card.profiles)
    for (const LiveProfile& profile : *card.profiles)
      if (profile.placements)
        for (const Placement place : *profile.placements) slices = std::max(slices, place.start + place.size);
  if (slices > 0) return slices;
  const CardModel* model = catalog_model(card);
  return model == nullptr ? std::nullopt : model->memory_slices;
}

std::string device_name(const LiveGpuInstance& instance, const LiveComputeInstance& compute) {
  const std::string profile = instance.profile.value_or("profile not known");
  const bool part =
      compute.compute_slices && instance.compute_slices && *compute.compute_slices < *instance.compute_slices;
  return part ? fmt::format("{}c.{}", *compute.compute_slices, profile) : profile;
}

std::vector<Untold> untold_of(const LiveCard& card) {
  Lacks lacks;
  if (card.lost) return {};
  lacks.note("UUID", card.uuid);
  lacks.note("name", card.name);
  lacks.note("PCI address", card.pci);
  lacks.note("minor number", card.minor);
  lacks.note("memory", card.memory);
  lacks.note("compute mode", card.compute_mode);
  const bool has_no_mig = !card.mig && card.mig.error().why == Absence::unsupported;
  if (!has_no_mig) {
    lacks.note("MIG mode", card.mig);
    lacks.note("profiles", card.profiles);
    lacks.note("instances", card.instances);
  }
  if (card.profiles)
    for (const LiveProfile& profile : *card.profiles) lacks.note("places of profiles", profile.placements);
  if (card.instances)
    for (const LiveGpuInstance& instance : *card.instances) note_instance(instance, lacks);
  for (const Untold& kind : card.untold) lacks.note(kind.figure, kind.missing);
  lacks.note("occupants", card.occupants);
  return lacks.take();
}

std::string waits_for(const LiveCard& card) {
  if (!card.mig || card.mig->current == card.mig->pending) return {};
  const CardModel* model = catalog_model(card);
  if (model != nullptr && model->mode_change_needs_reset)
    return "a reset of the card with nobody on it (nvidia-smi --gpu-reset), or a reboot";
  return "the card to be held by nobody, monitoring included; then ask for the mode again, or reset the card";
}

}  // namespace carve
