// Looks at every node of a tree: its place lies in the text and the caps hold.
#pragma once

#include <cstdlib>

#include "text/text.h"

namespace carve {

// The number of nodes below and including `node`.
inline std::int64_t walk(Node node, const Caps& caps, int depth = 1) {
  if (depth > caps.depth) std::abort();
  const Place place = node.place();
  if (place.line < 1 || place.column < 1 || place.width < 1) std::abort();
  if (node.is_scalar() && node.size() != 0) std::abort();
  std::int64_t nodes = 1;
  std::size_t items = 0;
  for (const Node item : node.items()) {
    nodes += walk(item, caps, depth + 1);
    ++items;
  }
  if (items != node.size() * (node.is_mapping() ? 2 : 1)) std::abort();
  if (nodes > caps.nodes) std::abort();
  return nodes;
}

}  // namespace carve
