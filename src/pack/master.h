// The outer problem as a linear or integer program: how many cards of each cut, how many partitions of each content.
// Internal to pack.
//
//   demand d     sum over contents of their yield, + missing(d)            >= amount(d)
//   kind k       sum over cuts of their slots of k - contents in kind k    >= 0
//   supply s     cards cut + cards taken whole                             <= count(s)
//   host group   replicas of N whole cards - room for N in host patterns   <= 0        per supply and N
//   hosts s      host patterns                                             <= hosts(s)
//
// All variables are non-negative whole numbers, but missing(d) of a measured workload.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "pack/contents.h"
#include "pack/solver/solver.h"

namespace carve::packing {

// What a column of the program stands for.
struct CardsCut {
  int board = 0, supply = 0, cut = 0;
};
struct Filled {
  int content = 0;  // index into the contents
};
struct TakenWhole {  // replicas of `cards: N`
  int board = 0, supply = 0, demand = 0;
};
struct HostPattern {
  int board = 0, supply = 0;
  std::vector<int> sizes;  // of the groups on one host, descending
};
struct Missing {
  int demand = 0;
};
struct CostSteps {};  // the cost in units of its step
using Meaning = std::variant<CardsCut, Filled, TakenWhole, HostPattern, Missing, CostSteps>;

class Master {
 public:
  // With Unmet::allowed, demand may stay unmet in Missing columns.
  enum class Unmet { forbidden, allowed };
  Master(const Problem& problem, const std::vector<Content>& contents, Unmet unmet);

  const solver::Program& program() const { return program_; }
  const std::vector<Meaning>& meanings() const { return meanings_; }
  const std::vector<Content>& contents() const { return contents_; }

  void add_content(const Content&);

  // Objectives. Cost of the cards; replicas missing at one priority; memory of the partitions in GiB; cost with a price
  // on what is missing that no plan would pay.
  void minimise_cost();
  void minimise_missing(int priority);
  void minimise_partition_memory();
  void minimise_cost_and_missing();

  // The same as minimise_cost(), by one whole variable that counts the cost in steps and is at least `steps`. It lets
  // the solver raise its bound from step to step, which is most of the way wherever the linear bound is not tight.
  void minimise_counted_cost(std::int64_t steps);

  // Keeps the present objective at or below this from now on.
  void hold_objective_at(double value);

  // Parts of a solution's duals.
  std::vector<double> demand_prices(const std::vector<double>& duals) const;
  double kind_price(const std::vector<double>& duals, const Content&) const;

  // How much of a demand one unit of the Missing column stands for: 1 replica, or one best partition's throughput.
  double missing_unit(int demand) const;

 private:
  void add_demand_rows();
  void add_board(int board);
  void add_host_patterns(int board, int supply);
  void set_costs(double (*cost)(const Master&, const Meaning&));
  std::int64_t cost_of_column(const Meaning&) const;

  const Problem& problem_;
  std::vector<Content> contents_;
  solver::Program program_;
  std::vector<Meaning> meanings_;
  std::vector<std::vector<int>> kind_rows_;    // by board, kind
  std::vector<std::vector<int>> supply_rows_;  // by board, supply
  int priority_ = 0;                           // of minimise_missing
};

// The greatest divisor of all card costs of the fleet: every plan's cost is a multiple of it.
std::int64_t cost_step(const Problem&);

}  // namespace carve::packing
