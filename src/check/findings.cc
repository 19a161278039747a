// The list of findings: gathered area by area, equal ones merged, put in order.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "check/finding_list.h"
#include "check/subject.h"
#include "check/verifier.h"

namespace carve {

namespace {

Severity severity_of(std::string_view code) {
  for (const FindingCode& known : finding_codes()) {
    if (known.code == code) return known.severity;
  }
  return Severity::error;  // a code without a row; the tests hold that there is none
}

void find_unplaced(const Plan& plan, FindingList& found) {
  for (const Unplaced& unplaced : plan.unplaced) {
    const std::string what =
        unplaced.rate ? fmt::format("{} of the rate", to_string(*unplaced.rate)) : counted(unplaced.count, "replica");
    const std::string subject =
        unplaced.rate ? unplaced.workload : replica_names(unplaced.workload, unplaced.first, unplaced.count);
    found.add("unplaced", subject,
              {fmt::format("{} of {} found no place: {}", what, unplaced.workload, unplaced.reason), unplaced.nearest});
  }
}

constexpr std::array areas{find_unplaced, find_trust, find_memory, find_time, find_scheduler, find_cards, find_unknown};

}  // namespace

void FindingList::add(std::string_view code, std::string subject, Text text, std::int64_t count) {
  for (Entry& entry : entries_) {
    if (entry.finding.code == code && entry.finding.message == text.message && entry.finding.remedy == text.remedy) {
      entry.count += count;
      return;
    }
  }
  Finding finding{std::string(code), severity_of(code), std::move(subject), std::move(text.message),
                  std::move(text.remedy)};
  entries_.push_back({std::move(finding), count});
}

std::vector<Finding> FindingList::take() {
  std::vector<Finding> result;
  for (Entry& entry : entries_) {
    if (entry.count > 1) entry.finding.message += fmt::format(" ({} alike)", entry.count);
    result.push_back(std::move(entry.finding));
  }
  std::stable_sort(result.begin(), result.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.severity, a.code, a.subject) < std::tie(b.severity, b.code, b.subject);
  });
  return result;
}

std::vector<Seen> partitions_seen(const Plan& plan) {
  std::vector<Seen> result;
  for (const CardClass& cards : plan.cards) {
    const CardModel* model = model_of(cards.model);
    if (model == nullptr) continue;
    for (const Partition& partition : cards.partitions) {
      if (auto piece = piece_of(*model, partition)) result.push_back({cards, *model, partition, *piece});
    }
  }
  return result;
}

std::vector<Finding> findings(const Plan& plan) {
  FindingList found;
  for (const auto& find : areas) find(plan, found);
  return found.take();
}

}  // namespace carve
