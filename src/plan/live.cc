#include "plan/live.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace carve::plan_file {

namespace {

using boost::json::array;
using boost::json::object;

// --------------------------------------------------------------------------------------------------------- writing

Json figure(const std::optional<int>& value) { return value ? Json(*value) : Json(nullptr); }
Json figure(const std::optional<Mib>& value) { return value ? Json(value->value) : Json(nullptr); }
Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

object profile_json(const Profile& profile) {
  array places;
  for (const Placement place : profile.placements)
    places.emplace_back(object{{"start", place.start}, {"size", place.size}});
  return {{"name", profile.name},
          {"nvml_enum", figure(profile.nvml_enum)},
          {"id", figure(profile.id)},
          {"compute_slices", profile.compute_slices},
          {"memory_slices", figure(profile.memory_slices)},
          {"memory_mib", figure(profile.memory)},
          {"sms", figure(profile.sms)},
          {"max_instances", profile.max_instances},
          {"placements", std::move(places)}};
}

object model_json(const CardModel& model) {
  array profiles;
  for (const Profile& profile : model.profiles) profiles.emplace_back(profile_json(profile));
  return {{"id", model.id},
          {"based_on", text_or_null(model.based_on)},
          {"product", model.products.front()},
          {"total_memory_mib", figure(model.total_memory)},
          {"compute_slices", model.compute_slices},
          {"memory_slices", figure(model.memory_slices)},
          {"sms", figure(model.sms)},
          {"max_instances", model.max_instances},
          {"mode_change_needs_reset", model.mode_change_needs_reset},
          {"profiles", std::move(profiles)}};
}

// --------------------------------------------------------------------------------------------------------- reading

std::optional<int> narrow(std::optional<std::int64_t> value) {
  return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}
std::optional<Mib> mebibytes(std::optional<std::int64_t> value) {
  return value ? std::optional(Mib{*value}) : std::nullopt;
}
int whole(const Record& record, std::string_view key) { return static_cast<int>(*record.integer(key)); }

Profile profile_of(const Record& record) {
  Profile profile;
  profile.name = *record.text("name");
  profile.nvml_enum = narrow(record.integer("nvml_enum"));
  profile.id = narrow(record.integer("id"));
  profile.compute_slices = whole(record, "compute_slices");
  profile.memory_slices = whole(record, "memory_slices");
  profile.memory = Mib{*record.integer("memory_mib")};
  profile.sms = narrow(record.integer("sms"));
  profile.max_instances = whole(record, "max_instances");
  for (const Record& place : record.records("placements"))
    profile.placements.push_back({whole(place, "start"), whole(place, "size")});
  profile.placement_evidence = Evidence::observed;
  profile.sources = {"this driver"};
  return profile;
}

CardModel model_of(const Record& record) {
  CardModel model;
  model.id = *record.text("id");
  model.based_on = record.text("based_on").value_or("");
  model.products = {*record.text("product")};
  model.total_memory = mebibytes(record.integer("total_memory_mib"));
  model.compute_slices = whole(record, "compute_slices");
  model.memory_slices = narrow(record.integer("memory_slices"));
  model.sms = narrow(record.integer("sms"));
  model.max_instances = whole(record, "max_instances");
  model.mode_change_needs_reset = *record.boolean("mode_change_needs_reset");
  model.sources = {"this driver"};
  for (const Record& profile : record.records("profiles")) model.profiles.push_back(profile_of(profile));
  return model;
}

FleetCard card_of(const Record& record) {
  FleetCard card;
  card.index = whole(record, "index");
  card.uuid = record.text("uuid").value_or("");
  if (!record.has("held_by")) return card;
  card.held_by.emplace();
  for (const FieldValue& value : record.list("held_by")) card.held_by->push_back(value.as_text());
  return card;
}

}  // namespace

array models_json(const std::vector<FleetEntry>& fleet) {
  std::map<std::string, const CardModel*> models;
  for (const FleetEntry& entry : fleet)
    if (const CardModel* model = model_with_id(entry.card); model != nullptr && model->live) models[model->id] = model;
  array result;
  for (const auto& [id, model] : models) result.emplace_back(model_json(*model));
  return result;
}

array live_json(const FleetEntry& entry) {
  array result;
  for (const FleetCard& card : entry.live) {
    Json held;
    if (card.held_by) {
      array names;
      for (const std::string& name : *card.held_by) names.emplace_back(name);
      held = std::move(names);
    }
    result.emplace_back(object{{"index", card.index}, {"uuid", text_or_null(card.uuid)}, {"held_by", std::move(held)}});
  }
  return result;
}

array left_out_json(const std::vector<LeftOut>& left_out) {
  array result;
  for (const LeftOut& card : left_out)
    result.emplace_back(object{{"node", card.position.node}, {"index", card.position.index}, {"reason", card.reason}});
  return result;
}

void read_models(const Record& root, Errors& errors) {
  for (const Record& record : root.records("models")) {
    const Result<const CardModel*> model = register_model(model_of(record));
    if (model) continue;
    Error error = model.error();
    error.place = record.place("id");
    error.help = "`carve plan` writes the models of live cards; they cannot be changed by hand: plan again";
    errors.add(std::move(error));
  }
}

void read_live(const Record& record, FleetEntry& entry, Errors& errors) {
  entry.node = record.text("node").value_or("");
  for (const Record& card : record.records("live")) entry.live.push_back(card_of(card));
  if (entry.node.empty() && entry.live.empty()) return;
  if (!entry.node.empty() && entry.nodes == 1 && std::ssize(entry.live) == entry.count) return;
  errors.add(Error{Fault::bad_input,
                   "live cards have a `node`, and `live` names each of `count` of them",
                   record.place("live"),
                   "",
                   {}});
}

void check_live(const Record& root, const std::vector<FleetEntry>& fleet, Errors& errors) {
  const auto wrong = [&](std::string message) {
    errors.add(Error{Fault::bad_input, std::move(message), root.place("fleet"), "", {}});
  };
  const auto live = std::count_if(fleet.begin(), fleet.end(), [](const FleetEntry& e) { return !e.live.empty(); });
  if (live != 0 && live != std::ssize(fleet)) wrong("a fleet has live cards only, or none");
  std::set<Position> positions;
  std::set<std::string> uuids;
  for (const FleetEntry& entry : fleet) {
    for (const FleetCard& card : entry.live) {
      if (!positions.insert({entry.node, card.index}).second)
        wrong(fmt::format("live card {} of {} stands in the fleet twice", card.index, entry.node));
      if (!card.uuid.empty() && !uuids.insert(card.uuid).second)
        wrong(fmt::format("two live cards have the UUID {}", card.uuid));
    }
  }
}

std::vector<LeftOut> read_left_out(const Record& root) {
  std::vector<LeftOut> result;
  for (const Record& record : root.records("left_out"))
    result.push_back({{*record.text("node"), whole(record, "index")}, *record.text("reason")});
  return result;
}

}  // namespace carve::plan_file
