// Any bytes as JSON: what our reader accepts, Boost.JSON accepts as well, and what we write of it is read back.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <boost/json.hpp>

#include "fuzz/walk.h"

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
  if (!carve::parse_json(carve::write_json(value), "again.json")) std::abort();
  return 0;
}
