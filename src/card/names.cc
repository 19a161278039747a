// Names of profiles and what is derived from them. The number of gigabytes in a name is not the usable memory: it is
// eighths of the board's total, rounded up to whole GiB first, so the name hangs on the total that the driver reports.
#include <fmt/format.h>

#include "card/card.h"

namespace carve {

std::string profile_name(int compute_slices, Mib instance_memory, Mib total_memory, std::string_view attribute) {
  const std::int64_t eighths = ceil_div(8 * instance_memory.value, total_memory.value);
  const std::int64_t total_gib = ceil_div(total_memory.value, 1024);
  const std::int64_t gb = (eighths * total_gib + 4) / 8;  // half a gigabyte is rounded up
  return fmt::format("{}g.{}gb{}", compute_slices, gb, attribute);
}

// A "+" may not stand in the name of a Kubernetes resource; the device plugin writes a dot.
std::string resource_name(std::string_view profile_name) {
  if (profile_name.empty()) return "nvidia.com/gpu";
  std::string name = "nvidia.com/mig-" + std::string(profile_name);
  for (char& c : name) {
    if (c == '+') c = '.';
  }
  return name;
}

std::string_view Profile::attribute() const {
  const std::size_t gigabytes = name.find("gb");
  return gigabytes == std::string::npos ? std::string_view() : std::string_view(name).substr(gigabytes + 2);
}

}  // namespace carve
