// Reads the file: first the format, then every value against the schema, then that names mean something. All errors
// come with their places.
#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "plan/live.h"
#include "plan/plan.h"
#include "plan/regroup.h"
#include "plan/schema.h"

namespace carve {

namespace {

constexpr std::int64_t file_limit = machine_written.bytes;

// ---------------------------------------------------------------------------------------------------------- words

// The member of an enumeration that a word names. The schema has let only its words through.
template <class Enum>
Enum meant(std::string_view word, std::initializer_list<Enum> members) {
  for (const Enum member : members) {
    if (to_string(member) == word) return member;
  }
  return *members.begin();
}
Wall wall_of(std::string_view word) { return meant(word, {Wall::card, Wall::mig}); }
Mechanism mechanism_of(std::string_view word) {
  return meant(word, {Mechanism::exclusive, Mechanism::mps, Mechanism::time_slicing});
}
Choice choice_of(std::string_view word) {
  return meant(word, {Choice::time_slicing, Choice::mps, Choice::mig, Choice::card});
}
Severity severity_of(std::string_view word) {
  return meant(word, {Severity::error, Severity::warning, Severity::info});
}

std::string text_or_empty(const Record& record, std::string_view key) { return record.text(key).value_or(""); }

int narrow(std::optional<std::int64_t> value) { return static_cast<int>(value.value_or(0)); }
std::optional<int> narrow_if(std::optional<std::int64_t> value) {
  return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}
template <class Quantity>
std::optional<Quantity> quantity(std::optional<std::int64_t> value) {
  return value ? std::optional(Quantity{*value}) : std::nullopt;
}

std::vector<std::string> texts(const Record& record, std::string_view key) {
  std::vector<std::string> result;
  for (const FieldValue& value : record.list(key)) result.push_back(value.as_text());
  return result;
}

// --------------------------------------------------------------------------------------------------------- reading

// A plan while it is read, with what is found wrong.
class Reader {
 public:
  explicit Reader(const Record& root) : root_(root) {}

  Result<Plan> read();

 private:
  void wrong(const Place& place, std::string message, std::string help) {
    errors_.add(Error{Fault::bad_input, std::move(message), place, std::move(help), {}});
  }
  void read_fleet();
  void read_workloads();
  void read_cards();
  Partition read_partition(const Record&, const CardModel*);
  Share read_share(const Record&);
  void read_unplaced();
  void read_decisions();
  void read_findings();
  void read_proof();
  void read_summary();

  const CardModel* model(const Record&, std::string_view key);
  std::string workload(const Record&);

  const Record& root_;
  Plan plan_;
  Errors errors_;
};

const CardModel* Reader::model(const Record& record, std::string_view key) {
  const std::string id = *record.text(key);
  if (const CardModel* known = model_with_id(id)) return known;
  wrong(record.place(key), fmt::format("`{}` is no card of the catalog, and none of `models`", id),
        "`carve cards` lists them");
  return nullptr;
}

std::string Reader::workload(const Record& record) {
  const std::string name = *record.text("workload");
  if (find_workload(plan_, name) == nullptr) {
    wrong(record.place("workload"), fmt::format("`{}` is no workload of this plan", name), "");
  }
  return name;
}

void Reader::read_fleet() {
  for (const Record& record : root_.records("fleet")) {
    FleetEntry entry;
    entry.asked = text_or_empty(record, "asked");
    entry.card = *record.text("card");
    model(record, "card");
    entry.also_fit = texts(record, "also_fit");
    entry.count = *record.integer("count");
    entry.cost = *record.integer("cost");
    entry.nodes = *record.integer("nodes");
    plan_file::read_live(record, entry, errors_);
    if (entry.count % entry.nodes != 0) {
      wrong(
          record.place("nodes"),
          fmt::format("{} cannot be spread evenly over {}", counted(entry.count, "card"), counted(entry.nodes, "host")),
          "");
    }
    plan_.fleet.push_back(std::move(entry));
  }
  plan_file::check_live(root_, plan_.fleet, errors_);
  plan_.left_out = plan_file::read_left_out(root_);
  const Record limits = *root_.record("limits");
  plan_.limits.duty = Permille{*limits.integer("duty_permille")};
  plan_.limits.thread_percent = narrow(limits.integer("thread_percent"));
  plan_.limits.mps_clients = narrow(limits.integer("mps_clients"));
}

// A tree as a value that a program made: what JSON calls a number, a truth value or null is one again.
Json json_of(const Node& node) {
  switch (node.kind()) {
    case NodeKind::null:
      return nullptr;
    case NodeKind::quoted:
      return Json(node.text());
    case NodeKind::plain: {
      boost::system::error_code error;
      Json value = boost::json::parse(node.text(), error);
      return error ? Json(node.text()) : value;
    }
    case NodeKind::sequence: {
      boost::json::array items;
      for (const Node item : node.items()) items.push_back(json_of(item));
      return items;
    }
    case NodeKind::mapping:
      break;
  }
  boost::json::object entries;
  const Node::Range range = node.items();
  for (Node::Iterator at = range.begin(); at != range.end(); ++at) {
    const Node key = *at;
    ++at;
    entries[key.text()] = json_of(*at);
  }
  return entries;
}

void Reader::read_workloads() {
  for (const Record& record : root_.records("workloads")) {
    Result<Workload> workload = workload_from_json(json_of(record.node()));
    if (!workload) {
      Error error = std::move(workload).error();
      for (Error& other : error.others) wrong(record.place(), other.message, other.help);
      wrong(record.place(), error.message, error.help);
      continue;
    }
    workload->place = record.place();
    plan_.workloads.push_back(std::move(*workload));
  }
  std::stable_sort(plan_.workloads.begin(), plan_.workloads.end(),
                   [](const Workload& a, const Workload& b) { return a.name < b.name; });
  for (std::size_t i = 1; i < plan_.workloads.size(); ++i) {
    const Workload& workload = plan_.workloads[i];
    if (plan_.workloads[i - 1].name != workload.name) continue;
    wrong(workload.place, fmt::format("two workloads are called `{}`", workload.name), "");
  }
}

Share Reader::read_share(const Record& record) {
  Share share;
  share.workload = workload(record);
  share.tenant_each = *record.boolean("tenant_each");
  if (!share.tenant_each) share.tenant = text_or_empty(record, "tenant");
  share.first = *record.integer("replica");
  share.memory = Mib{*record.integer("memory_mib")};
  share.compute = quantity<Permille>(record.integer("compute_permille"));
  share.processes = narrow(record.integer("processes"));
  share.batch = narrow_if(record.integer("batch"));
  share.throughput = quantity<MilliPerSecond>(record.integer("throughput_milli"));
  share.memory_limit = quantity<Mib>(record.integer("memory_limit_mib"));
  share.thread_percent = narrow_if(record.integer("thread_percent"));
  const std::string own = fmt::format("{}/{}", share.workload, share.first);
  if (share.tenant_each && text_or_empty(record, "tenant") != own) {
    wrong(record.place("tenant"), fmt::format("with `tenant_each` the tenant of this replica is `{}`", own), "");
  }
  return share;
}

Partition Reader::read_partition(const Record& record, const CardModel* card) {
  Partition partition;
  partition.wall = wall_of(*record.text("wall"));
  partition.profile = text_or_empty(record, "profile");
  partition.mechanism = mechanism_of(*record.text("mechanism"));
  partition.memory = Mib{*record.integer("memory_mib")};
  const auto start = record.integer("start");
  const auto size = record.integer("size");
  if (start && size) partition.placement = Placement{narrow(start), narrow(size)};
  const bool placed = start && size && !partition.profile.empty();
  const bool bare = !start && !size && partition.profile.empty();
  if (partition.wall == Wall::mig ? !placed : !bare) {
    wrong(record.place("wall"), "a MIG device has `profile`, `start` and `size`, a whole card none of them", "");
  }
  if (card != nullptr && placed && card->find_profile(partition.profile) == nullptr) {
    wrong(record.place("profile"), fmt::format("{} has no profile `{}`", card->id, partition.profile),
          card->live ? "`models` lists them" : fmt::format("`carve cards {}` lists them", card->id));
  }
  std::vector<Share> shares;
  for (const Record& share : record.records("shares")) shares.push_back(read_share(share));
  partition.shares = plan_file::joined(std::move(shares));
  return partition;
}

void Reader::read_cards() {
  plan_file::Regroup regroup;
  std::set<Position> seen;
  for (const Record& record : root_.records("cards")) {
    const CardModel* card = model(record, "model");
    std::vector<Partition> partitions;
    for (const Record& partition : record.records("partitions")) {
      partitions.push_back(read_partition(partition, card));
    }
    Position position{*record.text("node"), narrow(record.integer("index"))};
    if (!seen.insert(position).second) {
      wrong(record.place("index"), fmt::format("card {} of {} stands in the plan twice", position.index, position.node),
            "");
    }
    const FleetCard* live = live_card(plan_.fleet, position);
    if (const std::string uuid = text_or_empty(record, "uuid"); uuid != (live == nullptr ? "" : live->uuid)) {
      wrong(record.place("uuid"), "is not the UUID that the fleet has for this card", "");
    }
    regroup.add(*record.text("model"), *record.boolean("mig"), std::move(position), std::move(partitions));
  }
  plan_.cards = regroup.take();
}

void Reader::read_unplaced() {
  for (const Record& record : root_.records("unplaced")) {
    Unplaced unplaced;
    unplaced.workload = workload(record);
    unplaced.first = *record.integer("replica");
    unplaced.count = *record.integer("count");
    unplaced.rate = quantity<MilliPerSecond>(record.integer("rate_milli"));
    unplaced.reason = text_or_empty(record, "reason");
    unplaced.nearest = text_or_empty(record, "nearest");
    plan_.unplaced.push_back(std::move(unplaced));
  }
}

// The guarantees that the keys name; what is no guarantee is an error at its place.
template <class Wrong>
Guarantees guarantees_of(const Record& record, const Wrong& wrong) {
  Guarantees result;
  for (const FieldValue& value : record.list("missing")) {
    const auto row = std::find_if(guarantee_table().begin(), guarantee_table().end(),
                                  [&](const GuaranteeRow& known) { return known.key == value.as_text(); });
    if (row == guarantee_table().end()) {
      wrong(value.place(), fmt::format("`{}` is no guarantee", value.as_text()), "`carve mechanisms` lists them");
    } else {
      result = result | Guarantees{row->guarantee};
    }
  }
  return result;
}

void Reader::read_decisions() {
  const auto note = [this](const Place& place, std::string message, std::string help) {
    wrong(place, std::move(message), std::move(help));
  };
  for (const Record& record : root_.records("decisions")) {
    Chosen chosen;
    Decision& decision = chosen.decision;
    decision.workload = workload(record);
    decision.card = *record.text("card");
    model(record, "card");
    decision.choice = choice_of(*record.text("choice"));
    decision.because = texts(record, "because");
    chosen.profiles = texts(record, "profiles");
    for (const Record& refused : record.records("refused")) {
      decision.refused.push_back({choice_of(*refused.text("choice")), guarantees_of(refused, note),
                                  text_or_empty(refused, "why"), text_or_empty(refused, "would_allow")});
    }
    plan_.decisions.push_back(std::move(chosen));
  }
}

void Reader::read_findings() {
  for (const Record& record : root_.records("findings")) {
    plan_.findings.push_back({*record.text("code"), severity_of(*record.text("severity")),
                              text_or_empty(record, "subject"), text_or_empty(record, "message"),
                              text_or_empty(record, "remedy")});
  }
}

void Reader::read_proof() {
  const Record proof = *root_.record("proof");
  if (proof.integer("scale") != proof_scale) {
    wrong(proof.place("scale"), fmt::format("prices are in cost / {}", proof_scale), "");
  }
  for (const Record& record : proof.records("prices")) {
    plan_.proof.prices.push_back({workload(record), *record.integer("price")});
  }
  plan_.proof.search_complete = *proof.boolean("search_complete");
}

void Reader::read_summary() {
  const Record record = *root_.record("summary");
  Summary& summary = plan_.summary;
  summary.cards_used = *record.integer("cards_used");
  summary.lower_bound = *record.integer("lower_bound");
  summary.cost = *record.integer("cost");
  summary.cost_lower_bound = *record.integer("cost_lower_bound");
  summary.optimal = *record.boolean("optimal");
  summary.replicas = *record.integer("replicas");
  summary.placed = *record.integer("placed");
  summary.stranded_memory = Mib{*record.integer("stranded_memory_mib")};
  summary.free_largest_profile = text_or_empty(record, "free_largest_profile");
}

Result<Plan> Reader::read() {
  plan_file::read_models(root_, errors_);
  read_fleet();
  read_workloads();
  read_cards();
  read_unplaced();
  read_decisions();
  read_findings();
  read_proof();
  read_summary();
  if (!errors_.empty()) return fail(errors_.take());
  return std::move(plan_);
}

// A plan of another format is named before its values are looked at.
Result<void> check_format(Node root) {
  const std::optional<Node> format = root.is_mapping() ? root.find("format") : std::nullopt;
  const std::string_view text = format ? format->text() : std::string_view();
  if (text == plan_file::format) return {};
  const Place place = format ? format->place() : root.place();
  const std::string_view version = text.substr(std::min(text.size(), plan_file::format_prefix.size()));
  int number = 0;
  std::from_chars(version.data(), version.data() + version.size(), number);
  if (text.starts_with(plan_file::format_prefix) && number > 1) {
    return fail(Error{Fault::bad_input,
                      fmt::format("the plan is in the format {}; this carve reads {}", text, plan_file::format),
                      place,
                      "a newer carve wrote it: use that one, or plan again with this one",
                      {}});
  }
  return fail(Error{Fault::bad_input,
                    fmt::format("not a plan: its `format` is not {}", plan_file::format),
                    place,
                    "`carve plan FILE -o plan.json` writes one",
                    {}});
}

}  // namespace

Result<Plan> parse_plan(const std::string& text, const std::string& path) {
  auto parsed = parse_json(text, path);
  if (!parsed) {
    Error error = std::move(parsed).error();
    if (error.help.empty()) error.help = "this should be a plan file: `carve plan FILE -o plan.json` writes one";
    return fail(std::move(error));
  }
  const Document document = std::move(*parsed);
  TRY_VOID(check_format(document.root()));
  TRY(const Record root, read_record(document.root(), plan_file::plan_schema(), UnknownKeys::ignore));
  return Reader(root).read();
}

Result<Plan> read_plan(const std::string& path) {
  TRY(const std::string text, read_file(path, file_limit));
  return parse_plan(text, path);
}

}  // namespace carve
