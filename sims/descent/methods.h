// One iteration of each method, for either backend; nothing is fused. With g = ∇f, plus noise where there is any:
//   plain        x ← x − η g(x)
//   momentum     v ← μ v − η g(x),         x ← x + v      (heavy ball: Polyak 1964)
//   Nesterov     v ← μ v − η g(x + μ v),   x ← x + v      (Nesterov 1983, as Sutskever et al. 2013 write it)
//   Adam         m ← β₁ m + (1−β₁) g,  w ← β₂ w + (1−β₂) g²,  x ← x − η m̂/(√ŵ + 10⁻⁸)   (Kingma and Ba 2015)
//   BFGS         along −H g to where the slope has fallen to a hundredth, then H from the pair of steps (Nocedal and
//                Wright, chapter 6); of a quadratic that is its exact minimum along the line
#pragma once

#include <cmath>
#include <cstdint>

#include "sims/compute/random/random.h"
#include "sims/descent/surfaces.h"

namespace simscope::descent {

enum class Method { Plain, Momentum, Nesterov, Adam, Bfgs };

struct Rule {
  Method method;
  double rate, momentum, beta1, beta2;  // η, μ, β₁, β₂
  double noise;                         // standard deviation of each part of the gradient's noise
  std::uint64_t seed;
};

inline constexpr int kMemories = 4;  // numbers that a method keeps for each start
// A start beyond this distance, or whose next position is NaN, has diverged and no longer moves.
inline constexpr double kFar = 1e9;

// v of the momenta; m and w of Adam; H − 1 of BFGS (xx, xy, yy) and whether it is known. All 0: nothing is known yet.
struct Walker {
  double x, y;
  double memory[kMemories];
};

// Sums of two uniform numbers (a triangle), of mean 0 and variance 1: the same bits on both backends.
struct Noise {
  double x, y;
};
SIMSCOPE_HD inline Noise noiseOf(std::uint64_t seed, std::int64_t iteration, std::uint64_t start) {
  const compute::Uniform4 u = compute::uniform4(seed, static_cast<std::uint32_t>(iteration), start);
  const double spread = 2.449489742783178098;  // √6
  return {spread * (u.u[0] + u.u[1] - 1), spread * (u.u[2] + u.u[3] - 1)};
}

// age: iterations since the method began, from 1.
template <class F>
SIMSCOPE_HD void firstOrderStep(const F& f, const Rule& rule, const Noise& noise, std::int64_t age, Walker& w) {
  const double ahead = rule.method == Method::Nesterov ? rule.momentum : 0;
  double* const m = w.memory;
  Dual at = differentiate(f, w.x + ahead * m[0], w.y + ahead * m[1]);
  at.x = at.x + rule.noise * noise.x;
  at.y = at.y + rule.noise * noise.y;
  if (rule.method == Method::Plain) {
    w.x = w.x - rule.rate * at.x;
    w.y = w.y - rule.rate * at.y;
  } else if (rule.method == Method::Adam) {
    const double whole1 = 1 - wholePower(rule.beta1, age), whole2 = 1 - wholePower(rule.beta2, age);
    m[0] = rule.beta1 * m[0] + (1 - rule.beta1) * at.x;
    m[1] = rule.beta1 * m[1] + (1 - rule.beta1) * at.y;
    m[2] = rule.beta2 * m[2] + (1 - rule.beta2) * (at.x * at.x);
    m[3] = rule.beta2 * m[3] + (1 - rule.beta2) * (at.y * at.y);
    w.x = w.x - rule.rate * (m[0] / whole1) / (std::sqrt(m[2] / whole2) + 1e-8);
    w.y = w.y - rule.rate * (m[1] / whole1) / (std::sqrt(m[3] / whole2) + 1e-8);
  } else {
    m[0] = rule.momentum * m[0] - rule.rate * at.x;
    m[1] = rule.momentum * m[1] - rule.rate * at.y;
    w.x = w.x + m[0];
    w.y = w.y + m[1];
  }
}

// A step along d from a place with the value f0 and the slope `slope` < 0: brackets where the slope along d is 0, by
// secants, with every third trial in the middle; accepted where f has fallen by 10⁻⁴ of the slope's prediction and the
// slope to a hundredth (Nocedal and Wright, chapter 3). 0: there is none.
struct LineStep {
  double length;
  Dual at;
};
template <class F>
SIMSCOPE_HD LineStep searchLine(const F& f, const Walker& w, double dx, double dy, double f0, double slope,
                                double first) {
  constexpr int kTrials = 24;
  double low = 0, low_slope = slope, high = 0, high_slope = 0, trial = first;
  bool bracketed = false, by_secant = false;
  LineStep best{0, Dual()};
  for (int k = 0; k < kTrials; ++k) {
    const Dual at = differentiate(f, w.x + trial * dx, w.y + trial * dy);
    const double along = at.x * dx + at.y * dy;
    const bool number = std::isfinite(at.v) && std::isfinite(along);
    const bool falls = number && at.v <= f0 + 1e-4 * trial * slope + 4e-16 * std::fabs(f0);
    // A trial that is not a secant's is accepted only if it is the minimum itself.
    if (falls && std::fabs(along) <= (by_secant ? 0.01 : 1e-9) * std::fabs(slope)) return {trial, at};
    if (!falls || along > 0) {
      high = trial;
      high_slope = falls ? along : 0;
      bracketed = true;
      if (falls && (best.length == 0 || at.v < best.at.v)) best = {trial, at};
    } else {
      const double before = low, before_slope = low_slope;
      low = trial;
      low_slope = along;
      if (best.length == 0 || at.v < best.at.v) best = {trial, at};
      if (!bracketed) {
        // Outwards, to the secant's zero, at most tenfold.
        const double secant = along > before_slope ? trial - along * (trial - before) / (along - before_slope) : 0;
        by_secant = secant > trial && secant < 10 * trial;
        trial = by_secant ? secant : secant > trial ? 10 * trial : 4 * trial;
        continue;
      }
    }
    const double middle = number ? 0.5 * (low + high) : low + 0.1 * (high - low), width = high - low;
    trial = middle;
    by_secant = false;
    if (high_slope > 0 && k % 3 != 2) {
      const double secant = low - low_slope * width / (high_slope - low_slope);
      if (secant > low + 1e-3 * width && secant < high - 1e-3 * width) {
        trial = secant;
        by_secant = true;
      }
    }
  }
  return best;
}

template <class F>
SIMSCOPE_HD void bfgsStep(const F& f, Walker& w) {
  double* const m = w.memory;
  const Dual at = differentiate(f, w.x, w.y);
  bool known = m[3] > 0;
  double hxx = known ? 1 + m[0] : 1, hxy = known ? m[1] : 0, hyy = known ? 1 + m[2] : 1;
  double dx = -(hxx * at.x + hxy * at.y), dy = -(hxy * at.x + hyy * at.y), slope = at.x * dx + at.y * dy;
  if (!(slope < 0) || !std::isfinite(slope)) {  // H is no longer positive: restart
    known = false;
    hxx = hyy = 1, hxy = 0;
    dx = -at.x, dy = -at.y, slope = -(at.x * at.x + at.y * at.y);
    if (!(slope < 0)) return;  // at rest
  }
  const double first = known ? 1.0 : 1 / (1 + std::fabs(dx) + std::fabs(dy));
  const LineStep step = searchLine(f, w, dx, dy, at.v, slope, first);
  if (!(step.length > 0)) {  // no lower point found: steepest descent next time
    m[0] = m[1] = m[2] = m[3] = 0;
    return;
  }
  const double sx = step.length * dx, sy = step.length * dy, yx = step.at.x - at.x, yy = step.at.y - at.y;
  const double curvature = sx * yx + sy * yy;
  w.x = w.x + sx;
  w.y = w.y + sy;
  // Next to a minimum the squares of steps underflow: H stays as it is there.
  constexpr double kLeastCurvature = 1e-280;
  if (!(curvature > kLeastCurvature)) return;
  if (!known) hxx = hyy = curvature / (yx * yx + yy * yy), hxy = 0;
  const double hy_x = hxx * yx + hxy * yy, hy_y = hxy * yx + hyy * yy, rho = 1 / curvature;
  const double grow = (1 + (yx * hy_x + yy * hy_y) * rho) * rho;
  m[0] = hxx + (grow * sx * sx - rho * (2 * hy_x * sx)) - 1;
  m[1] = hxy + (grow * sx * sy - rho * (hy_x * sy + sx * hy_y));
  m[2] = hyy + (grow * sy * sy - rho * (2 * hy_y * sy)) - 1;
  m[3] = 1;
}

// False where the walker has diverged; it then has not moved.
template <class F, bool line_search>
SIMSCOPE_HD bool iterate(const F& f, const Rule& rule, std::int64_t iteration, std::int64_t age, std::uint64_t start,
                         Walker& w) {
  const Walker before = w;
  if constexpr (line_search) {
    bfgsStep(f, w);
  } else {
    const Noise noise = rule.noise > 0 ? noiseOf(rule.seed, iteration, start) : Noise{0, 0};
    firstOrderStep(f, rule, noise, age, w);
  }
  double sum = std::fabs(w.x) + std::fabs(w.y);
  for (int k = 0; k < kMemories; ++k) sum += std::fabs(w.memory[k]);
  if (sum < 1e300 && std::fabs(w.x) <= kFar && std::fabs(w.y) <= kFar) return true;
  w = before;
  return false;
}

}  // namespace simscope::descent
