// Any bytes as JSON: what our reader accepts, Boost.JSON accepts as well, and what we write of it is read back.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <boost/json.hpp>

#include "fuzz/walk.h"

namespace {

// Boost reads 0e3000 as no number, where ours reads zero; such a value is not what the writer is for.
bool all_finite(const carve::Json& value) {
  if (value.is_double()) return std::isfinite(value.get_double());
  if (value.is_array()) return std::all_of(value.get_array().begin(), value.get_array().end(), all_finite);
  if (value.is_object())
    return std::all_of(value.get_object().begin(), value.get_object().end(),
                       [](const auto& member) { return all_finite(member.value()); });
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  while (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);  // ours ignores a byte order mark, Boost's refuses it
  const auto document = carve::parse_json(text, "fuzz.json");
  if (!document || document->root().is_null()) return 0;
  carve::walk(document->root(), carve::machine_written);
  boost::json::parse_options options;
  options.max_depth = 128;
  boost::system::error_code error;
  const carve::Json value = boost::json::parse(text, error, {}, options);
  // 0e99999999999 is a number, and zero; Boost gives up on the exponent before it looks.
  if (error == boost::json::error::exponent_overflow) return 0;
  if (error) std::abort();
  if (!all_finite(value)) return 0;
  if (!carve::parse_json(carve::write_json(value), "again.json")) std::abort();
  return 0;
}
