#include <algorithm>
#include <cmath>
#include <cstdint>

#include "app/lab/lessons/linear_algebra/linear_algebra.h"

namespace simscope::lab::linear_algebra {
namespace {

constexpr std::size_t kColumns = 6;  // looked at

double norm(const std::vector<double>& v) {
  double squares = 0;
  for (const double each : v) squares += each * each;
  return std::sqrt(squares);
}

// A·x − factor·b, and the length of that.
double residualNorm(const Problem& p, const double* x, const double* b, double factor) {
  const auto n = static_cast<std::size_t>(p.n);
  std::vector<double> rest(n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) rest[i] += p.matrix[j * n + i] * x[j];
  }
  for (std::size_t i = 0; i < n; ++i) rest[i] -= factor * b[i];
  return norm(rest);
}

double lengthOf(const double* v, std::size_t n) {
  return norm(std::vector<double>(v, v + n));
}

// The sum of the values, compared with the exact sum.
double sumError(const Answer& answer, double expected, bool squared) {
  double sum = 0;
  for (const double each : answer.values) sum += squared ? each * each : each;
  return std::abs(sum - expected);
}

}  // namespace

Problem problem(Question question, int n) {
  Problem p{.question = question, .n = n, .matrix = {}, .right_side = {}, .log_determinant = 0};
  const auto count = static_cast<std::size_t>(n);
  std::uint32_t state = 17;
  const auto next = [&] {  // 0 to 1
    state = state * 1664525u + 1013904223u;
    return static_cast<double>(state >> 8) * 0x1p-24;
  };
  p.matrix.resize(count * count);
  if (question == Question::Eigen || question == Question::Svd) {
    for (std::size_t j = 0; j < count; ++j) {
      for (std::size_t i = 0; i < count; ++i) {
        const bool mirrored = question == Question::Eigen && i < j;
        p.matrix[j * count + i] = mirrored ? p.matrix[i * count + j] : 2 * next() - 1;
      }
    }
    return p;
  }
  // A diagonal and a product of two vectors, full and with a determinant that is known: Π d · (1 + Σ u v / d).
  std::vector<double> d(count), u(count), v(count);
  const double scale = 1 / std::sqrt(static_cast<double>(n));
  double added = 1;
  for (std::size_t i = 0; i < count; ++i) {
    d[i] = 1 + next();
    u[i] = scale * next();
    v[i] = scale * next();
    p.log_determinant += std::log(d[i]);
    added += u[i] * v[i] / d[i];
  }
  p.log_determinant += std::log(added);
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = 0; i < count; ++i) p.matrix[j * count + i] = u[i] * v[j] + (i == j ? d[i] : 0);
  }
  // Moves all rows by one place, cyclically, so that the elimination must search its pivots: n − 1 exchanges.
  for (std::size_t j = 0; j < count; ++j) {
    const auto column = p.matrix.begin() + static_cast<std::ptrdiff_t>(j * count);
    std::rotate(column, column + 1, column + n);
  }
  if (count % 2 == 0) {  // an odd number of exchanges changes the sign: one more
    for (std::size_t j = 0; j < count; ++j) std::swap(p.matrix[j * count], p.matrix[j * count + 1]);
  }
  for (std::size_t i = 0; i < count; ++i) p.right_side.push_back(2 * next() - 1);
  return p;
}

double residual(const Problem& p, const Answer& answer) {
  const auto n = static_cast<std::size_t>(p.n);
  const double size = norm(p.matrix);
  double worst = 0;
  const auto see = [&](double each) { worst = std::isfinite(each) ? std::max(worst, each) : each; };
  if (p.question == Question::Determinant) {
    const double off =
        std::abs(answer.log_determinant - p.log_determinant) / std::max(1.0, std::abs(p.log_determinant));
    return answer.sign == 1 ? off : 1;
  }
  if (p.question == Question::Solve) {
    return residualNorm(p, answer.values.data(), p.right_side.data(), 1) / (size * norm(answer.values));
  }
  if (p.question == Question::Eigen) {
    double trace = 0;
    for (std::size_t i = 0; i < n; ++i) trace += p.matrix[i * n + i];
    see(sumError(answer, trace, false) / (size * std::sqrt(static_cast<double>(n))));
  }
  if (p.question == Question::Svd) see(sumError(answer, size * size, true) / (size * size));
  std::vector<double> right(n);
  for (std::size_t c = 0; c < std::min(kColumns, n); ++c) {
    const std::size_t k = n <= kColumns ? c : c * (n - 1) / (kColumns - 1);
    const double* const column = answer.first.data() + k * n;
    if (p.question == Question::Inverse) {
      std::fill(right.begin(), right.end(), 0);
      right[k] = 1;
      see(residualNorm(p, column, right.data(), 1) / (size * lengthOf(column, n)));
    } else if (p.question == Question::Eigen) {
      see(residualNorm(p, column, column, answer.values[k]) / size);
      see(std::abs(lengthOf(column, n) - 1));
    } else {
      for (std::size_t i = 0; i < n; ++i) right[i] = answer.second[i * n + k];
      see(residualNorm(p, right.data(), column, answer.values[k]) / size);
      see(std::abs(lengthOf(column, n) - 1));
      see(std::abs(norm(right) - 1));
    }
    if (!std::isfinite(worst)) return worst;
  }
  return worst;
}

}  // namespace simscope::lab::linear_algebra
