// Quantities with their unit in the type. All are whole numbers, so that a decision never hangs on a rounding.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace carve {

template <class Unit>
struct Quantity {
  std::int64_t value = 0;

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity operator+(Quantity other) const { return {value + other.value}; }
  constexpr Quantity operator-(Quantity other) const { return {value - other.value}; }
  constexpr Quantity operator*(std::int64_t times) const { return {value * times}; }
  constexpr Quantity& operator+=(Quantity other) {
    value += other.value;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value -= other.value;
    return *this;
  }
};

using Mib = Quantity<struct MibUnit>;                        // memory, 2^20 bytes
using Permille = Quantity<struct PermilleUnit>;              // a share, thousandths
using Micros = Quantity<struct MicrosUnit>;                  // a time, microseconds
using MilliPerSecond = Quantity<struct MilliPerSecondUnit>;  // a rate, thousandths per second

// For sums of products of quantities, which may leave 64 bits.
__extension__ using Int128 = __int128;

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }  // a >= 0, b > 0

std::string to_string(Mib);             // "18.0 GiB", "512 MiB"
std::string to_string(Permille);        // "20 %", "12.5 %"
std::string to_string(Micros);          // "60 ms", "1.5 ms", "2 s"
std::string to_string(MilliPerSecond);  // "3500/s", "0.5/s"

// "1 replica", "3 replicas": the count and the noun in step.
std::string counted(std::int64_t count, const std::string& noun);

}  // namespace carve
