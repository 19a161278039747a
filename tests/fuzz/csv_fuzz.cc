// Any bytes as a measured table: sorted rows, no two of one identity, or an error with a place.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fuzz/walk.h"
#include "workload/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto document = carve::parse_csv(text, "fuzz.csv")) carve::walk(document->root(), carve::measured_table);
  const auto rows = carve::parse_measured(text, "fuzz.csv");
  if (!rows && (!rows.error().place || rows.error().message.empty())) std::abort();
  if (rows && (rows->empty() || !std::is_sorted(rows->begin(), rows->end()))) std::abort();
  return 0;
}
