// The catalog row that a name means. The simulator has its own way to look one up, so that it stands without carve's.
#include <algorithm>

#include <fmt/format.h>

#include "simgpu/control/model.h"

namespace carve::sim {

namespace {

std::vector<std::string_view> words_of(std::string_view name) {
  std::vector<std::string_view> words;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find('-'), name.size());
    if (end > 0) words.push_back(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return words;
}

bool fits(std::string_view name, std::string_view id) {
  const auto words = words_of(name);
  const auto full = words_of(id);
  return !words.empty() && std::all_of(words.begin(), words.end(), [&](std::string_view word) {
    return std::find(full.begin(), full.end(), word) != full.end();
  });
}

bool is_sxm(const ModelRow* row) { return row->id.find("-sxm") != std::string_view::npos; }

std::string ids_of(const std::vector<const ModelRow*>& rows) {
  std::string ids;
  for (const ModelRow* row : rows) ids += (ids.empty() ? "" : ", ") + std::string(row->id);
  return ids;
}

}  // namespace

Result<const ModelRow*> find_row(std::string_view name) {
  std::vector<const ModelRow*> found;
  for (const ModelRow& row : catalog_rows()) {
    if (row.id == name) return &row;
    if (fits(name, row.id)) found.push_back(&row);
  }
  if (found.empty()) {
    std::vector<std::string> ids;
    for (const ModelRow& row : catalog_rows()) ids.emplace_back(row.id);
    const auto near = nearest(name, ids);
    return fail(Error{Fault::bad_input,
                      fmt::format("no card is called '{}'", name),
                      {},
                      near ? fmt::format("did you mean '{}'?", *near) : "`carve cards` lists them",
                      {}});
  }
  const bool one_size = std::all_of(found.begin(), found.end(),
                                    [&](const ModelRow* row) { return row->nominal_gb == found.front()->nominal_gb; });
  if (one_size && std::count_if(found.begin(), found.end(), is_sxm) == 1)
    return *std::find_if(found.begin(), found.end(), is_sxm);
  if (found.size() == 1) return found.front();
  return fail(Error{
      Fault::bad_input, fmt::format("'{}' may be any of {}", name, ids_of(found)), {}, "write one of these names", {}});
}

}  // namespace carve::sim
