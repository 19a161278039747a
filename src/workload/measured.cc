// Measured tables: CSV files named by workloads, and the same rows inline in plan files.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "workload/reader.h"

namespace carve {

namespace {

// A row without what is named differently in the two forms.
struct RowReader {
  Errors& errors;
  std::map<std::string, Result<ModelMatch>, std::less<>> models = {};

  // The model of a name, looked up once.
  const Result<ModelMatch>& model(const std::string& name) {
    auto at = models.find(name);
    if (at == models.end()) at = models.emplace(name, find_model(name)).first;
    return at->second;
  }

  MeasuredRow common(const Record& record) {
    MeasuredRow row;
    row.processes = static_cast<int>(*record.integer("processes"));
    row.batch = static_cast<int>(*record.integer("batch"));
    if (const auto memory = record.integer("memory_mib")) row.memory = Mib{*memory};
    row.profile = record.text("profile").value_or("");
    if (row.profile == "card") row.profile.clear();
    const auto& match = model(*record.text("card"));
    if (!match) {
      Error error = match.error();
      error.place = record.place("card");
      errors.add(std::move(error));
      return row;
    }
    row.card = match->model->id;
    if (!row.profile.empty() && match->model->find_profile(row.profile) == nullptr)
      unknown_profile(record, row, *match->model);
    return row;
  }

  void unknown_profile(const Record& record, const MeasuredRow& row, const CardModel& card) {
    std::vector<std::string> names;
    for (const Profile& profile : card.profiles) names.push_back(profile.name);
    const auto near = nearest(row.profile, names);
    std::string help = near            ? fmt::format("did you mean `{}`?", *near)
                       : names.empty() ? "it has no MIG: leave the cell empty for the whole card"
                                       : fmt::format("it has: {}", fmt::join(names, ", "));
    errors.add(
        error_at(record, "profile", fmt::format("{} has no profile `{}`", card.id, row.profile), std::move(help)));
  }
};

// The column that was meant: a slip of the keyboard, or its name without the unit.
std::optional<std::string> column_meant(std::string_view typed, const std::vector<std::string>& known) {
  const auto unit_left_out = std::find_if(known.begin(), known.end(), [&](const std::string& column) {
    return column.starts_with(typed) && column[typed.size()] == '_';
  });
  return unit_left_out == known.end() ? nearest(typed, known) : *unit_left_out;
}

// The columns of the header, all at once and not again for every row.
void check_header(Node first_row, Errors& errors) {
  const Schema& schema = measured_row_schema();
  std::vector<std::string> known, missing;
  for (const Field& field : schema.fields) {
    known.push_back(field.key);
    if (field.presence == Presence::required && !first_row.find(field.key)) missing.push_back(field.key);
  }
  if (!first_row.find("profile")) missing.push_back("profile");
  Place header;
  const Node::Range cells = first_row.items();
  for (Node::Iterator at = cells.begin(); at != cells.end(); ++at) {
    const Node column = *at;
    ++at;
    if (header.line == 0) header = column.place();
    if (schema.find(column.text()) != nullptr) continue;
    const auto near = column_meant(column.text(), known);
    if (near) std::erase(missing, *near);  // one slip is one error
    errors.add(Error{
        Fault::bad_input,
        fmt::format("unknown column `{}`", column.text()),
        column.place(),
        near ? fmt::format("did you mean `{}`?", *near) : fmt::format("the columns are: {}", fmt::join(known, ", ")),
        {}});
  }
  for (const std::string& column : missing)
    errors.add(Error{Fault::bad_input,
                     fmt::format("no column `{}`", column),
                     header,
                     fmt::format("add it: {}", schema.find(column)->help),
                     {}});
}

auto identity(const MeasuredRow& row) { return std::tie(row.card, row.profile, row.processes, row.batch); }

struct PlacedRow {
  MeasuredRow row;
  Place place;
};

// Sorted; two rows of one partition, processes and batch are an error at the later one.
std::vector<MeasuredRow> sorted(std::vector<PlacedRow> placed, Errors& errors) {
  std::stable_sort(placed.begin(), placed.end(),
                   [](const PlacedRow& a, const PlacedRow& b) { return identity(a.row) < identity(b.row); });
  std::vector<MeasuredRow> rows;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (i > 0 && identity(rows.back()) == identity(placed[i].row))
      errors.add(
          Error{Fault::bad_input,
                fmt::format("a second row for this card, profile, processes and batch, which line {} gave before",
                            placed[i - 1].place.line),
                placed[i].place,
                "remove one of the two",
                {}});
    rows.push_back(std::move(placed[i].row));
  }
  return rows;
}

}  // namespace

Result<std::vector<MeasuredRow>> parse_measured(const std::string& text, const std::string& path) {
  TRY(const Document document, parse_csv(text, path));
  Errors errors;
  check_header(*document.root().items().begin(), errors);
  if (!errors.empty()) return fail(errors.take());
  std::vector<PlacedRow> rows;
  RowReader reader{errors};
  for (const Node node : document.root().items()) {
    const auto record = read_record(node, measured_row_schema());
    if (!record) {
      errors.add(record.error());
      continue;
    }
    MeasuredRow row = reader.common(*record);
    row.throughput = MilliPerSecond{*record->thousandths("throughput_per_s")};
    row.latency = Micros{*record->thousandths("latency_ms")};
    rows.push_back({std::move(row), record->place()});
  }
  // A row that could not be read has no identity to compare.
  if (!errors.empty()) return fail(errors.take());
  std::vector<MeasuredRow> result = sorted(std::move(rows), errors);
  if (!errors.empty()) return fail(errors.take());
  return result;
}

const Result<std::vector<MeasuredRow>>& MeasuredTables::rows(const std::string& path, const Place& named_at) {
  const std::string full = path.starts_with('/') ? path : folder_ + path;
  if (const auto known = tables_.find(full); known != tables_.end()) return known->second;
  const auto read = [&]() -> Result<std::vector<MeasuredRow>> {
    auto text = read_file(full, measured_table.bytes);
    if (!text) {
      Error error = std::move(text).error();
      error.within("the measured table").place = named_at;
      error.help = "the path is taken relative to the folder of the workload file";
      return fail(std::move(error));
    }
    return parse_measured(*text, full);
  };
  return tables_.emplace(full, read()).first->second;
}

std::vector<MeasuredRow> planned_rows(const Record& workload, Errors& errors) {
  std::vector<PlacedRow> rows;
  RowReader reader{errors};
  for (const Record& record : workload.records("measured")) {
    MeasuredRow row = reader.common(record);
    row.throughput = MilliPerSecond{*record.integer("throughput_milli")};
    row.latency = Micros{*record.integer("latency_us")};
    rows.push_back({std::move(row), record.place()});
  }
  return sorted(std::move(rows), errors);
}

}  // namespace carve
