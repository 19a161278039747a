// Every span of a row is an array of its own with a number in its name; equal arrays are written once. A figure that is
// not in the files is not written either: the row's default is `no_figure`.
#include "write.h"

#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace carve {

namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// The initialiser of one row: ".name = value, " for each figure that is known.
class Fields {
 public:
  Fields& put(std::string_view name, std::string_view value) {
    text_ += fmt::format("{}.{} = {}", text_.empty() ? "" : ", ", name, value);
    return *this;
  }
  Fields& text(std::string_view name, const std::optional<std::string>& value) {
    return value ? put(name, quoted(*value)) : *this;
  }
  Fields& number(std::string_view name, std::optional<std::int64_t> value) {
    return value ? put(name, fmt::format("{}", *value)) : *this;
  }
  std::string braced() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

class Writer {
 public:
  explicit Writer(const CatalogFiles& files) : files_(files) {}

  std::string run() {
    std::vector<std::string> models, sources;
    for (const Record& model : files_.models()) models.push_back(model_row(model));
    for (const auto& [key, citation] : files_.sources) {
      sources.push_back(fmt::format("{{{}, {}}}", quoted(key), quoted(citation)));
    }
    const std::string model_rows = array("ModelRow", models);
    const std::string source_rows = array("SourceRow", sources);
    return fmt::format(
        "// Generated from catalog/*.yaml when carve is built.\n#include \"card/catalog_table.h\"\n\n"
        "namespace carve {{\n\nnamespace {{\n\n{}\n}}  // namespace\n\n"
        "std::span<const ModelRow> catalog_rows() {{ return {}; }}\n"
        "std::span<const SourceRow> catalog_source_rows() {{ return {}; }}\n\n}}  // namespace carve\n",
        arrays_, model_rows, source_rows);
  }

 private:
  // The name of an array with these items; "{}" if there are none.
  std::string array(std::string_view type, const std::vector<std::string>& items) {
    if (items.empty()) return "{}";
    const std::string content = fmt::format("constexpr {} NAME[] = {{{}}};\n", type, fmt::join(items, ",\n    "));
    const auto [known, is_new] = names_.try_emplace(content, fmt::format("array_{}", names_.size()));
    if (is_new)
      arrays_ += fmt::format("constexpr {} {}[] = {{{}}};\n", type, known->second, fmt::join(items, ",\n    "));
    return known->second;
  }

  std::string texts(const Record& record, std::string_view key) {
    std::vector<std::string> items;
    for (const FieldValue& value : record.list(key)) items.push_back(quoted(value.as_text()));
    return array("std::string_view", items);
  }

  std::string provenance(const Record& record) {
    Fields fields;
    fields.put("sources", texts(record, "sources"));
    if (const auto confidence = record.text("confidence")) fields.put("confidence", "Confidence::" + *confidence);
    return fields.braced();
  }

  std::string pci_row(const Record& pci) {
    const std::string id = *pci.text("id");
    std::int64_t number = 0;
    std::from_chars(id.data() + 2, id.data() + id.size(), number, 16);
    return Fields().number("device_id", number).text("name", pci.text("name")).put("from", provenance(pci)).braced();
  }

  std::string profile_row(const Record& profile) {
    Fields row;
    row.text("name", profile.text("name")).number("nvml_enum", profile.integer("enum"));
    row.number("id", profile.integer("id")).number("compute_slices", profile.integer("compute_slices"));
    row.number("memory_slices", profile.integer("memory_slices"));
    if (const auto memory = profile.record("memory")) row.number("memory_mib", memory->integer("mib"));
    row.number("sms", profile.integer("sms")).number("max_instances", profile.integer("max_instances"));
    if (const auto engines = profile.record("engines")) {
      row.number("copy_engines", engines->integer("copy")).number("decoders", engines->integer("decoder"));
      row.number("encoders", engines->integer("encoder")).number("jpeg_engines", engines->integer("jpeg"));
      row.number("ofa_engines", engines->integer("ofa"));
    }
    if (const auto p2p = profile.text("p2p"))
      row.put("p2p", *p2p == "shown-yes" ? "PeerToPeer::yes" : "PeerToPeer::no");
    if (const auto placements = profile.record("placements")) {
      std::vector<std::string> starts;
      for (const FieldValue& start : placements->list("starts"))
        starts.push_back(fmt::format("{}", start.as_integer()));
      row.number("placement_size", placements->integer("size")).put("placement_starts", array("std::int32_t", starts));
      row.put("placement_evidence", "RowEvidence::" + *placements->text("evidence"));
      row.put("placements_from", provenance(*placements));
    }
    row.put("figures_from", provenance(profile)).text("note", profile.text("note"));
    return row.braced();
  }

  std::string model_row(const Record& model) {
    Fields row;
    row.text("id", model.text("id")).put("products", texts(model, "products"));
    row.text("architecture", model.text("architecture")).text("chip", model.text("chip"));
    row.text("compute_capability", model.text("compute_capability")).put("board_from", provenance(model));
    std::vector<std::string> pci, profiles;
    for (const Record& id : model.records("pci")) pci.push_back(pci_row(id));
    for (const Record& profile : model.records("profiles")) profiles.push_back(profile_row(profile));
    row.put("pci", array("PciRow", pci));
    if (const auto memory = model.record("memory")) {
      row.number("nominal_gb", memory->integer("nominal_gb")).number("total_mib", memory->integer("total_mib"));
      row.put("total_from", provenance(*memory)).text("total_note", memory->text("note"));
    }
    if (const auto sms = model.record("sms"))
      row.number("sms", sms->integer("total")).put("sms_from", provenance(*sms));
    if (const auto mig = model.record("mig")) {
      row.number("compute_slices", mig->integer("compute_slices"));
      row.number("memory_slices", mig->integer("memory_slices")).number("max_instances", mig->integer("max_instances"));
      const bool resets = *mig->text("mode_change") == "needs-reset";
      row.put("mode_change", resets ? "ModeChange::needs_reset" : "ModeChange::without_reset");
      row.put("grid_evidence", "RowEvidence::" + *mig->text("grid")).put("enum_sources", texts(*mig, "enum_sources"));
    }
    row.put("notes", texts(model, "notes")).put("profiles", array("ProfileRow", profiles));
    return row.braced();
  }

  const CatalogFiles& files_;
  std::map<std::string, std::string> names_;  // content of an array to its name
  std::string arrays_;
};

}  // namespace

std::string catalog_table_source(const CatalogFiles& files) { return Writer(files).run(); }

}  // namespace carve
