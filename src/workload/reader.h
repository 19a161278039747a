// What the files of this room hand to each other. Inside this room only.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "workload/schema.h"
#include "workload/workload.h"

namespace carve {

// An error at the value of `key`, or at the record if the key is missing.
Error error_at(const Record&, std::string_view key, std::string message, std::string help);

// The model id that a name means; an error has the place of the name.
Result<std::string> model_id(std::string_view name, const Place& place);

// A workload from a record of either schema, without its tenant and its measured rows.
// Errors of the cards that it names are added; the result then is not used.
Workload workload_of(const Record&, Errors&);

// A workload and the record that it was made of.
struct Draft {
  const Record& record;
  const Workload& workload;

  bool has(std::string_view key) const { return record.has(key); }
};
// What contradicts itself.
void check_rules(const Draft&, Errors&);

// The measured tables of one workload file: each is read once.
class MeasuredTables {
 public:
  // `folder` ends with a slash, or is empty for the current folder.
  explicit MeasuredTables(std::string folder) : folder_(std::move(folder)) {}
  // The sorted rows of a table, or its errors; the place of the key that names it if it cannot be opened.
  const Result<std::vector<MeasuredRow>>& rows(const std::string& path, const Place& named_at);

 private:
  std::string folder_;
  std::map<std::string, Result<std::vector<MeasuredRow>>> tables_;
};
Result<std::vector<MeasuredRow>> parse_measured(const std::string& text, const std::string& path);

// The rows of a plan file.
std::vector<MeasuredRow> planned_rows(const Record& workload, Errors&);

std::vector<FleetEntry> fleet_of(const std::vector<Record>&, Errors&);
Limits limits_of(const Record&, Errors&);

}  // namespace carve
