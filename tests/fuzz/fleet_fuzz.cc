// Any bytes after --fleet, and as the name of a card: entries of the catalog with a count, or an error that says where.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "show/show.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto fleet = carve::parse_fleet(text);
  if (!fleet && (!fleet.error().place || carve::render_error(fleet.error(), carve::Style{}).empty()) &&
      text.size() <= 4096)
    std::abort();
  if (fleet) {
    for (const carve::FleetEntry& entry : *fleet)
      if (entry.count < 1 || entry.nodes != 1 || carve::find_model(entry.card)->model->id != entry.card) std::abort();
  }
  const auto named = carve::find_model(text);
  if (!named && named.error().help.empty()) std::abort();
  return 0;
}
