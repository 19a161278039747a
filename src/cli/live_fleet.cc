#include "cli/live_fleet.h"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

namespace carve {

namespace {

constexpr std::size_t most_holders = 16;

// What a stranger chose (a user's name, a product) as plain ASCII: it goes into a file.
std::string plain(std::string_view text) {
  std::string result;
  for (const char c : text) result += c >= ' ' && c <= '~' ? c : '?';
  return result;
}

// "4711 alice"; each process once, in the order of the driver.
std::vector<std::string> holders(const std::vector<Occupant>& occupants) {
  std::vector<std::string> result;
  std::set<std::int32_t> seen;
  for (const Occupant& occupant : occupants) {
    if (!seen.insert(occupant.pid).second || result.size() > most_holders) continue;
    if (result.size() == most_holders) {
      result.emplace_back("and others");
      continue;
    }
    const std::string user = occupant.process ? plain(occupant.process->user) : "a user that is not known";
    result.push_back(fmt::format("process {} of {}", occupant.pid, user));
  }
  return result;
}

FleetCard fleet_card(const LiveCard& card) {
  FleetCard result;
  result.index = card.index;
  if (card.uuid) result.uuid = plain(*card.uuid);
  if (card.occupants && card.untold.empty()) result.held_by = holders(*card.occupants);
  return result;
}

bool is_free(const FleetCard& card) { return card.held_by && card.held_by->empty(); }

// The id of the card's model, which find_model() knows from then on.
Result<std::string> known_model(const LiveCard& card) {
  TRY(CardModel model, live_model(card));
  if (model_with_id(model.id) != nullptr) return model.id;
  Result<const CardModel*> known = register_model(std::move(model));
  if (known) return (*known)->id;
  Error error = std::move(known).error();
  error.fault = Fault::environment;
  return fail(std::move(error.within("cannot be planned with")));
}

Error no_card(const std::vector<LeftOut>& left_out) {
  Error error{Fault::environment, "its driver knows no card", {}, {}, {}};
  for (const LeftOut& card : left_out) {
    Error one{Fault::environment, fmt::format("card {} {}", card.position.index, card.reason), {}, {}, {}};
    if (&card == &left_out.front())
      error = std::move(one);
    else
      error.others.push_back(std::move(one));
  }
  return error;
}

}  // namespace

Result<LiveFleet> live_fleet(const Machine& machine, const std::string& host) {
  LiveFleet result;
  for (const LiveCard& card : machine.cards) {
    const Result<std::string> model = known_model(card);
    if (!model) {
      result.left_out.push_back({{host, card.index}, plain(model.error().message)});
      continue;
    }
    auto entry = std::find_if(result.fleet.begin(), result.fleet.end(),
                              [&](const FleetEntry& known) { return known.card == *model; });
    if (entry == result.fleet.end()) {
      entry = result.fleet.emplace(entry);
      entry->card = *model;
      entry->node = host;
    }
    ++entry->count;
    entry->live.push_back(fleet_card(card));
  }
  if (result.fleet.empty()) return fail(no_card(result.left_out));
  for (FleetEntry& entry : result.fleet) std::stable_partition(entry.live.begin(), entry.live.end(), is_free);
  return result;
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name.front() == '\0') return "localhost";
  return plain(name.data());
}

}  // namespace carve
