#include "base/units.h"

#include <fmt/format.h>

namespace carve {

namespace {

// `thousandths` as a decimal without trailing zeros: 12500 -> "12.5".
std::string decimal(std::int64_t thousandths) {
  std::string text = fmt::format("{}.{:03}", thousandths / 1000, thousandths % 1000);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::string to_string(Mib memory) {
  if (memory.value < 1024) return fmt::format("{} MiB", memory.value);
  // One decimal, cut and not rounded up: what is shown never claims more than there is.
  return fmt::format("{}.{} GiB", memory.value / 1024, memory.value % 1024 * 10 / 1024);
}

std::string to_string(Permille share) { return decimal(share.value * 100) + " %"; }

std::string to_string(Micros time) {
  if (time.value % 1'000'000 == 0) return fmt::format("{} s", time.value / 1'000'000);
  return decimal(time.value) + " ms";
}

std::string to_string(MilliPerSecond rate) { return decimal(rate.value) + "/s"; }

std::string counted(std::int64_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace carve
