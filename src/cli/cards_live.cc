#include "cli/cards_live.h"

#include <algorithm>

#include <boost/json.hpp>

#include "text/text.h"

namespace carve {

namespace {

namespace json = boost::json;

json::value text_or_null(const std::optional<std::string>& words) {
  return words ? json::value(json::string(*words)) : json::value();
}

json::object card_json(const LiveCard& card) {
  const CardModel* row = card.lost ? nullptr : catalog_model(card);
  const Result<CardModel> planned = live_model(card);
  json::object result{{"index", card.index},
                      {"uuid", card.uuid ? json::value(json::string(*card.uuid)) : json::value()},
                      {"name", card.name ? json::value(json::string(*card.name)) : json::value()},
                      {"model", nullptr},
                      {"agrees", nullptr},
                      {"planned_as", nullptr},
                      {"not_planned_because", nullptr},
                      {"differences", json::array()}};
  if (planned)
    result["planned_as"] = planned->id;
  else
    result["not_planned_because"] = planned.error().message;
  if (row == nullptr) return result;
  json::array found;
  for (const Difference& difference : differences(card, *row))
    found.push_back(json::object{{"figure", difference.figure},
                                 {"driver", text_or_null(difference.driver)},
                                 {"catalog", text_or_null(difference.catalog)}});
  result["model"] = row->id;
  result["agrees"] = found.empty();
  result["differences"] = std::move(found);
  return result;
}

}  // namespace

std::string differences_json(const Machine& machine) {
  json::array cards;
  for (const LiveCard& card : machine.cards) cards.push_back(card_json(card));
  return write_json(json::object{{"format", "carve-cards-live/1"}, {"cards", std::move(cards)}});
}

Exit compared(const Machine& machine) {
  const bool any = std::any_of(machine.cards.begin(), machine.cards.end(),
                               [](const LiveCard& card) { return !card.lost && catalog_model(card) != nullptr; });
  return any ? Exit::done : Exit::no;
}

}  // namespace carve
