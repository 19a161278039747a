// Quantities as people write them, read exactly: a decimal number and a unit, no rounding but that of memory, which is
// rounded up to a whole MiB. The errors have no place; a schema adds it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/base.h"

namespace carve {

Result<std::int64_t> parse_integer(std::string_view);  // "8"; no "010", "+8", "1e3", "0x8", "8.0", "1_000"
// Decimals of measured tables, in thousandths; what is finer is rounded towards the side that promises less.
Result<std::int64_t> parse_decimal_down(std::string_view);  // "74.408" -> 74408
Result<std::int64_t> parse_decimal_up(std::string_view);
Result<Mib> parse_memory(std::string_view);           // "18GiB", "17.5 GB"; MB, MiB, GB, GiB, TB, TiB; never bare
Result<Permille> parse_percent(std::string_view);     // "20%", "12.5%"
Result<Micros> parse_duration(std::string_view);      // "250us", "60ms", "1.5s", "10min", "1h"
Result<MilliPerSecond> parse_rate(std::string_view);  // "3500/s", "120/min"

// The same quantities as a file holds them: reading it back gives the same value.
std::string written(Mib);             // "18432MiB"
std::string written(Permille);        // "12.5%"
std::string written(Micros);          // "60ms", "1.5ms"
std::string written(MilliPerSecond);  // "3500/s"

}  // namespace carve
