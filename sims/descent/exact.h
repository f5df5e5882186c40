// Closed forms for the quadratic bowl, whose modes (curvature λ) are independent: with starts at rest, plain descent,
// momentum, and Nesterov's momentum multiply a mode after n iterations by a known number, and noise adds a known
// variance. Host; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "sims/descent/parameters.h"

namespace simscope::descent {

// The methods that are linear on a quadratic.
bool isLinear(Method method);

// The roots of r² = (1 + μ − ηλ) r − μ (momentum) or r² = (1 + μ)(1 − ηλ) r − μ (1 − ηλ) (Nesterov), or 1 − ηλ: the
// larger |r| is the factor of an error in an iteration.
double factorOf(const Rule& rule, double curvature);
// The factor of a mode's coordinate after n iterations.
double gainAfter(const Rule& rule, double curvature, std::int64_t n);
// The variance of a mode by the noise of n iterations.
double varianceAfter(const Rule& rule, double curvature, std::int64_t n);

// The largest learning rate that is stable at this curvature.
double largestRate(const Rule& rule, double curvature);
// (√κ − 1)/(√κ + 1): the least possible factor of momentum; with η = (2/(√λ + √Λ))² and μ = its square.
double leastFactor(double condition);

// Mean of f over starts whose modes have these mean squares, after n iterations (in expectation, with noise).
struct Modes {
  double curvature[2];    // 1, κ
  double mean_square[2];  // of u and v at the start
};
double meanAfter(const Rule& rule, const Modes& modes, std::int64_t n);
// The same for n = 0, stride, 2 stride, ..., `count` of them.
std::vector<double> meanCurve(const Rule& rule, const Modes& modes, std::int64_t stride, int count);
// f of one start without noise, from its modes u, v.
double valueAfter(const Rule& rule, double condition, double u, double v, std::int64_t n);

}  // namespace simscope::descent
