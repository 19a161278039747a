#include "pack/master.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

namespace carve::packing {

using solver::Column;

namespace {

const Supply& supply_at(const Problem& problem, int board, int supply) {
  return problem.boards[static_cast<std::size_t>(board)].supplies[static_cast<std::size_t>(supply)];
}

// Whole cards for one replica of `demand` fit this board.
bool may_take_whole(const Problem& problem, const Board& board, const Demand& demand) {
  const auto whole = board.whole_kind();
  return whole && demand.workload->cards > 0 &&
         fit(*demand.workload, *board.card, board.kinds[static_cast<std::size_t>(*whole)], problem.limits).fits();
}

// All multisets of the sizes that fill a host: nothing more of the smallest size fits.
void host_patterns(const std::vector<int>& sizes, std::size_t at, std::int64_t room, std::vector<int>& taken,
                   std::vector<std::vector<int>>& found) {
  if (at == sizes.size()) {
    if (!taken.empty() && room < sizes.back()) found.push_back(taken);
    return;
  }
  for (std::int64_t count = room / sizes[at]; count >= 0; --count) {
    taken.insert(taken.end(), static_cast<std::size_t>(count), sizes[at]);
    host_patterns(sizes, at + 1, room - count * sizes[at], taken, found);
    taken.resize(taken.size() - static_cast<std::size_t>(count));
  }
}

}  // namespace

std::int64_t cost_step(const Problem& problem) {
  std::int64_t step = 0;
  for (const Board& board : problem.boards)
    for (const Supply& supply : board.supplies) step = std::gcd(step, supply.cost);
  return std::max<std::int64_t>(1, step);
}

Master::Master(const Problem& problem, const std::vector<Content>& contents, Unmet unmet) : problem_(problem) {
  add_demand_rows();
  for (std::size_t b = 0; b < problem.boards.size(); ++b) add_board(static_cast<int>(b));
  for (const Content& content : contents) add_content(content);
  if (unmet == Unmet::forbidden) return;
  for (std::size_t d = 0; d < problem.demands.size(); ++d) {
    Column column;
    column.integer = !problem.demands[d].workload->is_measured();
    column.entries = {{static_cast<int>(d), missing_unit(static_cast<int>(d))}};
    program_.columns.push_back(std::move(column));
    meanings_.push_back(Missing{static_cast<int>(d)});
  }
}

void Master::add_demand_rows() {
  for (const Demand& demand : problem_.demands)
    program_.rows.push_back({static_cast<double>(demand.amount), solver::infinity});
}

void Master::add_board(int b) {
  const Board& board = problem_.boards[static_cast<std::size_t>(b)];
  kind_rows_.emplace_back();
  for (std::size_t k = 0; k < board.kinds.size(); ++k) {
    kind_rows_.back().push_back(static_cast<int>(program_.rows.size()));
    program_.rows.push_back({0, solver::infinity});
  }
  supply_rows_.emplace_back();
  for (std::size_t s = 0; s < board.supplies.size(); ++s) {
    const int supply_row = static_cast<int>(program_.rows.size());
    supply_rows_.back().push_back(supply_row);
    program_.rows.push_back({-solver::infinity, static_cast<double>(board.supplies[s].count)});
    for (std::size_t c = 0; c < board.cuts.size(); ++c) {
      Column column;
      for (std::size_t k = 0; k < board.kinds.size(); ++k)
        if (const int slots = board.cuts[c].slots[k]; slots > 0)
          column.entries.push_back({kind_rows_.back()[k], static_cast<double>(slots)});
      column.entries.push_back({supply_row, 1});
      program_.columns.push_back(std::move(column));
      meanings_.push_back(CardsCut{b, static_cast<int>(s), static_cast<int>(c)});
    }
    add_host_patterns(b, static_cast<int>(s));
  }
}

void Master::add_host_patterns(int b, int s) {
  const Board& board = problem_.boards[static_cast<std::size_t>(b)];
  const Supply& supply = board.supplies[static_cast<std::size_t>(s)];
  std::map<int, int, std::greater<>> row_of_size;
  for (std::size_t d = 0; d < problem_.demands.size(); ++d) {
    const Demand& demand = problem_.demands[d];
    if (!may_take_whole(problem_, board, demand) || demand.workload->cards > supply.per_node) continue;
    const int size = demand.workload->cards;
    if (!row_of_size.contains(size)) {
      row_of_size[size] = static_cast<int>(program_.rows.size());
      program_.rows.push_back({-solver::infinity, 0});
    }
    Column column;
    column.entries = {
        {static_cast<int>(d), 1},
        {supply_rows_[static_cast<std::size_t>(b)][static_cast<std::size_t>(s)], static_cast<double>(size)},
        {row_of_size[size], 1}};
    program_.columns.push_back(std::move(column));
    meanings_.push_back(TakenWhole{b, s, static_cast<int>(d)});
  }
  if (row_of_size.empty()) return;

  std::vector<int> sizes, taken;
  for (const auto& [size, row] : row_of_size) sizes.push_back(size);
  std::vector<std::vector<int>> patterns;
  host_patterns(sizes, 0, supply.per_node, taken, patterns);
  const int hosts_row = static_cast<int>(program_.rows.size());
  const std::int64_t hosts = supply.count / supply.per_node;
  program_.rows.push_back({-solver::infinity, static_cast<double>(hosts)});
  for (std::vector<int>& pattern : patterns) {
    Column column;
    for (const auto& [size, row] : row_of_size)
      if (const auto groups = std::count(pattern.begin(), pattern.end(), size); groups > 0)
        column.entries.push_back({row, -static_cast<double>(groups)});
    column.entries.push_back({hosts_row, 1});
    program_.columns.push_back(std::move(column));
    meanings_.push_back(HostPattern{b, s, std::move(pattern)});
  }
}

void Master::add_content(const Content& content) {
  const Board& board = problem_.boards[static_cast<std::size_t>(content.board)];
  Column column;
  for (const Member& member : content.members)
    column.entries.push_back(
        {member.demand, static_cast<double>(member.count * board.find_item(content.kind, member.demand)->yield())});
  column.entries.push_back(
      {kind_rows_[static_cast<std::size_t>(content.board)][static_cast<std::size_t>(content.kind)], -1});
  program_.columns.push_back(std::move(column));
  meanings_.push_back(Filled{static_cast<int>(contents_.size())});
  contents_.push_back(content);
}

double Master::missing_unit(int demand) const {
  const Workload& workload = *problem_.demands[static_cast<std::size_t>(demand)].workload;
  if (!workload.is_measured()) return 1;
  std::int64_t most = 1;
  for (const MeasuredRow& row : workload.measured) most = std::max(most, row.throughput.value);
  return static_cast<double>(most);
}

std::int64_t Master::cost_of_column(const Meaning& meaning) const {
  if (const auto* cut = std::get_if<CardsCut>(&meaning)) return supply_at(problem_, cut->board, cut->supply).cost;
  if (const auto* whole = std::get_if<TakenWhole>(&meaning))
    return supply_at(problem_, whole->board, whole->supply).cost *
           problem_.demands[static_cast<std::size_t>(whole->demand)].workload->cards;
  return 0;
}

void Master::set_costs(double (*cost)(const Master&, const Meaning&)) {
  for (std::size_t c = 0; c < meanings_.size(); ++c) program_.columns[c].cost = cost(*this, meanings_[c]);
}

void Master::minimise_cost() {
  set_costs([](const Master& m, const Meaning& meaning) { return static_cast<double>(m.cost_of_column(meaning)); });
}

void Master::minimise_counted_cost(std::int64_t steps) {
  minimise_cost();
  const auto step = static_cast<double>(cost_step(problem_));
  const int sum = static_cast<int>(program_.rows.size());
  program_.rows.push_back({0, 0});
  program_.rows.push_back({static_cast<double>(steps), solver::infinity});
  for (Column& column : program_.columns) {
    if (column.cost == 0) continue;
    column.entries.push_back({sum, column.cost / step});
    column.cost = 0;
  }
  Column counter;
  counter.cost = step;
  counter.entries = {{sum, -1}, {sum + 1, 1}};
  program_.columns.push_back(std::move(counter));
  meanings_.push_back(CostSteps{});
}

void Master::minimise_cost_and_missing() {
  set_costs([](const Master& m, const Meaning& meaning) {
    if (const auto* missing = std::get_if<Missing>(&meaning)) {
      double dearest = 1;
      for (const Board& board : m.problem_.boards)
        for (const Supply& supply : board.supplies) dearest = std::max(dearest, static_cast<double>(supply.cost));
      return 100 * dearest * std::max(1, m.problem_.demands[static_cast<std::size_t>(missing->demand)].workload->cards);
    }
    return static_cast<double>(m.cost_of_column(meaning));
  });
}

void Master::minimise_missing(int priority) {
  priority_ = priority;
  set_costs([](const Master& m, const Meaning& meaning) {
    const auto* missing = std::get_if<Missing>(&meaning);
    if (missing == nullptr) return 0.0;
    return m.problem_.demands[static_cast<std::size_t>(missing->demand)].workload->priority == m.priority_ ? 1.0 : 0.0;
  });
}

void Master::minimise_partition_memory() {
  set_costs([](const Master& m, const Meaning& meaning) {
    const auto* filled = std::get_if<Filled>(&meaning);
    if (filled == nullptr) return 0.0;
    const Content& content = m.contents_[static_cast<std::size_t>(filled->content)];
    const Board& board = m.problem_.boards[static_cast<std::size_t>(content.board)];
    return static_cast<double>(board.kinds[static_cast<std::size_t>(content.kind)].memory.value) / 1024;
  });
}

void Master::hold_objective_at(double value) {
  const int row = static_cast<int>(program_.rows.size());
  program_.rows.push_back({-solver::infinity, value});
  for (Column& column : program_.columns)
    if (column.cost != 0) column.entries.push_back({row, column.cost});
}

std::vector<double> Master::demand_prices(const std::vector<double>& duals) const {
  std::vector<double> prices(duals.begin(), duals.begin() + static_cast<std::ptrdiff_t>(problem_.demands.size()));
  for (double& price : prices) price = std::max(0.0, price);
  return prices;
}

double Master::kind_price(const std::vector<double>& duals, const Content& content) const {
  const int row = kind_rows_[static_cast<std::size_t>(content.board)][static_cast<std::size_t>(content.kind)];
  return duals[static_cast<std::size_t>(row)];
}

}  // namespace carve::packing
