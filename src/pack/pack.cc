// From a workload file to a plan: state the problem, search, trim, assemble, explain, prove.

#include "pack/pack.h"

#include <algorithm>
#include <map>
#include <set>

#include "pack/assemble.h"
#include "pack/master.h"
#include "pack/proof.h"
#include "pack/trim.h"
#include "pack/unplaced.h"

namespace carve {

namespace {

using packing::Board;
using packing::Problem;
using packing::Solution;

// What each workload got, on every model that it is on; on every model of the fleet if it is on none.
std::vector<Chosen> decisions_of(const Problem& problem, const std::vector<CardClass>& cards) {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> used;  // (workload, model) -> partition names
  std::set<std::string> placed;
  for (const CardClass& card : cards)
    for (const Partition& partition : card.partitions)
      for (const Share& share : partition.shares) {
        used[{share.workload, card.model}].insert(partition.profile.empty() ? "card" : partition.profile);
        placed.insert(share.workload);
      }
  std::vector<Chosen> decisions;
  for (std::size_t d = 0; d < problem.demands.size(); ++d)
    for (const Board& board : problem.boards) {
      const std::string& name = problem.demands[d].workload->name;
      const auto found = used.find({name, board.card->id});
      if (found == used.end() && placed.contains(name)) continue;
      Chosen chosen{board.decisions[d], {}};
      if (found != used.end()) chosen.profiles.assign(found->second.begin(), found->second.end());
      decisions.push_back(std::move(chosen));
    }
  return decisions;
}

std::int64_t cost_of(const Plan& plan) {
  std::map<std::string, std::int64_t> cost_on_host;
  std::map<Position, std::int64_t> cost_of_live;  // several models may share a host there
  for (const FleetEntry& entry : plan.fleet) {
    for (const FleetCard& card : entry.live) cost_of_live[{entry.node, card.index}] = entry.cost;
    for (std::int64_t host = 0; entry.live.empty() && host < entry.nodes; ++host)
      cost_on_host["node-" + std::to_string(cost_on_host.size())] = entry.cost;
  }
  std::int64_t cost = 0;
  for (const CardClass& card : plan.cards)
    for (const Position& position : card.positions) {
      const auto live = cost_of_live.find(position);
      cost += live != cost_of_live.end() ? live->second : cost_on_host.at(position.node);
    }
  return cost;
}

Summary summarise(const Problem& problem, const Solution& solution, const Plan& plan) {
  Summary summary;
  std::int64_t dearest = 1;
  for (const FleetEntry& entry : plan.fleet) dearest = std::max(dearest, entry.cost);
  summary.cost = cost_of(plan);
  summary.cost_lower_bound = packing::proven_cost(problem, solution, plan.proof.prices);
  // The fewest cards that can cost that much: exact when all cards cost the same.
  summary.lower_bound = ceil_div(summary.cost_lower_bound, dearest);
  summary.optimal = summary.cost == summary.cost_lower_bound || solution.complete;
  summary.free_largest_profile = packing::largest_free_profile(problem, plan.cards);
  for (const CardClass& card : plan.cards) {
    summary.cards_used += card.count();
    for (const Partition& partition : card.partitions) summary.stranded_memory += stranded(partition) * card.count();
  }
  for (const packing::Demand& demand : problem.demands) summary.replicas += demand.workload->replicas;
  summary.placed = summary.replicas;
  for (const Unplaced& unplaced : plan.unplaced) summary.placed -= unplaced.count;
  return summary;
}

}  // namespace

Result<Plan> pack(const WorkloadFile& file, PackStats* stats) {
  if (file.fleet.empty())
    return fail(Error{Fault::bad_input,
                      "there are no cards to plan on",
                      {},
                      "give a `fleet:` in the file or on the command line: --fleet 8xh100-80gb,2xa30",
                      {}});
  PackStats unused;
  const Problem problem = packing::state_problem(file);
  Solution solution = packing::search(problem, stats != nullptr ? *stats : unused);
  packing::trim(problem, solution);

  Plan plan;
  plan.fleet = file.fleet;
  plan.limits = file.limits;
  plan.workloads = file.workloads;
  std::sort(plan.workloads.begin(), plan.workloads.end(),
            [](const Workload& a, const Workload& b) { return a.name < b.name; });
  plan.cards = packing::assemble(plan.fleet, problem, solution);
  plan.unplaced = packing::explain_unplaced(problem, solution, plan.cards);
  plan.decisions = decisions_of(problem, plan.cards);
  plan.proof.prices = packing::integer_prices(problem, solution.prices);
  plan.proof.search_complete = solution.complete;
  plan.summary = summarise(problem, solution, plan);
  return plan;
}

}  // namespace carve
