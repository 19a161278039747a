// For any prices, a plan's cards together hold at most their number times the dearest contents of one card. So
//
//   value of what is placed  <=  sum over cards (cost + what the dearest contents exceed the cost by)
//
// and the cost is at least the value less the excess of every card that there is. At the duals of the linear program
// the excess is zero wherever cards are left over.

#include "pack/proof.h"

#include <algorithm>
#include <cmath>

#include "pack/master.h"

namespace carve::packing {

namespace {

constexpr std::size_t listed_at_most = 4000;

// What the dearest content of the group is worth at most: exact where its contents can be listed.
double dearest(const Problem& problem, const Group& group, const std::vector<double>& per_unit) {
  const auto contents = all_full_contents({group}, listed_at_most);
  if (!contents) return dearest_content(group, per_unit).at_most;
  const Board& board = problem.boards[static_cast<std::size_t>(group.board)];
  double most = 0;
  for (const Content& content : *contents) {
    double value = 0;
    for (const Member& member : content.members)
      value += per_unit[static_cast<std::size_t>(member.demand)] *
               static_cast<double>(board.find_item(group.kind, member.demand)->yield() * member.count);
    most = std::max(most, value);
  }
  return most;
}

// What the dearest contents of one card of the board are worth, in cost / proof_scale.
double dearest_card(const Problem& problem, std::size_t b, const std::vector<Group>& groups,
                    const std::vector<double>& per_unit, const std::vector<Price>& prices) {
  const Board& board = problem.boards[b];
  std::vector<double> by_kind(board.kinds.size(), 0);
  for (const Group& group : groups)
    if (group.board == static_cast<int>(b)) {
      double& value = by_kind[static_cast<std::size_t>(group.kind)];
      value = std::max(value, dearest(problem, group, per_unit));
    }
  if (const auto whole = board.whole_kind())
    for (std::size_t d = 0; d < problem.demands.size(); ++d)
      if (const int cards = problem.demands[d].workload->cards; cards > 0) {
        double& value = by_kind[static_cast<std::size_t>(*whole)];
        value = std::max(value, static_cast<double>(ceil_div(prices[d].price, cards)));
      }
  double most = 0;
  for (const Cut& cut : board.cuts) {
    double value = 0;
    for (std::size_t k = 0; k < cut.slots.size(); ++k) value += cut.slots[k] * by_kind[k];
    most = std::max(most, value);
  }
  return most;
}

}  // namespace

std::vector<Price> integer_prices(const Problem& problem, const std::vector<double>& prices) {
  std::vector<Price> whole;
  for (std::size_t d = 0; d < problem.demands.size(); ++d) {
    const Workload& workload = *problem.demands[d].workload;
    const double unit = workload.is_measured() ? 1000.0 : 1.0;  // a demand counts thousandths of the rate
    whole.push_back({workload.name, static_cast<std::int64_t>(prices[d] * unit * static_cast<double>(proof_scale))});
  }
  return whole;
}

std::int64_t proven_cost(const Problem& problem, const Solution& solution, const std::vector<Price>& prices) {
  std::vector<double> per_unit;
  Int128 proven = 0;  // in cost / proof_scale / 1000
  for (std::size_t d = 0; d < problem.demands.size(); ++d) {
    const bool measured = problem.demands[d].workload->is_measured();
    per_unit.push_back(static_cast<double>(prices[d].price) / (measured ? 1000.0 : 1.0));
    const std::int64_t placed = problem.demands[d].amount - solution.missing[d];
    proven += static_cast<Int128>(prices[d].price) * placed * (measured ? 1 : 1000);
  }
  const std::vector<Group> groups = groups_of(problem);
  for (std::size_t b = 0; b < problem.boards.size(); ++b) {
    const double value = dearest_card(problem, b, groups, per_unit, prices);
    for (const Supply& supply : problem.boards[b].supplies) {
      const auto excess = static_cast<std::int64_t>(std::ceil(value - 1e-4)) - supply.cost * proof_scale;
      if (excess > 0) proven -= static_cast<Int128>(excess) * supply.count * 1000;
    }
  }
  const Int128 step = static_cast<Int128>(cost_step(problem)) * proof_scale * 1000;
  if (proven <= 0) return 0;
  return static_cast<std::int64_t>((proven + step - 1) / step) * cost_step(problem);
}

}  // namespace carve::packing
