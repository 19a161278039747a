// Exact: the list of states (weights, value) that no other state beats in all of them, item by item; copies of an item
// are split into 1, 2, 4 ... so that each multiple is a sum of parts. States are sorted by the first weight; whether an
// earlier one is as good in the two others is a prefix maximum, held in a two-dimensional Fenwick tree.
//
// Where the list grows beyond a limit the fractional relaxation answers instead: for each capacity by itself, items by
// value per weight until it is full. The least of the three is above the optimum, which is all that a bound needs.
#include "check/knapsack.h"

#include <algorithm>

namespace carve {

namespace {

constexpr std::size_t most_states = 6'000;
constexpr std::size_t most_work = 150'000;  // states looked at in one knapsack
constexpr std::int64_t most_cells = 200'000;

struct State {
  Weights weight{};
  Worth value = 0;
};

std::int64_t fitting_copies(const Item& item, const Weights& capacity) {
  std::int64_t copies = item.copies;
  for (std::size_t d = 0; d < knapsack_dimensions; ++d) {
    if (item.weight[d] > 0) copies = std::min(copies, capacity[d] / item.weight[d]);
  }
  return std::max<std::int64_t>(copies, 0);
}

// Prefix maxima over two weights.
class BestBelow {
 public:
  BestBelow(std::int64_t width, std::int64_t height)
      : width_(width + 1), height_(height + 1), cells_(static_cast<std::size_t>(width_ * height_), Worth{-1}) {}

  void clear() { std::fill(cells_.begin(), cells_.end(), Worth{-1}); }

  void raise(const Weights& weight, Worth value) {
    for (std::int64_t x = weight[1] + 1; x <= width_; x += x & -x) {
      for (std::int64_t y = weight[2] + 1; y <= height_; y += y & -y) at(x, y) = std::max(at(x, y), value);
    }
  }

  Worth below(const Weights& weight) {
    Worth best = -1;
    for (std::int64_t x = weight[1] + 1; x > 0; x -= x & -x) {
      for (std::int64_t y = weight[2] + 1; y > 0; y -= y & -y) best = std::max(best, at(x, y));
    }
    return best;
  }

 private:
  Worth& at(std::int64_t x, std::int64_t y) { return cells_[static_cast<std::size_t>((x - 1) * height_ + y - 1)]; }

  std::int64_t width_;
  std::int64_t height_;
  std::vector<Worth> cells_;
};

void keep_undominated(std::vector<State>& states, BestBelow& best) {
  std::sort(states.begin(), states.end(), [](const State& a, const State& b) {
    if (a.weight != b.weight) return a.weight < b.weight;
    return a.value > b.value;
  });
  best.clear();
  std::size_t kept = 0;
  for (const State& state : states) {
    if (best.below(state.weight) >= state.value) continue;
    best.raise(state.weight, state.value);
    states[kept++] = state;
  }
  states.resize(kept);
}

// Adds `times` copies of the item, together, to every state that has room for them.
void extend(std::vector<State>& states, const Item& item, std::int64_t times, const Weights& capacity) {
  const std::size_t before = states.size();
  for (std::size_t i = 0; i < before; ++i) {
    State next = states[i];
    bool fits = true;
    for (std::size_t d = 0; d < knapsack_dimensions; ++d) {
      next.weight[d] += item.weight[d] * times;
      fits = fits && next.weight[d] <= capacity[d];
    }
    next.value += item.value * times;
    if (fits) states.push_back(next);
  }
}

// The exact optimum, or -1 if the search grew too large.
Worth exact(const std::vector<Item>& items, const Weights& capacity) {
  if ((capacity[1] + 1) * (capacity[2] + 1) > most_cells) return -1;
  BestBelow best(capacity[1], capacity[2]);
  std::vector<State> states{State{}};
  std::size_t work = 0;
  for (const Item& item : items) {
    std::int64_t left = item.copies;
    for (std::int64_t part = 1; left > 0; part *= 2) {
      const std::int64_t times = std::min(part, left);
      left -= times;
      extend(states, item, times, capacity);
      work += states.size();
      keep_undominated(states, best);
      if (states.size() > most_states || work > most_work) return -1;
    }
  }
  Worth dearest = 0;
  for (const State& state : states) dearest = std::max(dearest, state.value);
  return dearest;
}

// Fractional in one dimension, all others ignored.
Worth relaxed(std::vector<Item> items, std::size_t dimension, std::int64_t capacity) {
  std::sort(items.begin(), items.end(), [&](const Item& a, const Item& b) {
    return a.value * b.weight[dimension] > b.value * a.weight[dimension];
  });
  Worth sum = 0;
  for (const Item& item : items) {
    const std::int64_t weight = item.weight[dimension];
    if (weight == 0 || item.copies * weight <= capacity) {
      sum += item.value * item.copies;
      capacity -= item.copies * weight;
    } else {
      return sum + (item.value * capacity + weight - 1) / weight;
    }
  }
  return sum;
}

// A capacity that the items cannot exhaust together need not be looked at.
void drop_idle_dimensions(std::vector<Item>& items, Weights& capacity) {
  for (std::size_t d = 1; d < knapsack_dimensions; ++d) {
    Worth all = 0;
    for (const Item& item : items) all += Worth{item.weight[d]} * item.copies;
    bool idle = all <= capacity[d];
    // Nor one of which every item takes a smaller part than of another: that other one runs out first.
    for (std::size_t other = 0; other < d && !idle; ++other) {
      if (capacity[other] == 0) continue;  // dropped, or nothing to compare with
      idle = std::all_of(items.begin(), items.end(), [&](const Item& item) {
        return Worth{item.weight[d]} * capacity[other] <= Worth{item.weight[other]} * capacity[d];
      });
    }
    if (!idle) continue;
    for (Item& item : items) item.weight[d] = 0;
    capacity[d] = 0;
  }
}

}  // namespace

Worth dearest_group(std::vector<Item> items, const Weights& capacity) {
  for (Item& item : items) item.copies = fitting_copies(item, capacity);
  std::erase_if(items, [](const Item& item) { return item.copies == 0 || item.value <= 0; });
  if (items.empty()) return 0;
  Weights limits = capacity;
  drop_idle_dimensions(items, limits);
  if (const Worth optimum = exact(items, limits); optimum >= 0) return optimum;
  Worth bound = relaxed(items, 0, limits[0]);
  for (std::size_t d = 1; d < knapsack_dimensions; ++d) bound = std::min(bound, relaxed(items, d, limits[d]));
  return bound;
}

}  // namespace carve
