// A Program column by column, in the arrays that the solvers take. Internal to pack/solver.
#pragma once

#include <algorithm>
#include <vector>

#include "pack/solver/solver.h"

namespace carve::solver {

class Matrix {
 public:
  explicit Matrix(const Program& program) {
    starts_.push_back(0);
    for (const Column& column : program.columns) {
      for (const Entry& entry : column.entries) {
        row_indices_.push_back(entry.row);
        coefficients_.push_back(entry.coefficient);
      }
      starts_.push_back(static_cast<int>(row_indices_.size()));
      costs_.push_back(column.cost);
      lower_.push_back(0);
      upper_.push_back(column.upper);
    }
    for (const Row& row : program.rows) {
      row_lower_.push_back(row.lower);
      row_upper_.push_back(row.upper);
    }
    // The solvers take their own figure for "no bound".
    for (auto* bounds : {&upper_, &row_lower_, &row_upper_})
      for (double& bound : *bounds) bound = std::clamp(bound, -unbounded, unbounded);
  }

  int rows() const { return static_cast<int>(row_lower_.size()); }
  int columns() const { return static_cast<int>(costs_.size()); }
  const int* starts() const { return starts_.data(); }
  const int* row_indices() const { return row_indices_.data(); }
  const double* coefficients() const { return coefficients_.data(); }
  const double* costs() const { return costs_.data(); }
  const double* column_lower() const { return lower_.data(); }
  const double* column_upper() const { return upper_.data(); }
  const double* row_lower() const { return row_lower_.data(); }
  const double* row_upper() const { return row_upper_.data(); }

 private:
  static constexpr double unbounded = 1.7976931348623157e308;  // COIN_DBL_MAX

  std::vector<int> starts_, row_indices_;
  std::vector<double> coefficients_, costs_, lower_, upper_, row_lower_, row_upper_;
};

}  // namespace carve::solver
