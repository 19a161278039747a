// Reproducible random numbers: the same seed gives the same sequence on every machine and compiler.
#pragma once

#include <cstdint>

namespace carve {

// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). Not for secrets.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // Uniform in [low, high]; low <= high. The bias of the remainder is below 2^-32 for spans below 2^32.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
  }

  // True with chance numerator / denominator.
  bool chance(std::uint32_t numerator, std::uint32_t denominator) { return next() % denominator < numerator; }

 private:
  std::uint64_t state_;
};

}  // namespace carve
