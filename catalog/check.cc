#include "check.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace carve {

namespace {

Error error_at(Place place, std::string message) {
  Error error;
  error.message = std::move(message);
  error.place = std::move(place);
  return error;
}

// Goes through all records once and keeps what it finds wrong.
class Checker {
 public:
  explicit Checker(const CatalogFiles& files) : files_(files) {}

  Result<void> run() {
    std::set<std::string> ids;
    for (const Record& model : files_.models()) {
      const std::string id = *model.text("id");
      if (!ids.insert(id).second) errors_.add(error_at(model.place("id"), "a second card \"" + id + "\""));
      check_model(model);
    }
    for (const auto& [key, citation] : files_.sources) {
      if (!used_.contains(key)) {
        Error error;
        error.message = fmt::format("sources.yaml explains \"{}\", and no figure is from it: remove it", key);
        errors_.add(std::move(error));
      }
    }
    if (!errors_.empty()) return fail(errors_.take());
    return {};
  }

 private:
  void check_sources(const Record& record, std::string_view key) {
    for (const FieldValue& value : record.list(key)) {
      used_.insert(value.as_text());
      if (!files_.sources.contains(value.as_text())) {
        errors_.add(error_at(value.place(), fmt::format("sources.yaml does not explain \"{}\"", value.as_text())));
      }
    }
  }

  void check_model(const Record& model) {
    check_sources(model, "sources");
    for (const Record& pci : model.records("pci")) check_sources(pci, "sources");
    if (const auto memory = model.record("memory")) {
      check_sources(*memory, "sources");
      if (memory->has("total_mib") != (memory->has("sources") && memory->has("confidence"))) {
        errors_.add(error_at(memory->place(), "total_mib needs its sources and their confidence, and they it"));
      }
    }
    if (const auto sms = model.record("sms")) check_sources(*sms, "sources");
    const auto mig = model.record("mig");
    if (mig) check_sources(*mig, "enum_sources");
    if (mig.has_value() != model.has("profiles")) {
      errors_.add(error_at(model.place(), "a card with MIG has limits and profiles, one without has neither"));
    }
    std::set<std::string> names;
    for (const Record& profile : model.records("profiles")) {
      const std::string name = *profile.text("name");
      if (!names.insert(name).second) errors_.add(error_at(profile.place("name"), "a second profile " + name));
      if (mig) check_profile(profile, *mig);
    }
  }

  void check_profile(const Record& profile, const Record& mig) {
    check_sources(profile, "sources");
    if (const auto memory = profile.record("memory")) {
      const std::string as_shown = fmt::format("{:.2f}", static_cast<double>(*memory->integer("mib")) / 1024);
      if (as_shown != *memory->text("shown_gib") || *memory->integer("mib") % 64 != 0) {
        errors_.add(error_at(memory->place(), "the two figures do not agree, or not on the grid of 64 MiB"));
      }
    }
    if (*profile.integer("compute_slices") > *mig.integer("compute_slices")) {
      errors_.add(error_at(profile.place("compute_slices"), "more than the card has"));
    }
    if (const auto placements = profile.record("placements")) check_placements(*placements, profile, mig);
  }

  void check_placements(const Record& placements, const Record& profile, const Record& mig) {
    check_sources(placements, "sources");
    const auto complain = [&](const char* message) { errors_.add(error_at(placements.place(), message)); };
    if ((*placements.text("evidence") == "observed") != placements.has("confidence")) {
      complain("what was observed has a confidence, what was inferred has none");
    }
    if (!mig.has("memory_slices") || placements.integer("size") != profile.integer("memory_slices")) {
      complain("the size must be the profile's memory slices, on a grid that is known");
      return;
    }
    std::int64_t before = -1;
    for (const FieldValue& start : placements.list("starts")) {
      if (start.as_integer() <= before) complain("starts must ascend");
      before = start.as_integer();
    }
    if (before + *placements.integer("size") > *mig.integer("memory_slices")) complain("reaches beyond the grid");
  }

  const CatalogFiles& files_;
  std::set<std::string> used_;
  Errors errors_;
};

}  // namespace

std::vector<Record> CatalogFiles::models() const {
  std::vector<Record> all;
  for (const CatalogFile& file : cards) {
    for (const Record& model : file.record.records("models")) all.push_back(model);
  }
  std::sort(all.begin(), all.end(), [](const Record& a, const Record& b) { return *a.text("id") < *b.text("id"); });
  return all;
}

Result<void> check_catalog(const CatalogFiles& files) { return Checker(files).run(); }

}  // namespace carve
