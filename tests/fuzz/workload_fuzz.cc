// Any bytes as a workload file: the reader answers with a value or with an error that can be shown, and never falls
// over. What it accepts survives being written into a plan file and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <boost/json.hpp>

#include "show/show.h"
#include "workload/workload.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto file = carve::parse_workload_file(text, "fuzz.yaml");
  if (!file) {
    if (carve::render_error(file.error(), carve::Style{}).empty()) std::abort();
    return 0;
  }
  for (const carve::Workload& workload : file->workloads) {
    const auto again = carve::workload_from_json(carve::workload_to_json(workload));
    if (!again) std::abort();
  }
  return 0;
}
