// Cards of a plan are found on the machine, and each must be of the model that it was planned for.
#include "change/target.h"

#include <map>
#include <set>

#include <fmt/format.h>

namespace carve {

namespace {

Error wrong(std::string message, std::string help) {
  return {Fault::bad_input, std::move(message), {}, std::move(help), {}};
}

// A card of the plan: its class, and which of it.
struct PlannedCard {
  const CardClass* kind = nullptr;
  const Position* position = nullptr;
};

std::string planned_name(const PlannedCard& card) {
  return fmt::format("{}/{}", card.position->node, card.position->index);
}

WantedCard wanted_of(const BoundCard& card) {
  WantedCard wanted{*card.live->uuid, card.planned->mig, {}};
  for (const Partition& partition : card.planned->partitions)
    if (partition.wall == Wall::mig) wanted.instances.push_back({partition.profile, partition.placement});
  return wanted;
}

constexpr const char* for_these_cards = "plan for the cards that are there: 'carve plan' without a fleet does";

// As the catalog has it, or as its own driver tells it.
bool is_of_model(const LiveCard& card, const std::string& id) {
  const CardModel* known = catalog_model(card);
  if (known != nullptr && known->id == id) return true;
  const Result<CardModel> told = live_model(card);
  return told && told->id == id;
}

std::string model_name(const LiveCard& card) {
  const CardModel* known = catalog_model(card);
  return known != nullptr ? known->id : card.name.value_or("card of unknown model");
}

class Binder {
 public:
  Binder(const Plan& plan, const Machine& machine, const Binding& binding)
      : plan_(plan), machine_(machine), binding_(binding) {}

  Result<std::vector<BoundCard>> bind() {
    TRY(const std::vector<PlannedCard> planned, cards_of_node());
    std::map<int, BoundCard> found;
    for (const PlannedCard& card : planned) {
      TRY(const LiveCard* live, find(card));
      if (!live->uuid)
        return fail(wrong(fmt::format("card {} has no UUID to be known by: {}", live->index,
                                      live->lost.value_or(live->uuid.error().sentence)),
                          "'carve status' shows what the driver says of it"));
      if (!is_of_model(*live, card.kind->model))
        return fail(wrong(fmt::format("{} of the plan is a {}, and card {} of this machine is a {}", planned_name(card),
                                      card.kind->model, live->index, model_name(*live)),
                          for_these_cards));
      if (!found.emplace(live->index, BoundCard{live, card.kind}).second)
        return fail(wrong(fmt::format("the plan has card {} twice", live->index), ""));
    }
    std::vector<BoundCard> cards;
    for (const auto& [index, card] : found) cards.push_back(card);
    return cards;
  }

 private:
  Result<std::vector<PlannedCard>> cards_of_node() const {
    std::set<std::string> nodes;
    std::vector<PlannedCard> cards;
    for (const CardClass& kind : plan_.cards) {
      for (const Position& position : kind.positions) {
        nodes.insert(position.node);
        if (binding_.node.empty() || position.node == binding_.node) cards.push_back({&kind, &position});
      }
    }
    if (!binding_.node.empty() && !nodes.contains(binding_.node))
      return fail(wrong(fmt::format("the plan has no host {}", binding_.node),
                        fmt::format("it has {}", fmt::join(nodes, ", "))));
    if (binding_.by_index && binding_.node.empty() && nodes.size() > 1)
      return fail(wrong(fmt::format("the plan has {} hosts, and this machine is one", nodes.size()),
                        fmt::format("--node names the one that it is: {}", fmt::join(nodes, ", "))));
    return cards;
  }

  Result<const LiveCard*> find(const PlannedCard& card) const {
    if (!binding_.by_index) return find_known(card);
    for (const LiveCard& live : machine_.cards)
      if (live.index == card.position->index) return &live;
    return fail(wrong(fmt::format("{} of the plan has no counterpart: this machine has {}", planned_name(card),
                                  counted(static_cast<std::int64_t>(machine_.cards.size()), "card")),
                      for_these_cards));
  }

  Result<const LiveCard*> find_known(const PlannedCard& card) const {
    const FleetCard* known = live_card(plan_.fleet, *card.position);
    if (known == nullptr || known->uuid.empty())
      return fail(wrong("the plan was made without hardware: it names no card of this machine",
                        "--bind makes its first card the first card here, and so on"));
    const LiveCard* live = find_card(machine_, known->uuid);
    if (live != nullptr) return live;
    return fail(
        wrong(fmt::format("{} of the plan is {}, which is no card of this machine", planned_name(card), known->uuid),
              for_these_cards));
  }

  const Plan& plan_;
  const Machine& machine_;
  const Binding& binding_;
};

}  // namespace

Result<std::vector<BoundCard>> bind_cards(const Plan& plan, const Machine& machine, const Binding& binding) {
  return Binder(plan, machine, binding).bind();
}

Result<Target> bind_plan(const Plan& plan, const Machine& machine, const Binding& binding) {
  TRY(const std::vector<BoundCard> cards, bind_cards(plan, machine, binding));
  Target target;
  for (const BoundCard& card : cards) target.cards.push_back(wanted_of(card));
  return target;
}

const LiveCard* find_card(const Machine& machine, std::string_view uuid) {
  for (const LiveCard& card : machine.cards)
    if (card.uuid && *card.uuid == uuid) return &card;
  return nullptr;
}

WantedCard layout_now(const LiveCard& card) {
  WantedCard now{card.uuid.value_or(""), card.mig->current, {}};
  for (const LiveGpuInstance& instance : *card.instances)
    if (instance.profile && instance.placement && instance.compute && !instance.compute->empty())
      now.instances.push_back({*instance.profile, *instance.placement});
  return now;
}

}  // namespace carve
