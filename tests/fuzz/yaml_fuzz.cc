// Any bytes as YAML: a tree within the caps, every node of which has its place in the text, or an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fuzz/walk.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto document = carve::parse_yaml(text, "fuzz.yaml")) carve::walk(document->root(), carve::hand_written);
  return 0;
}
