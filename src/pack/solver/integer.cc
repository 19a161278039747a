// Integer programs by CBC, through its C interface: presolve, cuts and heuristics as its own program uses them, on one
// thread, limited in nodes.

#include <cmath>
#include <memory>
#include <string>

#include <coin/Cbc_C_Interface.h>

#include "pack/solver/matrix.h"
#include "pack/solver/solver.h"

namespace carve::solver {

namespace {

struct DeleteModel {
  void operator()(Cbc_Model* model) const { Cbc_deleteModel(model); }
};
using Model = std::unique_ptr<Cbc_Model, DeleteModel>;

Model load(const Program& program) {
  const Matrix matrix(program);
  Model model(Cbc_newModel());
  Cbc_loadProblem(model.get(), matrix.columns(), matrix.rows(), matrix.starts(), matrix.row_indices(),
                  matrix.coefficients(), matrix.column_lower(), matrix.column_upper(), matrix.costs(),
                  matrix.row_lower(), matrix.row_upper());
  for (int column = 0; column < matrix.columns(); ++column)
    if (program.columns[static_cast<std::size_t>(column)].integer) Cbc_setInteger(model.get(), column);
  Cbc_setLogLevel(model.get(), 0);
  return model;
}

void begin_at(Cbc_Model* model, const std::vector<double>& start) {
  std::vector<int> columns;
  for (std::size_t column = 0; column < start.size(); ++column) columns.push_back(static_cast<int>(column));
  Cbc_setMIPStartI(model, static_cast<int>(columns.size()), columns.data(), start.data());
}

void set_effort(Cbc_Model* model, Effort effort) {
  if (effort == Effort::cuts) {
    // Of the hundred rounds that CBC would do at the root, most of the last change next to nothing here.
    Cbc_setParameter(model, "passCuts", "20");
    return;
  }
  Cbc_setParameter(model, "cuts", "off");
  if (effort == Effort::heuristics) return;
  for (const char* part : {"preprocess", "heuristics"}) Cbc_setParameter(model, part, "off");
  for (const char* look_ahead : {"strong", "trust"}) Cbc_setParameter(model, look_ahead, "0");
}

}  // namespace

IntegerSolution solve_integer(const Program& program, const IntegerLimits& limits,
                              const std::optional<std::vector<double>>& start) {
  const Model model = load(program);
  Cbc_setMaximumNodes(model.get(), limits.nodes);
  Cbc_setAllowableGap(model.get(), limits.gap);
  set_effort(model.get(), limits.effort);
  if (start) begin_at(model.get(), *start);
  Cbc_solve(model.get());

  IntegerSolution solution;
  solution.nodes = Cbc_getNodeCount(model.get());
  const bool infeasible = Cbc_isProvenInfeasible(model.get()) != 0;
  solution.complete = infeasible || Cbc_isProvenOptimal(model.get()) != 0;
  solution.bound = Cbc_getBestPossibleObjValue(model.get());
  const double* best = infeasible ? nullptr : Cbc_bestSolution(model.get());
  if (best == nullptr) return solution;
  solution.feasible = true;
  solution.values.assign(best, best + program.columns.size());
  for (std::size_t column = 0; column < solution.values.size(); ++column) {
    double& value = solution.values[column];
    if (program.columns[column].integer) value = std::round(value);
    solution.objective += value * program.columns[column].cost;
  }
  return solution;
}

}  // namespace carve::solver
