// The problems of the lesson on linear algebra, solved by LAPACK and by cuSOLVER, with residuals.
//
// Matrices are n × n in column-major order. Thread: as Device. Errors: Error if a library is missing or does not
// converge; OutOfMemory.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/lab/lesson.h"

namespace simscope::lab::linear_algebra {

enum class Question { Eigen, Svd, Solve, Inverse, Determinant };
inline constexpr std::array kQuestions = {Question::Eigen, Question::Svd, Question::Solve, Question::Inverse,
                                          Question::Determinant};

struct Problem {
  Question question = Question::Solve;
  int n = 0;
  std::vector<double> matrix;
  std::vector<double> right_side;  // of Solve
  double log_determinant = 0;      // of Determinant, in closed form; the determinant is positive
};
Problem problem(Question question, int n);

struct Answer {
  std::vector<double> values;         // eigenvalues, singular values, or the solution
  std::vector<double> first, second;  // eigenvectors; U and Vᵀ; the inverse
  double log_determinant = 0;
  int sign = 1;
};

class Solver {
 public:
  virtual ~Solver() = default;
  // From host memory to host memory.
  virtual void solve(const Problem& problem, Answer& answer) = 0;
};
// cuSOLVER: for matrices of n rows.
std::unique_ptr<Solver> makeLapack();
std::unique_ptr<Solver> makeCusolver(const compute::DevicePtr& device, int n);

// The error of the answer relative to the matrix: rounding times a small factor if it is correct. For many columns only
// some are checked.
double residual(const Problem& problem, const Answer& answer);

}  // namespace simscope::lab::linear_algebra
