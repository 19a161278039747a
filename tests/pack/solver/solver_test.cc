// The solvers behind their narrow interface: small programs with known answers, and random ones against trying all.

#include "pack/solver/solver.h"

#include <gtest/gtest.h>

namespace carve::solver {

namespace {

// Cover 7.5 with parts of 2 and 1 that cost 3 and 2.
Program cover() {
  Program program;
  program.rows = {{1, infinity}, {7.5, infinity}};
  program.columns = {{3, infinity, true, {{0, 1}, {1, 2}}}, {2, infinity, true, {{0, 1}, {1, 1}}}};
  return program;
}

}  // namespace

TEST(Linear, GivesValuesAndDuals) {
  const LinearSolution solution = solve_linear(cover());
  ASSERT_TRUE(solution.feasible);
  EXPECT_NEAR(solution.objective, 11.25, 1e-9);
  EXPECT_NEAR(solution.values[0], 3.75, 1e-9);
  EXPECT_NEAR(solution.duals[1], 1.5, 1e-9);
}

TEST(Linear, SaysWhatIsInfeasible) {
  Program program = cover();
  program.rows[0].upper = 1;
  EXPECT_FALSE(solve_linear(program).feasible);
}

TEST(Integer, FindsWholeNumbersWithEveryEffort) {
  for (const Effort effort : {Effort::branching, Effort::heuristics, Effort::cuts}) {
    const IntegerSolution solution = solve_integer(cover(), {1000, 1e-6, effort}, std::nullopt);
    ASSERT_TRUE(solution.feasible);
    EXPECT_TRUE(solution.complete);
    EXPECT_EQ(solution.objective, 12);
    EXPECT_EQ(solution.values, (std::vector<double>{4, 0}));
  }
}

TEST(Integer, KeepsAContinuousColumnContinuous) {
  Program program = cover();
  program.columns[1].integer = false;
  const IntegerSolution solution = solve_integer(program, {}, std::nullopt);
  EXPECT_NEAR(solution.objective, 3 * 3 + 1.5 * 2, 1e-6);
}

TEST(Integer, SaysWhatIsInfeasible) {
  Program program = cover();
  program.rows[0].upper = 1;
  const IntegerSolution solution = solve_integer(program, {}, std::nullopt);
  EXPECT_FALSE(solution.feasible);
  EXPECT_TRUE(solution.complete);
}

TEST(Integer, BeginsAtAGivenPoint) {
  const IntegerSolution solution = solve_integer(cover(), {}, std::vector<double>{1, 6});
  EXPECT_EQ(solution.objective, 12);
}

TEST(Integer, RandomKnapsacksAgainstTryingAll) {
  Random random(3);
  for (int round = 0; round < 60; ++round) {
    Program program;
    program.rows = {{static_cast<double>(random.between(5, 40)), infinity},
                    {-infinity, static_cast<double>(random.between(2, 6))}};
    for (int c = 0; c < 4; ++c)
      program.columns.push_back({static_cast<double>(random.between(1, 20)),
                                 infinity,
                                 true,
                                 {{0, static_cast<double>(random.between(1, 12))}, {1, 1}}});
    double best = infinity;
    const int most = static_cast<int>(program.rows[1].upper);
    for (int code = 0; code < (most + 1) * (most + 1) * (most + 1) * (most + 1); ++code) {
      int rest = code, total = 0;
      double cost = 0, covered = 0;
      for (const Column& column : program.columns) {
        const int count = rest % (most + 1);
        rest /= most + 1;
        total += count;
        cost += count * column.cost;
        covered += count * column.entries[0].coefficient;
      }
      if (total <= most && covered >= program.rows[0].lower) best = std::min(best, cost);
    }
    const IntegerSolution solution = solve_integer(program, {}, std::nullopt);
    EXPECT_EQ(solution.feasible, best < infinity) << round;
    if (solution.feasible) {
      EXPECT_DOUBLE_EQ(solution.objective, best) << round;
    }
  }
}

}  // namespace carve::solver
