// 1. Contents: all full ones where they are few, else those that column generation finds at the linear optimum.
// 2. The linear program gives the prices of the bound, and whether the fleet can hold everything.
// 3. The integer program, by aims in their order: what is missing by priority, cost, memory of the partitions in use
//    (what is placed needs the same memory wherever it is, so this is the stranded memory). Each aim is held at its
//    best while the next is sought.

#include "pack/search.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "pack/master.h"

namespace carve::packing {

namespace {

constexpr std::size_t contents_enumerated_at_most = 4000;
constexpr int generation_rounds_at_most = 200;
constexpr int quick_nodes = 40;
constexpr int counted_nodes = 5;
constexpr std::size_t cost_work = 25'000;  // nodes times columns
constexpr int memory_nodes = 40;
constexpr int memory_cut_nodes = 8;
constexpr double memory_gap = 0.025;  // of the memory in use
constexpr std::size_t memory_columns_at_most = 1500;
constexpr double whole = 1e-6;  // what counts as zero in the solver's figures

// Adds, at the linear optimum, the dearest content of every group until none is worth more than its place.
std::vector<Content> generate_contents(const Problem& problem, const std::vector<Group>& groups, PackStats& stats) {
  Master master(problem, uniform_contents(groups), Master::Unmet::allowed);
  std::set<Content> known(master.contents().begin(), master.contents().end());
  for (int round = 0; round < generation_rounds_at_most; ++round) {
    ++stats.rounds;
    master.minimise_cost_and_missing();
    const solver::LinearSolution linear = solver::solve_linear(master.program());
    const std::vector<double> prices = master.demand_prices(linear.duals);
    bool found = false;
    for (const Group& group : groups) {
      const Priced priced = dearest_content(group, prices);
      const double place = master.kind_price(linear.duals, priced.content);
      if (priced.value <= place * (1 + 1e-9) + 1e-9 || !known.insert(priced.content).second) continue;
      master.add_content(priced.content);
      found = true;
    }
    if (!found) break;
  }
  return master.contents();
}

class Search {
 public:
  Search(const Problem& problem, PackStats& stats) : problem_(problem), stats_(stats) {
    const std::vector<Group> groups = groups_of(problem);
    if (auto all = all_full_contents(groups, contents_enumerated_at_most)) {
      contents_ = std::move(*all);
      enumerated_ = true;
    } else {
      contents_ = generate_contents(problem, groups, stats);
    }
    stats_.columns = static_cast<int>(contents_.size());
  }

  Solution run() {
    Master relaxed(problem_, contents_, Master::Unmet::allowed);
    relaxed.minimise_cost_and_missing();
    const solver::LinearSolution linear = solver::solve_linear(relaxed.program());
    if (!misses(relaxed, linear.values))
      if (auto solution = place_everything(linear.objective, relaxed.demand_prices(linear.duals)))
        return std::move(*solution);
    return place_what_can_be();
  }

 private:
  bool misses(const Master& master, const std::vector<double>& values) const {
    for (std::size_t c = 0; c < values.size(); ++c)
      if (std::holds_alternative<Missing>(master.meanings()[c]) && values[c] > whole) return true;
    return false;
  }

  std::optional<Solution> place_everything(double linear_cost, std::vector<double> prices) {
    Master master(problem_, contents_, Master::Unmet::forbidden);
    master.minimise_cost();
    auto found = cheapest(master, linear_cost);
    if (!found.feasible) return std::nullopt;
    const bool complete = found.complete && enumerated_;
    reduce_memory(master, found);
    Solution solution = read(master, found.values);
    solution.prices = std::move(prices);
    solution.complete = complete;
    return solution;
  }

  // Three attempts, each with what the one before it found: bare branching, which is enough for small plans; the
  // counted cost, which closes most others at its root; and at last the plain program with all the nodes there are.
  solver::IntegerSolution cheapest(const Master& master, double linear_cost) {
    auto best = solve(master, {quick_nodes, cost_gap(), solver::Effort::branching}, std::nullopt);
    easy_ = best.complete;
    if (easy_) return best;
    Master counted = master;
    const auto step = static_cast<double>(cost_step(problem_));
    counted.minimise_counted_cost(static_cast<std::int64_t>(std::ceil(linear_cost / step - whole)));
    auto found = solve(counted, {counted_nodes, cost_gap()}, std::nullopt);
    if (found.feasible) found.values.pop_back();  // the counter
    if (found.complete) return found;
    if (!best.feasible || (found.feasible && found.objective < best.objective)) best = std::move(found);
    found = solve(master, {cost_nodes(master), cost_gap()}, start_of(best));
    return !best.feasible || found.complete || (found.feasible && found.objective < best.objective) ? found : best;
  }

  static std::optional<std::vector<double>> start_of(const solver::IntegerSolution& solution) {
    return solution.feasible ? std::optional(solution.values) : std::nullopt;
  }

  Solution place_what_can_be() {
    Master master(problem_, contents_, Master::Unmet::allowed);
    std::set<int, std::greater<>> priorities;
    for (const Demand& demand : problem_.demands) priorities.insert(demand.workload->priority);
    solver::IntegerSolution found = nothing_placed(master);
    bool complete = enumerated_;
    const auto improve = [&](double gap) {
      auto better = solve(master, {cost_nodes(master), gap}, found.values);
      complete = complete && better.complete;
      if (better.feasible) found.values = std::move(better.values);
      found.objective = objective_of(master, found.values);
    };
    for (const int priority : priorities) {
      master.minimise_missing(priority);
      improve(0.01);
      master.hold_objective_at(found.objective + whole);
    }
    master.minimise_cost();
    improve(cost_gap());
    reduce_memory(master, found);
    Solution solution = read(master, found.values);
    solution.prices = prices_without(solution.missing);
    solution.complete = complete;
    return solution;
  }

  // The point that is feasible however small the fleet is: a search that its limit of nodes ends early keeps it.
  solver::IntegerSolution nothing_placed(const Master& master) const {
    solver::IntegerSolution start;
    start.feasible = true;
    for (const Meaning& meaning : master.meanings()) {
      const auto* missing = std::get_if<Missing>(&meaning);
      start.values.push_back(
          missing == nullptr
              ? 0
              : std::ceil(static_cast<double>(problem_.demands[static_cast<std::size_t>(missing->demand)].amount) /
                          master.missing_unit(missing->demand)));
    }
    return start;
  }

  static double objective_of(const Master& master, const std::vector<double>& values) {
    double objective = 0;
    for (std::size_t c = 0; c < values.size(); ++c) objective += values[c] * master.program().columns[c].cost;
    return objective;
  }

  // A node of a small program is cheap, so it may have more of them.
  static int cost_nodes(const Master& master) {
    return static_cast<int>(std::clamp<std::size_t>(cost_work / master.program().columns.size(), 200, 20'000));
  }

  // Cost is a multiple of its step, so a solution within less than a step of the bound is the best.
  double cost_gap() const { return static_cast<double>(cost_step(problem_)) * (1 - 1e-6); }

  solver::IntegerSolution solve(const Master& master, const solver::IntegerLimits& limits,
                                const std::optional<std::vector<double>>& start) {
    auto found = solver::solve_integer(master.program(), limits, start);
    stats_.nodes += found.nodes;
    return found;
  }

  void reduce_memory(Master& master, solver::IntegerSolution& found) {
    if (master.program().columns.size() > memory_columns_at_most) return;
    master.hold_objective_at(found.objective + whole);
    master.minimise_partition_memory();
    const double gap = memory_gap * solver::solve_linear(master.program()).objective;
    const auto improve = [&](const solver::IntegerLimits& limits) {
      auto tighter = solve(master, limits, found.values);
      const bool complete = tighter.complete;
      if (tighter.feasible) found = std::move(tighter);
      return complete;
    };
    if (easy_ && improve({memory_nodes, gap, solver::Effort::heuristics})) return;
    improve({memory_cut_nodes, gap, solver::Effort::cuts});
  }

  // The prices of what is placed, when not everything is.
  std::vector<double> prices_without(const std::vector<std::int64_t>& missing) const {
    Problem placed = problem_;
    for (std::size_t d = 0; d < missing.size(); ++d) placed.demands[d].amount -= missing[d];
    Master master(placed, contents_, Master::Unmet::allowed);
    master.minimise_cost_and_missing();
    return master.demand_prices(solver::solve_linear(master.program()).duals);
  }

  Solution read(const Master& master, const std::vector<double>& values) const {
    Solution solution;
    solution.missing.assign(problem_.demands.size(), 0);
    for (std::size_t c = 0; c < values.size(); ++c) {
      if (values[c] < whole) continue;
      const auto count = static_cast<std::int64_t>(std::llround(values[c]));
      const Meaning& meaning = master.meanings()[c];
      if (const auto* cut = std::get_if<CardsCut>(&meaning))
        solution.cards.push_back({cut->board, cut->supply, cut->cut, count});
      else if (const auto* filled = std::get_if<Filled>(&meaning))
        solution.contents.push_back({master.contents()[static_cast<std::size_t>(filled->content)], count});
      else if (const auto* taken = std::get_if<TakenWhole>(&meaning))
        solution.whole.push_back({taken->board, taken->supply, taken->demand, count});
      else if (const auto* pattern = std::get_if<HostPattern>(&meaning))
        solution.hosts.push_back({pattern->board, pattern->supply, pattern->sizes, count});
      else if (const auto* missing = std::get_if<Missing>(&meaning))
        solution.missing[static_cast<std::size_t>(missing->demand)] =
            static_cast<std::int64_t>(std::ceil(values[c] * master.missing_unit(missing->demand) - whole));
    }
    return solution;
  }

  const Problem& problem_;
  PackStats& stats_;
  std::vector<Content> contents_;
  bool enumerated_ = false;
  bool easy_ = false;  // bare branching found the least cost, so little effort may do for the memory too
};

}  // namespace

Solution search(const Problem& problem, PackStats& stats) { return Search(problem, stats).run(); }

}  // namespace carve::packing
