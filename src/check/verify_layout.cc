// What can be cut out of one card: placements of its model, no memory slice twice, compute slices enough, counts of
// the driver's table, one instance with media engines of its own. Counted here slice by slice.
#include <algorithm>

#include <fmt/format.h>

#include "check/subject.h"
#include "check/verifier.h"

namespace carve {

namespace {

// One partition that is an instance, with the profile that it names.
struct Instance {
  const Partition* partition;
  const Profile* profile;
};

std::vector<Instance> instances_of(const CardClass& cards, const CardModel& model, Violations& found) {
  std::vector<Instance> result;
  for (const Partition& partition : cards.partitions) {
    if (partition.wall != Wall::mig) continue;
    const Profile* profile = model.find_profile(partition.profile);
    const std::string subject = subject_of(cards, partition);
    if (profile == nullptr) {
      found.add(subject, fmt::format("{} has no profile `{}`", model.id, partition.profile));
    } else if (!partition.placement) {
      found.add(subject, "a partition behind a MIG wall needs a placement");
    } else {
      result.push_back({&partition, profile});
    }
  }
  return result;
}

void verify_placements(const CardClass& cards, const std::vector<Instance>& instances, Violations& found) {
  for (const auto& [partition, profile] : instances) {
    const std::vector<Placement>& legal = profile->placements;
    if (std::find(legal.begin(), legal.end(), *partition->placement) != legal.end()) continue;
    found.add(subject_of(cards, *partition),
              fmt::format("{} cannot be placed at slice {} with {} slices", profile->name, partition->placement->start,
                          partition->placement->size));
  }
}

void verify_memory_slices(const CardClass& cards, const CardModel& model, const std::vector<Instance>& instances,
                          Violations& found) {
  const int grid = model.memory_slices.value_or(0);
  std::vector<const Partition*> owner(static_cast<std::size_t>(grid), nullptr);
  for (const auto& [partition, profile] : instances) {
    const auto [start, size] = *partition->placement;
    for (int slice = start; slice < start + size; ++slice) {
      if (slice < 0 || slice >= grid) {
        found.add(subject_of(cards, *partition), fmt::format("reaches slice {} of a grid of {}", slice, grid));
        break;
      }
      const Partition*& taken = owner[static_cast<std::size_t>(slice)];
      if (taken != nullptr) {
        found.add(subject_of(cards, *partition),
                  fmt::format("memory slice {} already belongs to {}", slice, subject_of(cards, *taken)));
        break;
      }
      taken = partition;
    }
  }
}

void verify_counts(const CardClass& cards, const CardModel& model, const std::vector<Instance>& instances,
                   Violations& found) {
  int compute = 0;
  std::map<std::string_view, int> of_profile;
  for (const auto& [partition, profile] : instances) {
    compute += profile->compute_slices;
    if (++of_profile[profile->name] == profile->max_instances + 1) {
      found.add(subject_of(cards, *partition), fmt::format("at most {} of {} exist on a card",
                                                           counted(profile->max_instances, "instance"), profile->name));
    }
  }
  if (compute > model.compute_slices) {
    found.add(subject_of(cards),
              fmt::format("takes {} compute slices and the card has {}", compute, model.compute_slices));
  }
  if (static_cast<int>(instances.size()) > model.max_instances) {
    found.add(subject_of(cards),
              fmt::format("has {} instances and {} takes {}", instances.size(), model.id, model.max_instances));
  }
}

void verify_media(const CardClass& cards, const std::vector<Instance>& instances, Violations& found) {
  int with_media = 0;
  int all_media = 0;
  int without_media = 0;
  for (const auto& [partition, profile] : instances) {
    const std::string_view attribute = profile->attribute();
    with_media += attribute == "+me" ? 1 : 0;
    all_media += attribute == "+me.all" ? 1 : 0;
    without_media += attribute == "-me" ? 1 : 0;
  }
  if (with_media > 1) found.add(subject_of(cards), "more than one instance is `+me`");
  const int instances_count = static_cast<int>(instances.size());
  if (all_media > 1 || (all_media == 1 && without_media != instances_count - 1)) {
    found.add(subject_of(cards), "beside `+me.all` there may only be `-me` instances");
  }
}

void verify_walls(const CardClass& cards, const CardModel& model, Violations& found) {
  const auto whole = std::count_if(cards.partitions.begin(), cards.partitions.end(),
                                   [](const Partition& partition) { return partition.wall == Wall::card; });
  if (whole > 0 && cards.partitions.size() > 1) {
    found.add(subject_of(cards), "a partition that is the whole card leaves nothing for another");
  }
  if (whole > 0 && cards.mig) found.add(subject_of(cards), "a whole card is used with MIG off, and the plan has it on");
  if (whole < static_cast<std::ptrdiff_t>(cards.partitions.size()) && !cards.mig) {
    found.add(subject_of(cards), "is cut with MIG off");
  }
  if (cards.mig && !model.has_mig()) found.add(subject_of(cards), fmt::format("{} has no MIG", model.id));
  for (const Partition& partition : cards.partitions) {
    if (partition.wall == Wall::card && (partition.placement || !partition.profile.empty())) {
      found.add(subject_of(cards), "a whole card has neither profile nor placement");
    }
  }
}

// Memory that the plan counts with, against the catalog.
void verify_memory(const CardClass& cards, const CardModel& model, Violations& found) {
  for (const Partition& partition : cards.partitions) {
    const std::optional<Piece> piece = piece_of(model, partition);
    if (!piece) continue;  // named above
    if (!piece->memory) {
      found.add(subject_of(cards, partition),
                "nobody published the memory of this partition, so nothing can be "
                "promised in it");
    } else if (*piece->memory != partition.memory) {
      found.add(subject_of(cards, partition),
                fmt::format("holds {} MiB by {} and {} MiB in the plan", piece->memory->value,
                            model.live ? "its driver" : "the catalog", partition.memory.value));
    }
  }
}

}  // namespace

std::optional<Piece> piece_of(const CardModel& model, const Partition& partition) {
  if (partition.wall == Wall::card) return whole_card(model);
  const Profile* profile = model.find_profile(partition.profile);
  if (profile == nullptr) return std::nullopt;
  return piece_of(model, *profile);
}

void verify_layout(const CardClass& cards, const CardModel& model, Violations& found) {
  verify_walls(cards, model, found);
  const std::vector<Instance> instances = instances_of(cards, model, found);
  verify_placements(cards, instances, found);
  verify_memory_slices(cards, model, instances, found);
  verify_counts(cards, model, instances, found);
  verify_media(cards, instances, found);
  verify_memory(cards, model, found);
}

}  // namespace carve
