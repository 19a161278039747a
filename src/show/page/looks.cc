// What the page and the drawing both show of a partition: words for mechanisms and shares, memory as a bar.
#include <algorithm>
#include <array>

#include "show/page/sections.h"

namespace carve {

namespace {

constexpr std::array<MechanismLook, 3> looks{{{Mechanism::exclusive, "exclusive", "x"},
                                              {Mechanism::mps, "MPS", "m"},
                                              {Mechanism::time_slicing, "time slicing", "t"}}};
constexpr std::int64_t whole = 1000;  // a bar is this wide
constexpr int gap = 5;                // between the replicas in it
constexpr int most_segments = 16;     // more would be a comb: then a share is one segment

}  // namespace

const MechanismLook& look_of(Mechanism mechanism) { return looks[static_cast<std::size_t>(mechanism)]; }

std::string tenant_of(const Share& share) { return share.tenant_each ? "each its own tenant" : share.tenant; }

std::string named(const Share& share, Numbering numbering) {
  if (share.count > 1) return fmt::format("{} ×{}", share.workload, share.count);
  return numbering == Numbering::replicas ? fmt::format("{}/{}", share.workload, share.first) : share.workload;
}

std::string memory_text(const Partition& partition, const Plan& plan) {
  const Mib used = partition.memory - stranded(partition);
  return fmt::format("{} / {} GiB", memory_known(partition, plan) ? gib(used) : "?", gib(partition.memory));
}

Markup prose(std::string_view sentence) {
  Markup result;
  for (std::size_t begin, end; (begin = sentence.find('`')) != std::string_view::npos &&
                               (end = sentence.find('`', begin + 1)) != std::string_view::npos;
       sentence.remove_prefix(end + 1))
    result.put("{}<code>{}</code>", sentence.substr(0, begin), sentence.substr(begin + 1, end - begin - 1));
  return result.put("{}", sentence);
}

Markup bar_path(const Partition& partition) {
  Markup path;
  if (partition.memory.value <= 0) return path;
  std::int64_t replicas = 0;
  for (const Share& share : partition.shares) replicas += share.count;
  const auto at = [&](Mib memory) {
    return static_cast<int>(std::clamp<Int128>(Int128{memory.value} * whole / partition.memory.value, 0, whole));
  };
  Mib end;
  for (const Share& share : partition.shares) {
    const std::int64_t pieces = replicas > most_segments ? 1 : share.count;
    const Mib each = replicas > most_segments ? share.memory * share.count : share.memory;
    for (std::int64_t i = 0; i < pieces; ++i) {
      const int begin = at(end);
      end += each;
      const int width = std::max(1, at(end) - begin - (at(end) < whole ? gap : 0));
      path.put("M{} 0h{}v1h-{}z", begin, width, width);
    }
  }
  return path;
}

}  // namespace carve
