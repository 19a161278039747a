// One card: what is there, what is wanted, where it shall stand, and the steps between. Instances are destroyed before
// others are made, the largest first, so that each place is free when its turn comes.
#include "change/steps.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "change/choose.h"
#include "change/occupants.h"

namespace carve {

namespace {

// What stands on a card.
struct Present {
  InstancePlace instance;
  GpuInstanceId id;
  enum class State : std::uint8_t { whole, divided, half_made } state = State::whole;
  bool foreign = false;
  std::vector<Occupant> occupants;
};

Present::State state_of(const LiveGpuInstance& instance) {
  if (instance.compute->empty()) return Present::State::half_made;
  const Reading<int>& slices = instance.compute->front().compute_slices;
  const bool whole =
      instance.compute->size() == 1 && instance.compute_slices && slices && *slices == *instance.compute_slices;
  return whole ? Present::State::whole : Present::State::divided;
}

std::vector<Occupant> occupants_of(const LiveCard& card, std::optional<GpuInstanceId> instance) {
  std::vector<Occupant> found;
  for (const Occupant& occupant : *card.occupants)
    if (!instance || occupant.gpu_instance == *instance) found.push_back(occupant);
  return found;
}

// Compute that nobody can use, as the memory is given away.
std::string idle_compute(const LiveCard& card, const std::vector<WantedInstance>& wanted) {
  if (wanted.empty()) return {};
  const CardModel model = driver_model(card);
  int memory = *model.memory_slices, compute = model.compute_slices;
  for (const WantedInstance& one : wanted) {
    memory -= one.placement->size;
    compute -= model.find_profile(one.profile)->compute_slices;
  }
  if (memory > 0 || compute == 0) return {};
  return fmt::format("idle: {} of {} compute slices, as all of the memory is given away", compute,
                     model.compute_slices);
}

class CardPlanner {
 public:
  CardPlanner(const LiveCard& card, const WantedCard& wanted, const Made& made, const Permissions& permissions)
      : card_(card), made_(made), permissions_(permissions) {
    change_.index = card.index;
    change_.uuid = wanted.uuid;
    change_.name = card.name.value_or("");
    change_.bus_id = card.pci ? card.pci->bus_id : "";
    change_.wanted = wanted;
    change_.before = {wanted.uuid, false, {}};
  }

  CardChange plan() {
    if (!readable()) return change_;
    change_.mig_now = card_.mig->current;
    change_.before = layout_now(card_);
    find_present();
    const std::vector<Standing> standing = standing_ones();
    auto chosen = choose_places(card_, change_.wanted.instances, standing);
    if (!chosen) {
      const bool wrong = chosen.error().fault == Fault::bad_input;
      obstruct(wrong ? Obstacle::Kind::impossible : Obstacle::Kind::unreadable, chosen.error().message,
               chosen.error().help);
      return change_;
    }
    change_.wanted.instances = std::move(*chosen);
    change_.remark = idle_compute(card_, change_.wanted.instances);
    sort_out();
    if (card_.mig->current != change_.wanted.mig || card_.mig->pending != change_.wanted.mig) change_mode();
    create();
    return change_;
  }

 private:
  void obstruct(Obstacle::Kind kind, std::string message, std::string help) {
    change_.obstacles.push_back({kind, std::move(message), std::move(help)});
  }

  bool unreadable(std::string_view what, const Missing& why) {
    obstruct(Obstacle::Kind::unreadable, fmt::format("{} cannot be told: {}", what, why.sentence),
             why.why == Absence::denied ? "changing cards is for root, or for who may use the capability mig/config"
                                        : "'carve status' shows what the driver says");
    return false;
  }

  bool readable() {
    if (card_.lost) return unreadable("the card", {Absence::failed, *card_.lost});
    // A card without MIG is what a plan without MIG wants.
    if (!card_.mig && card_.mig.error().why == Absence::unsupported && !change_.wanted.mig) return false;
    if (!card_.mig) return unreadable("its MIG mode", card_.mig.error());
    if (!card_.profiles) return unreadable("its profiles", card_.profiles.error());
    if (!card_.instances) return unreadable("what it is cut into", card_.instances.error());
    if (!card_.occupants) return unreadable("who holds it", card_.occupants.error());
    for (const LiveGpuInstance& instance : *card_.instances) {
      if (!instance.profile) return unreadable("the profile of an instance", instance.profile.error());
      if (!instance.placement) return unreadable("the place of an instance", instance.placement.error());
      if (!instance.compute) return unreadable("what is in an instance", instance.compute.error());
    }
    return true;
  }

  void find_present() {
    for (const LiveGpuInstance& live : *card_.instances) {
      Present present{{*live.profile, *live.placement}, live.id, state_of(live), false, occupants_of(card_, live.id)};
      present.foreign = !made_.contains({change_.uuid, present.instance});
      present_.push_back(std::move(present));
    }
  }

  std::vector<Standing> standing_ones() const {
    std::vector<Standing> standing;
    for (const Present& present : present_) {
      if (present.state != Present::State::whole) continue;  // it goes in any case
      const auto& profiles = *card_.profiles;
      const auto at = std::find_if(profiles.begin(), profiles.end(), [&](const LiveProfile& profile) {
        return profile.name == present.instance.profile;
      });
      if (at == profiles.end()) continue;
      standing.push_back({static_cast<int>(at - profiles.begin()), present.instance.placement,
                          static_cast<int>(present.occupants.size()), present.foreign});
    }
    return standing;
  }

  bool is_wanted(const InstancePlace& place) const {
    const auto& wanted = change_.wanted.instances;
    return std::any_of(wanted.begin(), wanted.end(), [&](const WantedInstance& one) {
      return one.profile == place.profile && one.placement == place.placement;
    });
  }

  // Keeps or destroys what is there.
  void sort_out() {
    for (Present& present : present_) {
      if (present.state == Present::State::whole && is_wanted(present.instance) && change_.wanted.mig) {
        change_.kept.push_back({present.instance, std::move(present.occupants)});
        continue;
      }
      judge(present);
      change_.steps.push_back({Act::destroy, present.instance, present.id, 0, present.occupants, note_of(present)});
    }
  }

  void judge(const Present& present) {
    const std::string name = to_string(present.instance);
    if (!present.occupants.empty() && permissions_.drain == Drain::refuse)
      obstruct(Obstacle::Kind::occupied,
               fmt::format("{} has to go and is held by {}", name, holders(present.occupants)),
               "--drain wait waits until they end; --drain stop ends them");
    if (present.foreign && present.state != Present::State::half_made && permissions_.foreign == Foreign::refuse)
      obstruct(Obstacle::Kind::foreign, fmt::format("{} has to go and was not made by carve", name),
               "--replace-foreign destroys what others made");
  }

  // Where a wanted instance of the same profile will be made instead.
  std::string note_of(const Present& present) {
    if (present.state == Present::State::half_made) return "half-made: nothing can run in it";
    if (present.state == Present::State::divided) return "divided into several compute instances";
    for (const WantedInstance& one : change_.wanted.instances) {
      if (one.profile != present.instance.profile || stands(one) || moved_to_.contains(one.placement->start)) continue;
      moved_to_.insert(one.placement->start);
      return "moves to " + to_string(InstancePlace{one.profile, *one.placement});
    }
    return present.foreign ? "not made by carve" : "";
  }

  bool stands(const WantedInstance& one) const {
    return std::any_of(present_.begin(), present_.end(), [&](const Present& present) {
      return present.state == Present::State::whole && present.instance.profile == one.profile &&
             present.instance.placement == one.placement;
    });
  }

  void change_mode() {
    std::vector<Occupant> others = occupants_of(card_, {});
    std::erase_if(others, [](const Occupant& occupant) { return occupant.gpu_instance.has_value(); });
    if (!others.empty() && permissions_.drain == Drain::refuse)
      obstruct(Obstacle::Kind::occupied,
               fmt::format("its MIG mode has to change and it is held by {}", holders(others)),
               "--drain wait waits until they end; --drain stop ends them");
    Step mode;
    mode.act = change_.wanted.mig ? Act::mig_on : Act::mig_off;
    mode.disturbs = std::move(others);
    change_.steps.push_back(std::move(mode));
    const CardModel* model = catalog_model(card_);
    if (card_.mig->current != change_.wanted.mig && model != nullptr && model->mode_change_needs_reset) {
      Step reset;
      reset.act = Act::reset;
      change_.steps.push_back(std::move(reset));
    }
  }

  void create() {
    std::vector<Step> made;
    for (const WantedInstance& one : change_.wanted.instances) {
      const InstancePlace place{one.profile, *one.placement};
      const auto& kept = change_.kept;
      if (std::any_of(kept.begin(), kept.end(), [&](const KeptInstance& k) { return k.instance == place; })) continue;
      const auto& profiles = *card_.profiles;
      const auto profile =
          std::find_if(profiles.begin(), profiles.end(), [&](const LiveProfile& p) { return p.name == one.profile; });
      made.push_back({Act::create, place, {}, profile->id, {}, ""});
    }
    std::stable_sort(made.begin(), made.end(), [](const Step& a, const Step& b) {
      return a.instance.placement.size > b.instance.placement.size;
    });
    change_.steps.insert(change_.steps.end(), made.begin(), made.end());
  }

  const LiveCard& card_;
  const Made& made_;
  const Permissions& permissions_;
  CardChange change_;
  std::vector<Present> present_;
  std::set<int> moved_to_;  // starts of wanted instances that a note names already
};

constexpr std::array act_words{"destroy", "turn MIG off", "turn MIG on", "reset", "create"};

}  // namespace

std::string_view to_string(Act act) { return act_words[static_cast<std::size_t>(act)]; }

std::string to_string(const InstancePlace& place) { return fmt::format("{}@{}", place.profile, place.placement.start); }

int CardChange::count(Act act) const {
  return static_cast<int>(
      std::count_if(steps.begin(), steps.end(), [act](const Step& step) { return step.act == act; }));
}

bool Change::same() const {
  return std::all_of(cards.begin(), cards.end(), [](const CardChange& card) { return card.same(); });
}

bool Change::possible() const {
  return std::all_of(cards.begin(), cards.end(), [](const CardChange& card) { return card.obstacles.empty(); });
}

CardChange plan_card(const LiveCard& card, const WantedCard& wanted, const Made& made, const Permissions& permissions) {
  return CardPlanner(card, wanted, made, permissions).plan();
}

Change plan_change(const Machine& machine, const Target& target, const Made& made, const Permissions& permissions) {
  Change change;
  for (const WantedCard& wanted : target.cards) {
    if (const LiveCard* card = find_card(machine, wanted.uuid)) {
      change.cards.push_back(plan_card(*card, wanted, made, permissions));
      continue;
    }
    CardChange gone;
    gone.uuid = wanted.uuid;
    gone.wanted = wanted;
    gone.obstacles.push_back({Obstacle::Kind::unreadable, fmt::format("card {} is not on this machine", wanted.uuid),
                              "'carve status' lists the cards; one that fell off the bus needs a reset or a reboot"});
    change.cards.push_back(std::move(gone));
  }
  std::stable_sort(change.cards.begin(), change.cards.end(),
                   [](const CardChange& a, const CardChange& b) { return a.index < b.index; });
  return change;
}

}  // namespace carve
