// A line is eight digits of CRC-32, a blank, and one JSON object. What stands after the last line that is whole was
// never acted on, as a record is synced before its step begins.
#include "change/journal_text.h"

#include <zlib.h>
#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "text/text.h"

namespace carve {

namespace {

using boost::json::array;
using boost::json::object;

constexpr std::string_view format = "carve-journal/1";
constexpr std::string_view format_family = "carve-journal/";

constexpr std::array outcome_words{"done", "rolled-back", "failed", "reboot-needed"};
constexpr std::array state_words{"begun", "done", "failed"};
constexpr std::array act_keys{"destroy", "mig-off", "mig-on", "reset", "create"};

template <class Words>
std::vector<std::string> list_of(const Words& words) {
  return {words.begin(), words.end()};
}

// The value of an enumeration that stands at this word; the schema has let only known words through.
template <class Enum, class Words>
Enum meant(const Words& words, const std::string& word) {
  return static_cast<Enum>(std::find(words.begin(), words.end(), word) - words.begin());
}

// ----------------------------------------------------------------------------------------------------------- schemas

constexpr Range slices{0, 64};
constexpr auto required = Presence::required;
constexpr auto nullable = Presence::nullable;

const Schema& instance_schema() {
  static const Schema schema{"an instance",
                             {{"profile", required, Shape::text(), "", ""},
                              {"start", nullable, Shape::integer(slices), "", ""},
                              {"size", nullable, Shape::integer(slices), "", ""}},
                             KeyCount::any};
  return schema;
}

const Schema& card_schema() {
  static const Schema schema{
      "a card",
      {{"uuid", required, Shape::text(), "", ""},
       {"mig", required, Shape::boolean(), "", ""},
       {"instances", required, Shape::list_of(Shape::object(instance_schema()), {0, 64}), "", ""}},
      KeyCount::any};
  return schema;
}

Shape cards() { return Shape::list_of(Shape::object(card_schema()), {0, 4096}); }

const Schema& record_schema() {
  static const Schema schema{"a record",
                             {{"record", required, Shape::choice({"open", "step", "close"}), "", ""},
                              {"format", nullable, Shape::text(), "", ""},
                              {"number", nullable, Shape::integer({0, 1'000'000'000}), "", ""},
                              {"boot", nullable, Shape::text(), "", ""},
                              {"at", nullable, Shape::text(), "", ""},
                              {"command", nullable, Shape::text(), "", ""},
                              {"target", nullable, cards(), "", ""},
                              {"before", nullable, cards(), "", ""},
                              {"card", nullable, Shape::text(), "", ""},
                              {"act", nullable, Shape::choice(list_of(act_keys)), "", ""},
                              {"instance", nullable, Shape::object(instance_schema()), "", ""},
                              {"state", nullable, Shape::choice(list_of(state_words)), "", ""},
                              {"message", nullable, Shape::text(), "", ""},
                              {"outcome", nullable, Shape::choice(list_of(outcome_words)), "", ""}},
                             KeyCount::any};
  return schema;
}

// ----------------------------------------------------------------------------------------------------------- writing

object json_of(const WantedInstance& instance) {
  object json{{"profile", instance.profile}};
  if (instance.placement) {
    json["start"] = instance.placement->start;
    json["size"] = instance.placement->size;
  }
  return json;
}

array json_of(const Target& target) {
  array cards;
  for (const WantedCard& card : target.cards) {
    array instances;
    for (const WantedInstance& instance : card.instances) instances.push_back(json_of(instance));
    cards.push_back(object{{"uuid", card.uuid}, {"mig", card.mig}, {"instances", std::move(instances)}});
  }
  return cards;
}

// ----------------------------------------------------------------------------------------------------------- reading

int narrow(std::optional<std::int64_t> value) { return static_cast<int>(value.value_or(0)); }

WantedInstance instance_of(const Record& record) {
  WantedInstance instance{*record.text("profile"), {}};
  if (record.has("start") && record.has("size"))
    instance.placement = Placement{narrow(record.integer("start")), narrow(record.integer("size"))};
  return instance;
}

Target target_of(const Record& record, std::string_view key) {
  Target target;
  for (const Record& card : record.records(key)) {
    WantedCard wanted{*card.text("uuid"), *card.boolean("mig"), {}};
    for (const Record& instance : card.records("instances")) wanted.instances.push_back(instance_of(instance));
    target.cards.push_back(std::move(wanted));
  }
  return target;
}

Error damaged(const std::string& path, int line, std::string why) {
  return {Fault::bad_input,
          fmt::format("the journal {} is damaged: line {}: {}", path, line, why),
          {},
          "'carve status' shows the cards as they are; move the journal away to go on without it",
          {}};
}

class JournalReader {
 public:
  explicit JournalReader(const std::string& path) { journal_.path = path; }

  Result<void> take(std::string_view json, int line) {
    const auto wrong = [&](const std::string& why) { return fail(damaged(journal_.path, line, why)); };
    const auto document = parse_json(std::string(json), journal_.path);
    if (!document) return wrong(document.error().message);
    const auto record = read_record(document->root(), record_schema(), UnknownKeys::ignore);
    if (!record) return wrong(record.error().message);
    const std::string kind = *record->text("record");
    if ((kind == "open") != (line == 1)) return wrong("its records are out of order");
    if (journal_.outcome) return wrong("it goes on after its end");
    if (kind == "open") return open(*record);
    if (kind == "step") return step(*record, line);
    if (!record->has("outcome")) return wrong("it has no outcome");
    journal_.outcome = meant<Outcome>(outcome_words, *record->text("outcome"));
    return {};
  }

  Journaled done() { return std::move(journal_); }

 private:
  Result<void> open(const Record& record) {
    const std::string found = record.text("format").value_or("");
    if (found != format && found.starts_with(format_family))
      return fail(Error{Fault::bad_input,
                        fmt::format("the journal {} was written by a newer carve ({})", journal_.path, found),
                        {},
                        "go on with that version; this one knows " + std::string(format),
                        {}});
    if (found != format) return fail(damaged(journal_.path, 1, "it is no journal of carve"));
    journal_.opening = {narrow(record.integer("number")), record.text("boot").value_or(""),
                        record.text("at").value_or(""),   record.text("command").value_or(""),
                        target_of(record, "target"),      target_of(record, "before")};
    return {};
  }

  Result<void> step(const Record& record, int line) {
    if (!record.has("card") || !record.has("act") || !record.has("state"))
      return fail(damaged(journal_.path, line, "a step lacks its card, its act or its state"));
    JournalStep step;
    step.card = *record.text("card");
    step.act = meant<Act>(act_keys, *record.text("act"));
    step.state = meant<StepState>(state_words, *record.text("state"));
    step.message = record.text("message").value_or("");
    if (const auto instance = record.record("instance")) {
      const WantedInstance read = instance_of(*instance);
      step.instance = {read.profile, read.placement.value_or(Placement{})};
    }
    journal_.steps.push_back(std::move(step));
    return {};
  }

  Journaled journal_;
};

std::uint32_t checksum(std::string_view text) {
  return static_cast<std::uint32_t>(
      ::crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
}

// The JSON of a line, if its checksum fits.
std::optional<std::string_view> checked(std::string_view line) {
  constexpr std::size_t digits = 8;
  if (line.size() < digits + 2 || line[digits] != ' ') return {};
  std::uint32_t sum = 0;
  const auto [end, failed] = std::from_chars(line.data(), line.data() + digits, sum, 16);
  const std::string_view json = line.substr(digits + 1);
  if (failed != std::errc() || end != line.data() + digits || sum != checksum(json)) return {};
  return json;
}

// Whether a record stands there that was written whole.
bool has_record(std::string_view text) {
  for (std::size_t end = 0; !text.empty(); text.remove_prefix(std::min(end + 1, text.size()))) {
    end = std::min(text.find('\n'), text.size());
    if (end < text.size() && checked(text.substr(0, end))) return true;
  }
  return false;
}

}  // namespace

std::string_view to_string(Outcome outcome) { return outcome_words[static_cast<std::size_t>(outcome)]; }
std::string_view to_string(StepState state) { return state_words[static_cast<std::size_t>(state)]; }

std::string checked_line(const std::string& json) { return fmt::format("{:08x} {}\n", checksum(json), json); }

std::string opening_line(const JournalOpening& opening) {
  object json{{"record", "open"},
              {"format", format},
              {"number", opening.number},
              {"target", json_of(opening.target)},
              {"before", json_of(opening.before)}};
  // What is not known is left out: an empty text is not read again.
  if (!opening.boot.empty()) json["boot"] = opening.boot;
  if (!opening.at.empty()) json["at"] = opening.at;
  if (!opening.command.empty()) json["command"] = opening.command;
  return boost::json::serialize(json);
}

std::string step_line(const JournalStep& step) {
  object json{{"record", "step"},
              {"card", step.card},
              {"act", act_keys[static_cast<std::size_t>(step.act)]},
              {"state", to_string(step.state)}};
  if (!step.instance.profile.empty())
    json["instance"] = json_of(WantedInstance{step.instance.profile, step.instance.placement});
  if (!step.message.empty()) json["message"] = step.message;
  return boost::json::serialize(json);
}

std::string closing_line(Outcome outcome) {
  return boost::json::serialize(object{{"record", "close"}, {"outcome", to_string(outcome)}});
}

Result<std::optional<Journaled>> parse_journal(std::string_view text, const std::string& path) {
  JournalReader reader(path);
  int line = 0;
  // Room that was taken and not used is filled with zeros.
  const std::string_view rest = text.substr(std::min(text.find('\0'), text.size()));
  text.remove_suffix(rest.size());
  if (has_record(rest)) {
    const auto lines = std::count(text.begin(), text.end(), '\n');
    return fail(damaged(path, static_cast<int>(lines) + 1, "it has zeros before its end"));
  }
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const bool last = end == std::string_view::npos || end + 1 == text.size();
    const std::optional<std::string_view> json =
        end == std::string_view::npos ? std::nullopt : checked(text.substr(at, end - at));
    if (!json && last) break;
    if (!json) return fail(damaged(path, line + 1, "its checksum does not fit"));
    TRY_VOID(reader.take(*json, ++line));
    at = end + 1;
  }
  if (line == 0) return std::optional<Journaled>();
  return std::optional(reader.done());
}

}  // namespace carve
