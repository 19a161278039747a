// Linear programs by Clp's dual simplex.

#include <coin/ClpSimplex.hpp>

#include "pack/solver/matrix.h"
#include "pack/solver/solver.h"

namespace carve::solver {

LinearSolution solve_linear(const Program& program) {
  const Matrix matrix(program);
  ClpSimplex simplex;
  simplex.setLogLevel(0);
  simplex.loadProblem(matrix.columns(), matrix.rows(), matrix.starts(), matrix.row_indices(), matrix.coefficients(),
                      matrix.column_lower(), matrix.column_upper(), matrix.costs(), matrix.row_lower(),
                      matrix.row_upper());
  simplex.dual();
  LinearSolution solution;
  solution.feasible = simplex.isProvenOptimal();
  if (!solution.feasible) return solution;
  solution.objective = simplex.objectiveValue();
  const double* values = simplex.primalColumnSolution();
  solution.values.assign(values, values + matrix.columns());
  const double* duals = simplex.dualRowSolution();
  solution.duals.assign(duals, duals + matrix.rows());
  return solution;
}

}  // namespace carve::solver
