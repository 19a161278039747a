// What a machine shall have: the short form, and the machine file with its schema.
#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "simgpu/control/control.h"
#include "text/text.h"

namespace carve::sim {

namespace {

constexpr std::int64_t largest_file = 1 << 20;

template <class Value>
struct Word {
  std::string_view word;
  Value value;
};

constexpr Word<Chooser> choosers[] = {{"near-gap", Chooser::near_gap},
                                      {"near-gap-low-3g", Chooser::near_gap_low_3g},
                                      {"ascending", Chooser::ascending},
                                      {"hostile", Chooser::hostile}};
constexpr Word<ModeChange> mode_changes[] = {{"at-once", ModeChange::at_once},
                                             {"needs-reset", ModeChange::needs_reset},
                                             {"resets-itself", ModeChange::resets_itself},
                                             {"needs-reboot", ModeChange::needs_reboot},
                                             {"pretends", ModeChange::pretends},
                                             {"ignores-reset", ModeChange::ignores_reset}};

template <class Words>
std::vector<std::string> words_of(const Words& words) {
  std::vector<std::string> found;
  for (const auto& word : words) found.emplace_back(word.word);
  return found;
}

template <class Value, std::size_t count>
std::optional<Value> value_of(const Word<Value> (&words)[count], const std::optional<std::string>& written) {
  for (const Word<Value>& word : words) {
    if (written == word.word) return word.value;
  }
  return std::nullopt;
}

const Schema& card_schema() {
  static const Schema schema{
      "a card",
      {{"card", Presence::required, Shape::text(), "", "the model, as `carve cards` lists it"},
       {"count", Presence::optional, Shape::integer({1, max_cards}), "1", "how many"},
       {"gap", Presence::optional, Shape::integer({0, 7}), "",
        "the memory slice that has no compute slice; 7 is usual"},
       {"placement", Presence::optional, Shape::choice(words_of(choosers)), "",
        "where instances go when nobody says: what was recorded of the model, if it is not given"},
       {"mode-change", Presence::optional, Shape::choice(words_of(mode_changes)), "",
        "what turning MIG on or off takes: as the model does it, if it is not given"},
       {"nvswitch", Presence::optional, Shape::integer({0, 32}), "0",
        "cards of one group are reset together; 0: alone"},
       {"profile-ids", Presence::optional, Shape::map_of(Shape::integer({0, 1024}), {1, max_profiles}), "",
        "ids of profiles, where this board has others than the catalog"}}};
  return schema;
}

const Schema& machine_schema() {
  static const Schema schema{
      "a simulated machine",
      {{"cards", Presence::required, Shape::list_of(Shape::object(card_schema()), {1, max_cards}), "",
        "in the order of their indices"},
       {"seed", Presence::optional, Shape::integer({0, 1'000'000'000}), "1",
        "UUIDs and serial numbers follow from it"}}};
  return schema;
}

CardOrder card_of(const Record& record) {
  CardOrder order;
  order.card = record.text("card").value();
  order.count = static_cast<int>(record.integer("count").value());
  if (const auto gap = record.integer("gap")) order.gap = static_cast<int>(*gap);
  order.chooser = value_of(choosers, record.text("placement"));
  order.mode_change = value_of(mode_changes, record.text("mode-change"));
  order.nvswitch_group = static_cast<int>(record.integer("nvswitch").value());
  if (const auto ids = record.value("profile-ids")) {
    for (const auto& [name, id] : ids->as_map()) order.profile_ids[name] = static_cast<int>(id.as_integer());
  }
  return order;
}

// "8xh100-80gb" or "a30".
Result<CardOrder> parse_card(std::string_view text) {
  CardOrder order;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, order.count);
  const bool counted = failure == std::errc() && stop != end && *stop == 'x';
  order.card = counted ? std::string(stop + 1, end) : std::string(text);
  if (!counted) order.count = 1;
  if (order.card.empty() || order.count < 1 || order.count > max_cards)
    return fail(Error{Fault::bad_input,
                      fmt::format("'{}' is not a count and a card", text),
                      {},
                      fmt::format("write it like 8xh100-80gb, with a count of 1 to {}", max_cards),
                      {}});
  return order;
}

}  // namespace

Result<MachineOrder> parse_cards(std::string_view text) {
  MachineOrder order;
  for (;;) {
    const std::size_t comma = std::min(text.find(','), text.size());
    TRY(CardOrder card, parse_card(text.substr(0, comma)));
    order.cards.push_back(std::move(card));
    if (comma == text.size()) return order;
    text.remove_prefix(comma + 1);
  }
}

Result<MachineOrder> read_machine_file(const std::string& path) {
  TRY(std::string bytes, read_file(path, largest_file));
  TRY(const Document document, parse_yaml(std::move(bytes), path));
  TRY(const Record record, read_record(document.root(), machine_schema()));
  MachineOrder order;
  order.seed = static_cast<std::uint64_t>(record.integer("seed").value());
  for (const Record& card : record.records("cards")) order.cards.push_back(card_of(card));
  return order;
}

Result<MachineOrder> read_order(const std::string& cards_or_file) {
  const bool file = cards_or_file.ends_with(".yaml") || cards_or_file.ends_with(".yml");
  return file ? read_machine_file(cards_or_file) : parse_cards(cards_or_file);
}

std::string machine_file_reference() { return describe_schema(machine_schema()); }

}  // namespace carve::sim
