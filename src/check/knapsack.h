// The dearest group of replicas in one partition: a knapsack with several capacities and a few copies of each item.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/base.h"

namespace carve {

using Worth = Int128;  // sums of prices; prices are below 2^50 and counts below 2^40

// What is counted: memory, then threads or duty, then clients.
inline constexpr std::size_t knapsack_dimensions = 3;
using Weights = std::array<std::int64_t, knapsack_dimensions>;

struct Item {
  Worth value = 0;
  Weights weight{};         // none negative
  std::int64_t copies = 0;  // that exist
};

// The largest value that fits, or something above it where the exact search grew too large: never less.
Worth dearest_group(std::vector<Item> items, const Weights& capacity);

}  // namespace carve
