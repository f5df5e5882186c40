#include <fmt/format.h>
#include <lapacke.h>

#include <cmath>

#include "app/lab/lessons/linear_algebra/linear_algebra.h"
#include "sims/compute/lapack.h"

namespace simscope::lab::linear_algebra {
namespace {

void done(lapack_int status, const char* call) {
  if (status == LAPACK_WORK_MEMORY_ERROR) throw OutOfMemory(fmt::format("LAPACK's {} ran out of memory", call), 0);
  if (status != 0) throw Error(fmt::format("LAPACK's {} failed (info = {})", call, status));
}

class Lapack final : public Solver {
 public:
  void solve(const Problem& problem, Answer& answer) override {
    const lapack_int n = problem.n;
    const auto count = static_cast<std::size_t>(n);
    matrix_ = problem.matrix;
    pivots_.resize(count);
    double* const a = matrix_.data();
    switch (problem.question) {
      case Question::Eigen:
        answer.values.resize(count);
        done(SIMSCOPE_LAPACK(LAPACKE_dsyevd)(LAPACK_COL_MAJOR, 'V', 'L', n, a, n, answer.values.data()), "dsyevd");
        answer.first = matrix_;
        break;
      case Question::Svd:
        answer.values.resize(count);
        answer.first.resize(count * count);
        answer.second.resize(count * count);
        done(SIMSCOPE_LAPACK(LAPACKE_dgesdd)(LAPACK_COL_MAJOR, 'A', n, n, a, n, answer.values.data(),
                                             answer.first.data(), n, answer.second.data(), n),
             "dgesdd");
        break;
      case Question::Solve:
        answer.values = problem.right_side;
        done(SIMSCOPE_LAPACK(LAPACKE_dgesv)(LAPACK_COL_MAJOR, n, 1, a, n, pivots_.data(), answer.values.data(), n),
             "dgesv");
        break;
      case Question::Inverse:
        done(SIMSCOPE_LAPACK(LAPACKE_dgetrf)(LAPACK_COL_MAJOR, n, n, a, n, pivots_.data()), "dgetrf");
        done(SIMSCOPE_LAPACK(LAPACKE_dgetri)(LAPACK_COL_MAJOR, n, a, n, pivots_.data()), "dgetri");
        answer.first = matrix_;
        break;
      case Question::Determinant:
        done(SIMSCOPE_LAPACK(LAPACKE_dgetrf)(LAPACK_COL_MAJOR, n, n, a, n, pivots_.data()), "dgetrf");
        answer.log_determinant = 0;
        answer.sign = 1;
        for (std::size_t i = 0; i < count; ++i) {
          const double pivot = matrix_[i * count + i];
          answer.log_determinant += std::log(std::abs(pivot));
          if ((pivot < 0) != (pivots_[i] != static_cast<lapack_int>(i) + 1)) answer.sign = -answer.sign;
        }
        break;
    }
  }

 private:
  std::vector<double> matrix_;
  std::vector<lapack_int> pivots_;
};

}  // namespace

std::unique_ptr<Solver> makeLapack() {
  return std::make_unique<Lapack>();
}

}  // namespace simscope::lab::linear_algebra
