// The file as its own tool reads it: version v1, unknown keys refused, entries in their order.
#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "exchange/exchange.h"
#include "text/text.h"

namespace carve {

namespace {

constexpr auto required = Presence::required;
constexpr auto optional = Presence::optional;
constexpr Range indices{0, 1023};
constexpr Range instances{0, 64};
constexpr std::int64_t most_bytes = hand_written.bytes;

Shape text_or_list() { return Shape::any_of({Shape::list_of(Shape::text(), {1, 64}), Shape::text()}); }

const Schema& entry_schema() {
  static const Schema schema{
      "an entry of a layout",
      {{"devices", required,
        Shape::any_of({Shape::list_of(Shape::integer(indices), {0, 1024}), Shape::choice({"all"})}), "",
        "`all`, or indices of cards"},
       {"device-filter", optional, text_or_list(), "", "PCI device and vendor (0x233010DE), or a list of them"},
       {"mig-enabled", required, Shape::boolean(), "", "the MIG mode"},
       {"mig-devices", Presence::nullable, Shape::map_of(Shape::integer(instances), {0, 64}), "",
        "counts of instances, by profile"}},
      KeyCount::any};
  return schema;
}

const Schema& file_schema() {
  static const Schema schema{
      "a file of mig-parted",
      {{"version", required, Shape::choice({"v1"}), "", "v1"},
       {"mig-configs", required, Shape::map_of(Shape::list_of(Shape::object(entry_schema()), {1, 1024}), {1, 10'000}),
        "", "layouts, by name"}},
      KeyCount::any};
  return schema;
}

// Keys of other tools' files that people write here.
struct ForeignKey {
  std::string_view key, help;
};
constexpr std::string_view of_the_device_plugin =
    "that key is one of the Kubernetes device plugin's own file; here it never did anything: mig-parted refuses the "
    "whole file";
constexpr std::array foreign_keys{ForeignKey{"sharing", of_the_device_plugin},
                                  ForeignKey{"flags", of_the_device_plugin},
                                  ForeignKey{"resources", of_the_device_plugin}};

void explain(Error& error, Node root) {
  if (!root.is_mapping()) return;
  const auto items = root.items();
  for (auto at = items.begin(); at != items.end(); ++at, ++at)
    for (const ForeignKey& foreign : foreign_keys)
      if ((*at).text() == foreign.key && error.place == (*at).place()) error.help = foreign.help;
}

Error wrong(const Place& place, std::string message, std::string help) {
  return {Fault::bad_input, std::move(message), place, std::move(help), {}};
}

// "0x233010DE", with ":0x12345678" for a subsystem.
std::optional<std::uint32_t> hexadecimal(std::string_view text) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) return {};
  text.remove_prefix(2);
  std::uint32_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (failed != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

class Reader {
 public:
  explicit Reader(std::string path) { file_.path = std::move(path); }

  Result<MigPartedFile> read(const Record& root) {
    const auto layouts = root.value("mig-configs")->as_map();
    for (const auto& [name, entries] : layouts) {
      auto& layout = file_.layouts.emplace_back(name, std::vector<MigPartedEntry>()).second;
      for (const FieldValue& entry : entries.as_list()) layout.push_back(read_entry(entry.as_record()));
    }
    if (!errors_.empty()) return fail(errors_.take());
    return std::move(file_);
  }

 private:
  MigPartedEntry read_entry(const Record& record) {
    MigPartedEntry entry;
    entry.place = record.place();
    entry.mig = *record.boolean("mig-enabled");
    if (const FieldValue devices = *record.value("devices"); devices.type() == Type::list) {
      entry.devices.emplace();
      for (const FieldValue& value : devices.as_list()) {
        const int index = static_cast<int>(value.as_integer());
        auto& listed = *entry.devices;
        if (std::find(listed.begin(), listed.end(), index) != listed.end())
          errors_.add(wrong(value.place(), fmt::format("card {} stands there twice", index), "name each card once"));
        listed.push_back(index);
      }
    }
    read_filters(record, entry);
    read_counts(record, entry);
    return entry;
  }

  void read_filters(const Record& record, MigPartedEntry& entry) {
    const auto value = record.value("device-filter");
    if (!value) return;
    const std::vector<FieldValue> texts =
        value->type() == Type::list ? value->as_list() : std::vector<FieldValue>{*value};
    for (const FieldValue& text : texts) {
      const std::string typed = text.as_text();
      const std::size_t colon = typed.find(':');
      const auto device = hexadecimal(std::string_view(typed).substr(0, colon));
      DeviceFilter filter{device.value_or(0), {}};
      if (colon != std::string::npos) filter.subsystem = hexadecimal(std::string_view(typed).substr(colon + 1));
      if (!device || (colon != std::string::npos && !filter.subsystem))
        errors_.add(wrong(text.place(), fmt::format("`{}` is no PCI device", typed),
                          "device and vendor as in 0x233010DE; mig-parted takes it and then matches no card"));
      entry.filters.push_back(filter);
    }
  }

  void read_counts(const Record& record, MigPartedEntry& entry) {
    const auto value = record.has("mig-devices") ? record.value("mig-devices") : std::nullopt;
    int sum = 0;
    if (value) {
      for (const auto& [profile, count] : value->as_map()) {
        const int number = static_cast<int>(count.as_integer());
        sum += number;
        if (number > 0) entry.counts[profile] = number;
      }
    }
    if (!entry.mig && sum > 0)
      errors_.add(wrong(record.place("mig-devices"), "mig-devices where MIG is off", "they need `mig-enabled: true`"));
    if (entry.mig && !value)
      errors_.add(wrong(record.place(), "MIG is on, and mig-devices is missing", "`mig-devices: {}` cuts nothing"));
    if (value && !value->as_map().empty() && sum == 0)
      errors_.add(wrong(record.place("mig-devices"), "all counts are 0", "`mig-devices: {}` cuts nothing"));
  }

  MigPartedFile file_;
  Errors errors_;
};

// ---------------------------------------------------------------------------------------------------------- resolving

bool fits(const LiveCard& card, const std::vector<DeviceFilter>& filters) {
  if (filters.empty()) return true;
  return card.pci && std::any_of(filters.begin(), filters.end(),
                                 [&](const DeviceFilter& filter) { return filter.device == card.pci->device_id; });
}

bool meant(const LiveCard& card, const MigPartedEntry& entry) {
  const bool listed =
      !entry.devices || std::find(entry.devices->begin(), entry.devices->end(), card.index) != entry.devices->end();
  return listed && fits(card, entry.filters);
}

// "1c.3g.40gb": a compute instance that has a part of its GPU instance.
bool divided(const std::string& profile) { return profile.find("c.") != std::string::npos; }

Result<WantedCard> wanted_of(const LiveCard& card, const MigPartedEntry& entry) {
  if (!card.uuid)
    return fail(Error{Fault::environment,
                      fmt::format("card {} has no UUID to be known by: {}", card.index, card.uuid.error().sentence),
                      {},
                      "'carve status' shows what the driver says of it",
                      {}});
  WantedCard wanted{*card.uuid, entry.mig, {}};
  if (entry.mig && !card.mig)
    return fail(wrong(entry.place, fmt::format("card {} ({}) has no MIG", card.index, card.name.value_or("?")),
                      "leave it out by `devices` or `device-filter`"));
  for (const auto& [profile, count] : entry.counts) {
    if (divided(profile))
      return fail(
          wrong(entry.place, fmt::format("{}: carve makes one compute instance over all of a partition", profile),
                fmt::format("write {} and share it by MPS or time slicing", profile.substr(profile.find("c.") + 2))));
    for (int i = 0; i < count; ++i) wanted.instances.push_back({profile, {}});
  }
  return wanted;
}

Result<const std::vector<MigPartedEntry>*> layout_named(const MigPartedFile& file, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [known, entries] : file.layouts) {
    if (known == name || (name.empty() && file.layouts.size() == 1)) return &entries;
    names.push_back(known);
  }
  if (name.empty())
    return fail(Error{Fault::bad_input,
                      fmt::format("{} has {} layouts, and none was named", file.path, file.layouts.size()),
                      {},
                      fmt::format("--config names one: {}", fmt::join(names, ", ")),
                      {}});
  const auto near = nearest(name, names);
  return fail(Error{Fault::bad_input,
                    fmt::format("{} has no layout `{}`", file.path, name),
                    {},
                    near ? fmt::format("did you mean `{}`?", *near) : fmt::format("it has {}", fmt::join(names, ", ")),
                    {}});
}

Result<void> check_indices(const MigPartedEntry& entry, const Machine& machine) {
  if (!entry.devices) return {};
  for (const int index : *entry.devices) {
    const bool there = std::any_of(machine.cards.begin(), machine.cards.end(),
                                   [&](const LiveCard& card) { return card.index == index; });
    if (!there)
      return fail(
          wrong(entry.place, fmt::format("there is no card {}", index),
                fmt::format("this machine has {}", counted(static_cast<std::int64_t>(machine.cards.size()), "card"))));
  }
  return {};
}

}  // namespace

Result<MigPartedFile> parse_mig_parted(std::string text, const std::string& path) {
  TRY(const Document document, parse_yaml(std::move(text), path));
  auto root = read_record(document.root(), file_schema());
  if (!root) {
    explain(root.error(), document.root());
    for (Error& other : root.error().others) explain(other, document.root());
    return fail(std::move(root.error()));
  }
  return Reader(path).read(*root);
}

Result<MigPartedFile> read_mig_parted(const std::string& path) {
  TRY(std::string text, read_file(path, most_bytes));
  return parse_mig_parted(std::move(text), path);
}

Result<Target> resolve(const MigPartedFile& file, const std::string& layout, const Machine& machine) {
  TRY(const std::vector<MigPartedEntry>* entries, layout_named(file, layout));
  std::map<int, WantedCard> cards;
  for (const MigPartedEntry& entry : *entries) {
    TRY_VOID(check_indices(entry, machine));
    for (const LiveCard& card : machine.cards) {
      if (!meant(card, entry)) continue;
      TRY(WantedCard wanted, wanted_of(card, entry));
      cards.insert_or_assign(card.index, std::move(wanted));
    }
  }
  Target target;
  for (auto& [index, card] : cards) target.cards.push_back(std::move(card));
  return target;
}

Result<std::string> write_mig_parted(const Machine& machine, const std::string& layout) {
  // A text in JSON is one in YAML.
  std::string text =
      fmt::format("version: v1\nmig-configs:\n  {}:\n", boost::json::serialize(boost::json::string(layout)));
  for (const LiveCard& card : machine.cards) {
    const auto unreadable = [&](const std::string& why) {
      return fail(Error{Fault::environment,
                        fmt::format("card {} cannot be read: {}", card.index, why),
                        {},
                        "a layout is written of whole machines only; 'carve status' shows the card",
                        {}});
    };
    if (card.lost) return unreadable(*card.lost);
    const bool mig = card.mig && card.mig->current;
    if (mig && !card.instances) return unreadable(card.instances.error().sentence);
    std::map<std::string, int> counts;
    if (mig) {
      for (const LiveGpuInstance& instance : *card.instances) {
        if (!instance.profile) return unreadable(instance.profile.error().sentence);
        if (instance.compute)
          for (const LiveComputeInstance& compute : *instance.compute) ++counts[device_name(instance, compute)];
      }
    }
    text += fmt::format("    - devices: [{}]\n      mig-enabled: {}\n      mig-devices:{}\n", card.index, mig,
                        counts.empty() ? " {}" : "");
    for (const auto& [profile, count] : counts) text += fmt::format("        \"{}\": {}\n", profile, count);
  }
  return text;
}

}  // namespace carve
