// pack/solver: linear and integer programs. The only room that includes Clp and CBC. Limits are in nodes and never in
// seconds, one thread, so that a result repeats on a slower machine.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "base/base.h"

namespace carve::solver {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

struct Entry {
  int row = 0;
  double coefficient = 0;
};
struct Column {
  double cost = 0;
  double upper = infinity;  // lower is 0
  bool integer = true;
  std::vector<Entry> entries;
};
struct Row {
  double lower = -infinity;
  double upper = infinity;
};
// Minimise the cost of the columns within the rows.
struct Program {
  std::vector<Row> rows;
  std::vector<Column> columns;
};

struct LinearSolution {
  bool feasible = false;
  double objective = 0;
  std::vector<double> values;  // by column
  std::vector<double> duals;   // by row
};
// Integrality left out.
LinearSolution solve_linear(const Program&);

// What is done beside branching. The less, the sooner a small program is done; a large one needs all.
enum class Effort {
  branching,   // nothing
  heuristics,  // presolve and heuristics
  cuts,        // and cutting planes
};
struct IntegerLimits {
  int nodes = 1000;
  double gap = 1e-6;  // absolute: stop when the best is known to be within it of the optimum
  Effort effort = Effort::cuts;
};
struct IntegerSolution {
  bool feasible = false;
  bool complete = false;  // proven within the gap, or proven infeasible
  double objective = 0;
  double bound = 0;            // no solution has a lower objective
  std::vector<double> values;  // by column, rounded to whole numbers where integer
  int nodes = 0;
};
// `start` is a feasible point to begin with, by column.
IntegerSolution solve_integer(const Program&, const IntegerLimits&, const std::optional<std::vector<double>>& start);

}  // namespace carve::solver
