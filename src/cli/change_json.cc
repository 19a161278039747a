#include "cli/change_json.h"

#include <array>
#include <boost/json.hpp>

#include "text/text.h"

namespace carve {

namespace {

namespace json = boost::json;

constexpr std::array event_words{"begun", "done", "failed", "waiting", "going-back", "card-ended"};
constexpr std::array obstacle_words{"occupied", "foreign", "impossible", "unreadable"};

template <class Enum, class Words>
json::string word(const Words& words, Enum value) {
  return json::string(words[static_cast<std::size_t>(value)]);
}

json::object place_json(const InstancePlace& place) {
  return {{"profile", place.profile}, {"start", place.placement.start}, {"size", place.placement.size}};
}

json::array occupants_json(const std::vector<Occupant>& occupants) {
  json::array result;
  for (const Occupant& occupant : occupants) {
    json::object one{{"pid", occupant.pid}};
    one["user"] = occupant.process ? json::value(occupant.process->user) : json::value(nullptr);
    one["command"] = occupant.process ? json::value(occupant.process->command) : json::value(nullptr);
    result.push_back(std::move(one));
  }
  return result;
}

json::object step_json(const Step& step) {
  json::object result{{"act", to_string(step.act)}};
  if (step.act == Act::create || step.act == Act::destroy) result["instance"] = place_json(step.instance);
  if (!step.note.empty()) result["note"] = step.note;
  result["disturbs"] = occupants_json(step.disturbs);
  return result;
}

json::object card_json(const CardChange& card) {
  json::array kept, steps, obstacles;
  for (const KeptInstance& one : card.kept)
    kept.push_back(json::object{{"instance", place_json(one.instance)}, {"occupants", occupants_json(one.occupants)}});
  for (const Step& step : card.steps) steps.push_back(step_json(step));
  for (const Obstacle& one : card.obstacles)
    obstacles.push_back(
        json::object{{"kind", word(obstacle_words, one.kind)}, {"message", one.message}, {"help", one.help}});
  return {{"index", card.index},
          {"uuid", card.uuid},
          {"name", card.name},
          {"kept", std::move(kept)},
          {"steps", std::move(steps)},
          {"obstacles", std::move(obstacles)},
          {"remark", card.remark.empty() ? json::value() : json::value(card.remark)}};
}

json::array target_json(const Target& target) {
  json::array cards;
  for (const WantedCard& card : target.cards) {
    json::array instances;
    for (const WantedInstance& one : card.instances)
      instances.push_back(place_json({one.profile, one.placement.value_or(Placement{})}));
    cards.push_back(json::object{{"uuid", card.uuid}, {"mig", card.mig}, {"instances", std::move(instances)}});
  }
  return cards;
}

}  // namespace

std::string change_json(const Change& change) {
  json::array cards;
  for (const CardChange& card : change.cards) cards.push_back(card_json(card));
  return write_json(json::object{{"format", "carve-diff/1"},
                                 {"same", change.same()},
                                 {"possible", change.possible()},
                                 {"cards", std::move(cards)}});
}

std::string event_json(const ApplyEvent& event) {
  json::object line{{"event", word(event_words, event.kind)}, {"card", event.card->uuid}};
  if (event.step != nullptr) line["step"] = step_json(*event.step);
  if (!event.message.empty()) line["message"] = event.message;
  return json::serialize(line) + '\n';
}

std::string applied_json(const Applied& applied) {
  json::array cards;
  for (const CardResult& card : applied.cards)
    cards.push_back(json::object{{"index", card.index},
                                 {"uuid", card.uuid},
                                 {"outcome", to_string(card.outcome)},
                                 {"steps", card.steps},
                                 {"message", card.message},
                                 {"help", card.help}});
  return json::serialize(json::object{{"event", "ended"},
                                      {"format", "carve-apply/1"},
                                      {"outcome", to_string(applied.outcome)},
                                      {"cards", std::move(cards)}}) +
         '\n';
}

std::string journals_json(const std::vector<Journaled>& journals) {
  json::array list;
  for (const Journaled& journal : journals) {
    json::array steps;
    for (const JournalStep& step : journal.steps) {
      json::object one{{"card", step.card}, {"act", to_string(step.act)}, {"state", to_string(step.state)}};
      if (!step.instance.profile.empty()) one["instance"] = place_json(step.instance);
      if (!step.message.empty()) one["message"] = step.message;
      steps.push_back(std::move(one));
    }
    list.push_back(json::object{{"number", journal.opening.number},
                                {"at", journal.opening.at},
                                {"command", journal.opening.command},
                                {"boot", journal.opening.boot},
                                {"outcome", journal.outcome ? json::value(to_string(*journal.outcome)) : nullptr},
                                {"target", target_json(journal.opening.target)},
                                {"before", target_json(journal.opening.before)},
                                {"steps", std::move(steps)}});
  }
  return write_json(json::object{{"format", "carve-journals/1"}, {"journals", std::move(list)}});
}

}  // namespace carve
