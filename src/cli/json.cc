#include "cli/json.h"

#include <boost/json.hpp>

namespace carve {

namespace {

namespace json = boost::json;

json::value text(std::string_view words) { return json::string(words); }

// Unknown figures are null; null never means zero.
template <class T>
json::value or_null(const std::optional<T>& value) {
  if (!value) return nullptr;
  if constexpr (requires { value->value; })
    return value->value;
  else
    return *value;
}

template <class List, class Function>
json::array each(const List& list, const Function& to_json) {
  json::array result;
  for (const auto& item : list) result.push_back(to_json(item));
  return result;
}

json::array texts(const std::vector<std::string>& list) {
  return each(list, [](const std::string& item) { return text(item); });
}

std::string_view evidence_name(Evidence evidence) {
  switch (evidence) {
    case Evidence::observed:
      return "observed";
    case Evidence::inferred:
      return "inferred";
    case Evidence::unknown:
      break;
  }
  return "unknown";
}

json::value profile_json(const Profile& profile) {
  const Engines& engines = profile.engines;
  return json::object{{"name", profile.name},
                      {"nvml_enum", or_null(profile.nvml_enum)},
                      {"id", or_null(profile.id)},
                      {"compute_slices", profile.compute_slices},
                      {"memory_slices", or_null(profile.memory_slices)},
                      {"memory_mib", or_null(profile.memory)},
                      {"sms", or_null(profile.sms)},
                      {"max_instances", profile.max_instances},
                      {"engines", json::object{{"copy", or_null(engines.copy)},
                                               {"decoder", or_null(engines.decoder)},
                                               {"encoder", or_null(engines.encoder)},
                                               {"jpeg", or_null(engines.jpeg)},
                                               {"ofa", or_null(engines.ofa)}}},
                      {"placements", each(profile.placements,
                                          [](Placement p) {
                                            return json::object{{"start", p.start}, {"size", p.size}};
                                          })},
                      {"placement_evidence", text(evidence_name(profile.placement_evidence))},
                      {"sources", texts(profile.sources)},
                      {"note", profile.note}};
}

json::object model_json(const CardModel& model) {
  return {{"id", model.id},
          {"products", texts(model.products)},
          {"architecture", model.architecture},
          {"chip", model.chip},
          {"compute_capability", model.compute_capability.empty() ? json::value() : text(model.compute_capability)},
          {"nominal_memory_gb", or_null(model.nominal_memory_gb)},
          {"total_memory_mib", or_null(model.total_memory)},
          {"sms", or_null(model.sms)},
          {"mig", model.has_mig()},
          {"can_be_cut", model.can_be_cut()},
          {"compute_slices", model.compute_slices},
          {"memory_slices", or_null(model.memory_slices)},
          {"max_instances", model.max_instances},
          {"mode_change_needs_reset", model.mode_change_needs_reset},
          {"sources", texts(model.sources)},
          {"notes", texts(model.notes)},
          {"profiles", each(model.profiles, profile_json)}};
}

json::array guarantee_names(Guarantees guarantees) {
  return each(guarantees.list(), [](Guarantee g) { return text(to_string(g)); });
}

json::value guarantee_row(const GuaranteeRow& row) {
  json::object by_choice;
  for (std::size_t i = 0; i < all_choices.size(); ++i)
    by_choice[to_string(all_choices[i])] =
        json::object{{"given", row.by_choice[i].given}, {"condition", text(row.by_choice[i].condition)}};
  return json::object{{"key", text(row.key)}, {"meaning", text(row.meaning)}, {"by_choice", std::move(by_choice)}};
}

json::value finding_json(const Finding& finding) {
  return json::object{{"code", finding.code},
                      {"severity", text(to_string(finding.severity))},
                      {"subject", finding.subject},
                      {"message", finding.message},
                      {"remedy", finding.remedy}};
}

json::value unplaced_json(const Unplaced& left) {
  return json::object{{"workload", left.workload},        {"replica", left.first}, {"count", left.count},
                      {"rate_milli", or_null(left.rate)}, {"reason", left.reason}, {"nearest", left.nearest}};
}

json::value partition_fit(const Workload& workload, const CardModel& model, const PartitionKind& kind,
                          const Plan& plan) {
  const Fit found = fit(workload, model, kind, plan.limits);
  return json::object{
      {"wall", text(to_string(kind.wall))}, {"profile", kind.name.empty() ? json::value() : text(kind.name)},
      {"memory_mib", kind.memory.value},    {"memory_derived", kind.memory_derived},
      {"sms", or_null(kind.sms)},           {"fits", found.fits()},
      {"sentence", found.sentence}};
}

json::value decision_json(const Chosen& chosen, const Workload& workload, const Plan& plan) {
  const Decision& decision = chosen.decision;
  json::array partitions;
  if (const auto match = find_model(decision.card); match)
    partitions = each(partition_kinds(*match->model),
                      [&](const PartitionKind& kind) { return partition_fit(workload, *match->model, kind, plan); });
  return json::object{{"card", decision.card},
                      {"choice", text(to_string(decision.choice))},
                      {"profiles", texts(chosen.profiles)},
                      {"because", texts(decision.because)},
                      {"refused", each(decision.refused,
                                       [](const Refusal& refusal) {
                                         return json::object{{"choice", text(to_string(refusal.choice))},
                                                             {"missing", guarantee_names(refusal.missing)},
                                                             {"why", refusal.why},
                                                             {"would_allow", refusal.would_allow}};
                                       })},
                      {"partitions", std::move(partitions)}};
}

}  // namespace

std::string cards_json() {
  return write_json(json::object{{"format", "carve-cards/1"}, {"cards", each(catalog(), model_json)}});
}

std::string card_json(const ModelMatch& match) {
  return write_json(json::object{{"format", "carve-cards/1"},
                                 {"also_fit", texts(match.also_fit)},
                                 {"cards", json::array{model_json(*match.model)}}});
}

std::string mechanisms_json() {
  return write_json(json::object{{"format", "carve-mechanisms/1"},
                                 {"choices", each(all_choices,
                                                  [](Choice choice) {
                                                    return json::object{{"choice", text(to_string(choice))},
                                                                        {"title", text(title(choice))},
                                                                        {"gives", guarantee_names(given_by(choice))}};
                                                  })},
                                 {"guarantees", each(guarantee_table(), guarantee_row)},
                                 {"needs", each(need_table(),
                                                [](const NeedRow& row) {
                                                  return json::object{{"who", text(row.who)},
                                                                      {"needs", guarantee_names(row.needs)},
                                                                      {"drops", guarantee_names(row.drops)},
                                                                      {"because", text(row.because)}};
                                                })},
                                 {"limits", each(limit_table(), [](const MechanismLimit& row) {
                                    return json::object{{"choice", text(row.choice)}, {"limit", text(row.limit)}};
                                  })}});
}

std::string why_json(const Plan& plan, const Workload& workload) {
  json::array decisions;
  for (const Chosen& chosen : plan.decisions)
    if (chosen.decision.workload == workload.name) decisions.push_back(decision_json(chosen, workload, plan));
  json::array unplaced;
  for (const Unplaced& left : plan.unplaced)
    if (left.workload == workload.name) unplaced.push_back(unplaced_json(left));
  return write_json(json::object{{"format", "carve-why/1"},
                                 {"workload", workload_to_json(workload)},
                                 {"decisions", std::move(decisions)},
                                 {"unplaced", std::move(unplaced)}});
}

std::string check_json(const Plan& plan, const Verification& verification) {
  const Summary& claimed = plan.summary;
  return write_json(
      json::object{{"format", "carve-check/1"},
                   {"valid", verification.violations.empty()},
                   {"violations", each(verification.violations,
                                       [](const Violation& v) {
                                         return json::object{{"subject", v.subject}, {"message", v.message}};
                                       })},
                   {"unplaced", each(plan.unplaced, unplaced_json)},
                   {"bound", json::object{{"cost", verification.cost},
                                          {"cost_lower_bound", verification.cost_lower_bound},
                                          {"lower_bound", verification.lower_bound},
                                          {"claimed_cost", claimed.cost},
                                          {"claimed_cost_lower_bound", claimed.cost_lower_bound},
                                          {"claimed_lower_bound", claimed.lower_bound}}},
                   {"answers", each(answers(plan, plan.findings),
                                    [](const Answer& answer) {
                                      return json::object{{"key", answer.key},
                                                          {"question", answer.question},
                                                          {"yes", answer.yes},
                                                          {"sentence", answer.sentence}};
                                    })},
                   {"findings", each(plan.findings, finding_json)}});
}

}  // namespace carve
