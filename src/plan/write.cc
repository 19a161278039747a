// Writes the file. All but the cards is small and goes through write_json(). The cards may be a hundred thousand: a
// class is rendered once, as fragments of text with gaps for what differs from card to card, and the gaps are filled
// per card.
#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "plan/live.h"
#include "plan/plan.h"
#include "plan/schema.h"

namespace carve {

namespace {

using boost::json::array;
using boost::json::object;

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json texts(const std::vector<std::string>& list) {
  array result;
  for (const std::string& text : list) result.emplace_back(text);
  return result;
}

// ------------------------------------------------------------------------------------------------- all but cards

Json fleet_json(const std::vector<FleetEntry>& fleet) {
  array result;
  for (const FleetEntry& entry : fleet) {
    object json{{"asked", text_or_null(entry.asked)}, {"card", entry.card}};
    if (!entry.also_fit.empty()) json["also_fit"] = texts(entry.also_fit);
    json["count"] = entry.count;
    json["cost"] = entry.cost;
    json["nodes"] = entry.nodes;
    if (!entry.live.empty()) {
      json["node"] = entry.node;
      json["live"] = plan_file::live_json(entry);
    }
    result.emplace_back(std::move(json));
  }
  return result;
}

Json limits_json(const Limits& limits) {
  return object{{"duty_permille", limits.duty.value},
                {"thread_percent", limits.thread_percent},
                {"mps_clients", limits.mps_clients}};
}

Json unplaced_json(const std::vector<Unplaced>& unplaced) {
  array result;
  for (const Unplaced& u : unplaced) {
    result.emplace_back(object{{"workload", u.workload},
                               {"replica", u.first},
                               {"count", u.count},
                               {"rate_milli", u.rate ? Json(u.rate->value) : Json(nullptr)},
                               {"reason", text_or_null(u.reason)},
                               {"nearest", text_or_null(u.nearest)}});
  }
  return result;
}

Json refusals_json(const std::vector<Refusal>& refused) {
  array result;
  for (const Refusal& refusal : refused) {
    array missing;
    for (const Guarantee guarantee : refusal.missing.list()) missing.emplace_back(to_string(guarantee));
    result.emplace_back(object{{"choice", to_string(refusal.choice)},
                               {"missing", std::move(missing)},
                               {"why", text_or_null(refusal.why)},
                               {"would_allow", text_or_null(refusal.would_allow)}});
  }
  return result;
}

std::string_view mechanism_of(Choice choice) {
  if (choice == Choice::time_slicing) return to_string(Mechanism::time_slicing);
  return to_string(choice == Choice::mps ? Mechanism::mps : Mechanism::exclusive);
}

std::string_view wall_of(const Chosen& chosen) {
  const bool whole = std::find(chosen.profiles.begin(), chosen.profiles.end(), "card") != chosen.profiles.end();
  return to_string(whole ? Wall::card : Wall::mig);
}

Json decisions_json(const std::vector<Chosen>& decisions) {
  array result;
  for (const Chosen& chosen : decisions) {
    const Decision& decision = chosen.decision;
    result.emplace_back(object{{"workload", decision.workload},
                               {"card", decision.card},
                               {"choice", to_string(decision.choice)},
                               {"wall", chosen.profiles.empty() ? Json(nullptr) : Json(wall_of(chosen))},
                               {"mechanism", mechanism_of(decision.choice)},
                               {"profiles", texts(chosen.profiles)},
                               {"because", texts(decision.because)},
                               {"refused", refusals_json(decision.refused)}});
  }
  return result;
}

Json findings_json(const std::vector<Finding>& findings) {
  array result;
  for (const Finding& finding : findings) {
    result.emplace_back(object{{"code", finding.code},
                               {"severity", to_string(finding.severity)},
                               {"subject", text_or_null(finding.subject)},
                               {"message", text_or_null(finding.message)},
                               {"remedy", text_or_null(finding.remedy)}});
  }
  return result;
}

Json proof_json(const Proof& proof) {
  array prices;
  for (const Price& price : proof.prices) {
    prices.emplace_back(object{{"workload", price.workload}, {"price", price.price}});
  }
  return object{{"scale", proof_scale}, {"prices", std::move(prices)}, {"search_complete", proof.search_complete}};
}

Json summary_json(const Summary& summary) {
  return object{{"cards_used", summary.cards_used},
                {"lower_bound", summary.lower_bound},
                {"cost", summary.cost},
                {"cost_lower_bound", summary.cost_lower_bound},
                {"optimal", summary.optimal},
                {"replicas", summary.replicas},
                {"placed", summary.placed},
                {"stranded_memory_mib", summary.stranded_memory.value},
                {"free_largest_profile", text_or_null(summary.free_largest_profile)}};
}

// ------------------------------------------------------------------------------------------------------- the cards

std::string quoted(std::string_view text) { return boost::json::serialize(boost::json::string(text)); }

template <class Unit>
std::string number_or_null(const std::optional<Quantity<Unit>>& value) {
  return value ? fmt::to_string(value->value) : "null";
}
std::string number_or_null(const std::optional<int>& value) { return value ? fmt::to_string(*value) : "null"; }

// A fragment of text, and the number that follows it: first + i * step on card i of the class.
struct Gap {
  std::string before;
  std::int64_t first;
  std::int64_t step;
};

// A class as text with gaps. Between `{"node": ` and the gaps stand the position and the UUID of the card.
class Template {
 public:
  explicit Template(const CardClass& cards) : model_(quoted(cards.model)) {
    text_ = fmt::format(", \"mig\": {},\n     \"partitions\": [", cards.mig);
    std::string_view separator = "\n      ";
    for (const Partition& partition : cards.partitions) {
      text_ += separator;
      add(partition);
      separator = ",\n      ";
    }
    text_ += "]}";
  }

  void fill(const Position& position, std::string_view uuid, std::int64_t card, std::string& out) const {
    out += "{\"node\": ";
    out += quoted(position.node);
    out += ", \"index\": ";
    number(position.index, out);
    out += ", \"model\": " + model_ + ", \"uuid\": " + (uuid.empty() ? "null" : quoted(uuid));
    for (const Gap& gap : gaps_) {
      out += gap.before;
      number(gap.first + card * gap.step, out);
    }
    out += text_;
  }

 private:
  static void number(std::int64_t value, std::string& out) {
    char digits[20];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    out.append(digits, end);
  }

  void gap(std::int64_t first, std::int64_t step) {
    gaps_.push_back({std::move(text_), first, step});
    text_.clear();
  }

  void add(const Partition& partition) {
    const auto& place = partition.placement;
    text_ += fmt::format(
        R"({{"wall": "{}", "profile": {}, "start": {}, "size": {}, "mechanism": "{}", "memory_mib": {}, "shares": [)",
        to_string(partition.wall), partition.profile.empty() ? "null" : quoted(partition.profile),
        place ? fmt::to_string(place->start) : "null", place ? fmt::to_string(place->size) : "null",
        to_string(partition.mechanism), partition.memory.value);
    std::string_view separator = "\n        ";
    for (const Share& share : partition.shares) {
      for (std::int64_t k = 0; k < share.count; ++k) {
        text_ += separator;
        add(share, k);
        separator = ",\n        ";
      }
    }
    text_ += "]}";
  }

  // The `k`-th replica of the share.
  void add(const Share& share, std::int64_t k) {
    text_ += fmt::format(R"({{"workload": {}, "replica": )", quoted(share.workload));
    gap(share.first + k, share.count);
    if (share.tenant_each) {
      std::string name = quoted(share.workload);
      name.pop_back();
      text_ += fmt::format(R"(, "tenant": {}/)", name);
      gap(share.first + k, share.count);
      text_ += R"(", "tenant_each": true)";
    } else {
      text_ += fmt::format(R"(, "tenant": {})", share.tenant.empty() ? "null" : quoted(share.tenant));
    }
    text_ += fmt::format(
        R"(, "memory_mib": {}, "compute_permille": {}, "processes": {}, "batch": {}, "throughput_milli": {}, )"
        R"("memory_limit_mib": {}, "thread_percent": {}}})",
        share.memory.value, number_or_null(share.compute), share.processes, number_or_null(share.batch),
        number_or_null(share.throughput), number_or_null(share.memory_limit), number_or_null(share.thread_percent));
  }

  std::string model_;
  std::vector<Gap> gaps_;
  std::string text_;  // after the last gap
};

// One card, and where it sorts: hosts by the text before their number, then by the number; live cards as the fleet has
// them.
struct Card {
  std::int64_t rank;  // of a live card in the fleet, else 0
  std::string_view host_text;
  std::int64_t host_number;
  std::string_view node;
  int index;
  std::size_t cards;   // class
  std::int64_t place;  // in the class

  auto key() const { return std::tie(rank, host_text, host_number, node, index, cards, place); }
};

// The live cards of a fleet, with their ranks.
struct Ranked {
  std::int64_t rank = 0;
  std::string uuid;
};
std::map<Position, Ranked> ranks_of(const std::vector<FleetEntry>& fleet) {
  std::map<Position, Ranked> ranks;
  for (const FleetEntry& entry : fleet)
    for (const FleetCard& card : entry.live)
      ranks.try_emplace({entry.node, card.index}, Ranked{std::ssize(ranks), card.uuid});
  return ranks;
}

Card card_at(const Position& position, std::size_t cards, std::int64_t place) {
  const std::string_view node = position.node;
  const std::size_t last_other = node.find_last_not_of("0123456789");
  const std::size_t digits = last_other == std::string_view::npos ? 0 : last_other + 1;
  std::int64_t number = -1;
  if (std::from_chars(node.data() + digits, node.data() + node.size(), number).ec != std::errc()) number = -1;
  return {0, node.substr(0, digits), number, node, position.index, cards, place};
}

std::string cards_text(const std::vector<CardClass>& classes, const std::vector<FleetEntry>& fleet) {
  const std::map<Position, Ranked> ranks = ranks_of(fleet);
  const Ranked unranked;
  const auto ranked = [&](const Position& position) -> const Ranked& {
    const auto found = ranks.find(position);
    return found == ranks.end() ? unranked : found->second;
  };
  std::vector<Template> templates(classes.begin(), classes.end());
  std::vector<Card> order;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (std::size_t i = 0; i < classes[c].positions.size(); ++i) {
      order.push_back(card_at(classes[c].positions[i], c, static_cast<std::int64_t>(i)));
      order.back().rank = ranked(classes[c].positions[i]).rank;
    }
  }
  std::sort(order.begin(), order.end(), [](const Card& a, const Card& b) { return a.key() < b.key(); });
  std::string text = "[";
  std::string_view separator = "\n    ";
  for (const Card& card : order) {
    text += separator;
    const Position& position = classes[card.cards].positions[static_cast<std::size_t>(card.place)];
    templates[card.cards].fill(position, ranked(position).uuid, card.place, text);
    separator = ",\n    ";
  }
  text += order.empty() ? "]" : "\n  ]";
  return text;
}

}  // namespace

std::string write_plan(const Plan& plan) {
  array workloads;
  for (const Workload& workload : plan.workloads) workloads.push_back(workload_to_json(workload));
  object whole{{"format", plan_file::format}};
  if (array models = plan_file::models_json(plan.fleet); !models.empty()) whole["models"] = std::move(models);
  whole["fleet"] = fleet_json(plan.fleet);
  if (!plan.left_out.empty()) whole["left_out"] = plan_file::left_out_json(plan.left_out);
  whole["limits"] = limits_json(plan.limits);
  whole["workloads"] = std::move(workloads);
  whole["cards"] = nullptr;
  whole["unplaced"] = unplaced_json(plan.unplaced);
  whole["decisions"] = decisions_json(plan.decisions);
  whole["findings"] = findings_json(plan.findings);
  whole["proof"] = proof_json(plan.proof);
  whole["summary"] = summary_json(plan.summary);
  std::string text = write_json(whole);
  // Only a key of the outermost object stands two columns in at the beginning of a line.
  constexpr std::string_view hole = "\n  \"cards\": null,";
  constexpr std::size_t kept = hole.size() - std::string_view("null,").size();
  const std::size_t at = text.find(hole) + kept;
  text.replace(at, std::string_view("null").size(), cards_text(plan.cards, plan.fleet));
  return text;
}

}  // namespace carve
