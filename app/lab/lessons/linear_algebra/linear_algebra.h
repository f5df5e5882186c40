// What the lesson on linear algebra has computed, by LAPACK and by cuSOLVER, with residuals.
//
// Matrices are n × n in columns. Thread: as Device. Errors: Error where a library is missing or does not converge;
// OutOfMemory.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/lab/lesson.h"

namespace simscope::lab::linear_algebra {

enum class Task { Eigen, Svd, Solve, Inverse, Determinant };
inline constexpr std::array kTasks = {Task::Eigen, Task::Svd, Task::Solve, Task::Inverse, Task::Determinant};

struct Problem {
  Task task = Task::Solve;
  int n = 0;
  std::vector<double> matrix;
  std::vector<double> right_side;  // of Solve
  double log_determinant = 0;      // of Determinant, in closed form; the determinant is positive
};
Problem problem(Task task, int n);

struct Answer {
  std::vector<double> values;         // eigenvalues, singular values, or the solution
  std::vector<double> first, second;  // eigenvectors; U and Vᵀ; the inverse
  double log_determinant = 0;
  int sign = 1;
};

class Solver {
 public:
  virtual ~Solver() = default;
  // From the host's memory to the host's memory.
  virtual void solve(const Problem& problem, Answer& answer) = 0;
};
// cuSOLVER: for matrices of n rows.
std::unique_ptr<Solver> makeLapack();
std::unique_ptr<Solver> makeCusolver(const compute::DevicePtr& device, int n);

// How far the answer is from solving the problem, relative to the matrix: rounding times a small factor where it is
// right. Looks at some columns alone of what has many.
double residual(const Problem& problem, const Answer& answer);

}  // namespace simscope::lab::linear_algebra
