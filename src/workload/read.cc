// Reading in three steps: the text becomes a tree, the schema checks it, the rules look for contradictions. Each step
// reports all that it finds and the next one begins only when there was nothing.
#include <algorithm>

#include <fmt/format.h>

#include "workload/reader.h"

namespace carve {

namespace {

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

void set_tenant(Workload& workload, const Record& record, const std::optional<std::string>& common, Errors& errors) {
  const std::optional<std::string> own = record.text("tenant");
  const std::optional<std::string>& tenant = own ? own : common;
  if (!tenant) {
    errors.add(error_at(record, "name", fmt::format("no tenant: whom `{}` trusts is not said", workload.name),
                        "add `tenant` to the workload, or once at the top of the file; `each` makes every replica a "
                        "tenant of its own; nobody is trusted by omission"));
    return;
  }
  workload.tenant_each = *tenant == "each";
  if (!workload.tenant_each) workload.tenant = *tenant;
}

void sort_by_name(std::vector<Workload>& workloads, Errors& errors) {
  std::stable_sort(workloads.begin(), workloads.end(),
                   [](const Workload& a, const Workload& b) { return a.name < b.name; });
  for (std::size_t i = 1; i < workloads.size(); ++i) {
    const Workload& first = workloads[i - 1];
    if (workloads[i].name != first.name) continue;
    errors.add(Error{Fault::bad_input,
                     fmt::format("two workloads are named `{}`; the other is at {}:{}:{}", first.name, first.place.file,
                                 first.place.line, first.place.column),
                     workloads[i].place,
                     "rename one of them",
                     {}});
  }
}

// A plan file is JSON, which is YAML: without this it would be a list of unknown keys.
Result<void> refuse_plan(Node root) {
  const std::optional<Node> format = root.is_mapping() ? root.find("format") : std::nullopt;
  if (!format || !format->text().starts_with("carve-plan/")) return {};
  return fail(Error{Fault::bad_input,
                    "this is a plan, expected a workload file",
                    format->place(),
                    "`carve check` reads plans; a workload file says what to plan for, under `workloads:`",
                    {}});
}

}  // namespace

Result<WorkloadFile> parse_workload_file(const std::string& text, const std::string& path) {
  TRY(const Document document, parse_yaml(text, path, hand_written));
  TRY_VOID(refuse_plan(document.root()));
  TRY(const Record root, read_record(document.root(), workload_file_schema()));

  Errors errors;
  WorkloadFile file;
  file.fleet = fleet_of(root.records("fleet"), errors);
  if (const auto limits = root.record("limits")) file.limits = limits_of(*limits, errors);
  MeasuredTables tables(folder_of(path));
  const std::optional<std::string> tenant = root.text("tenant");
  for (const Record& record : root.records("workloads")) {
    Workload workload = workload_of(record, errors);
    workload.place = record.place("name");
    set_tenant(workload, record, tenant, errors);
    check_rules({record, workload}, errors);
    if (const auto measured = record.text("measured")) {
      workload.measured_file = *measured;
      const auto& rows = tables.rows(*measured, record.place("measured"));
      if (rows)
        workload.measured = *rows;
      else
        errors.add(rows.error());
    }
    file.workloads.push_back(std::move(workload));
  }
  sort_by_name(file.workloads, errors);
  if (!errors.empty()) return fail(errors.take());
  return file;
}

Result<WorkloadFile> read_workload_file(const std::string& path) {
  TRY(const std::string text, read_file(path, hand_written.bytes));
  return parse_workload_file(text, path);
}

std::string describe_workload_file() {
  return fmt::format("{}\n{}", describe_schema(workload_file_schema()), describe_schema(measured_row_schema()));
}

Result<Workload> workload_from_node(Node node) {
  TRY(const Record record, read_record(node, planned_workload_schema(), UnknownKeys::ignore));
  Errors errors;
  Workload workload = workload_of(record, errors);
  set_tenant(workload, record, std::nullopt, errors);
  workload.measured_file = record.text("measured_file").value_or("");
  workload.measured = planned_rows(record, errors);
  check_rules({record, workload}, errors);
  if (!errors.empty()) return fail(errors.take());
  return workload;
}

}  // namespace carve
