// Any bytes as a plan file: read, verified by the checker, and shown, without falling over; what was read and written
// again reads the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "show/show.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto plan = carve::parse_plan(text, "fuzz.json");
  if (!plan) {
    if (carve::render_error(plan.error(), carve::Style{}).empty()) std::abort();
    return 0;
  }
  const std::string written = carve::write_plan(*plan);
  const auto again = carve::parse_plan(written, "again.json");
  if (!again || carve::write_plan(*again) != written) std::abort();
  if (carve::findings_report(*plan, carve::verify(*plan), carve::Style{}).empty()) std::abort();
  if (carve::map_of(*plan, carve::Style{}).empty() && !plan->cards.empty()) std::abort();
  return 0;
}
