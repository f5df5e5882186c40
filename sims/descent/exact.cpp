#include "sims/descent/exact.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace simscope::descent {
namespace {

using Complex = std::complex<double>;

// x_{n+1} = trace x_n − determinant x_{n−1}, and x_1 = first x_0.
struct Recurrence {
  double trace, determinant, first;
};
Recurrence recurrenceOf(const Rule& rule, double curvature) {
  const double shrink = 1 - rule.rate * curvature, mu = rule.momentum;
  if (rule.method == Method::Momentum) return {mu + shrink, mu, shrink};
  if (rule.method == Method::Nesterov) return {(1 + mu) * shrink, mu * shrink, shrink};
  return {shrink, 0, shrink};
}

// The roots' mean and half difference.
struct Roots {
  Complex mean, half;
};
Roots rootsOf(const Recurrence& r) {
  const Complex inside(r.trace * r.trace / 4 - r.determinant, 0);
  return {r.trace / 2, std::sqrt(inside)};
}

// (aⁿ − bⁿ)/(a − b) for the roots a, b: 0, 1, trace, ...
double spreadPower(const Recurrence& r, std::int64_t n) {
  if (n <= 0) return 0;
  const auto [mean, half] = rootsOf(r);
  const double count = static_cast<double>(n);
  if (std::abs(half) < 1e-7 * std::abs(mean)) return count * std::pow(mean.real(), count - 1);
  return ((std::pow(mean + half, count) - std::pow(mean - half, count)) / (2.0 * half)).real();
}

}  // namespace

bool isLinear(Method method) {
  return method == Method::Plain || method == Method::Momentum || method == Method::Nesterov;
}

double factorOf(const Rule& rule, double curvature) {
  const auto [mean, half] = rootsOf(recurrenceOf(rule, curvature));
  return std::max(std::abs(mean + half), std::abs(mean - half));
}

double gainAfter(const Rule& rule, double curvature, std::int64_t n) {
  const Recurrence r = recurrenceOf(rule, curvature);
  if (n == 0) return 1;
  if (r.determinant == 0) return std::pow(r.first, static_cast<double>(n));
  // x_n = x_1 S_n − determinant x_0 S_{n−1}
  return r.first * spreadPower(r, n) - r.determinant * spreadPower(r, n - 1);
}

double varianceAfter(const Rule& rule, double curvature, std::int64_t n) {
  const Recurrence r = recurrenceOf(rule, curvature);
  const double factor = factorOf(rule, curvature), scale = rule.rate * rule.noise;
  // An impulse −ησ of one iteration is −ησ S_k later, with S_1 = 1 at once.
  double sum = 0, before = 0, now = 1;
  constexpr std::int64_t kMost = 5'000'000;
  for (std::int64_t k = 1; k <= std::min(n, kMost); ++k) {
    sum += now * now;
    const double next = r.trace * now - r.determinant * before;
    before = now, now = next;
    // What is left of the sum is less than its rounding.
    if (factor < 1 && now * now + before * before < 1e-18 * sum * (1 - factor)) break;
    if (!(sum < 1e300)) break;
  }
  return sum * scale * scale;
}

double largestRate(const Rule& rule, double curvature) {
  if (rule.method == Method::Momentum) return 2 * (1 + rule.momentum) / curvature;
  if (rule.method == Method::Nesterov) return 2 * (1 + rule.momentum) / (1 + 2 * rule.momentum) / curvature;
  return 2 / curvature;
}

double leastFactor(double condition) {
  const double root = std::sqrt(condition);
  return (root - 1) / (root + 1);
}

double meanAfter(const Rule& rule, const Modes& modes, std::int64_t n) {
  double sum = 0;
  for (int k = 0; k < 2; ++k) {
    const double gain = gainAfter(rule, modes.curvature[k], n);
    sum += 0.5 * modes.curvature[k] * gain * gain * modes.mean_square[k];
    if (rule.noise > 0) sum += 0.5 * modes.curvature[k] * varianceAfter(rule, modes.curvature[k], n);
  }
  return sum;
}

std::vector<double> meanCurve(const Rule& rule, const Modes& modes, std::int64_t stride, int count) {
  Rule still = rule;
  still.noise = 0;
  std::vector<double> means(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) means[static_cast<std::size_t>(k)] = meanAfter(still, modes, k * stride);
  constexpr std::int64_t kMost = 5'000'000;
  if (rule.noise == 0 || count * stride > kMost) return means;
  const double scale = rule.rate * rule.noise;
  for (const double curvature : modes.curvature) {
    const Recurrence r = recurrenceOf(rule, curvature);
    double sum = 0, before = 0, now = 1;
    for (int k = 1; k < count; ++k) {
      for (std::int64_t i = 0; i < stride; ++i) {
        sum += now * now;
        const double next = r.trace * now - r.determinant * before;
        before = now, now = next;
      }
      means[static_cast<std::size_t>(k)] += 0.5 * curvature * sum * scale * scale;
    }
  }
  return means;
}

double valueAfter(const Rule& rule, double condition, double u, double v, std::int64_t n) {
  Rule still = rule;
  still.noise = 0;
  return meanAfter(still, {{1, condition}, {u * u, v * v}}, n);
}

}  // namespace simscope::descent
