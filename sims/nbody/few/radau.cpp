#include "sims/nbody/few/radau.h"

#include <array>
#include <cmath>

namespace simscope::nbody {
namespace {

// Zeros of Radau's polynomial of degree 8 on [0, 1] with one of them at 0: those of (P₇(x) + P₈(x))/(1 + x) at
// x = 2h − 1. Newton's method, from Chebyshev's places.
std::array<long double, kNodes> radauNodes() {
  std::array<long double, kNodes> nodes{};
  const auto value = [](long double x) {
    long double before = 1, p = x;
    long double seventh = 0;
    for (int n = 1; n < kNodes; ++n) {
      const long double next = ((2 * n + 1) * x * p - n * before) / (n + 1);
      before = p;
      p = next;
      if (n == kNodes - 2) seventh = next;
    }
    return (seventh + p) / (1 + x);
  };
  for (int i = 1; i < kNodes; ++i) {
    long double x = -std::cos(2 * i * 3.14159265358979323846L / (2 * kNodes - 1));
    for (int k = 0; k < 30; ++k) {
      const long double step = 1e-6L;
      x -= value(x) * 2 * step / (value(x + step) - value(x - step));
    }
    nodes[i] = (x + 1) / 2;
  }
  return nodes;
}

RadauTable made() {
  const std::array<long double, kNodes> h = radauNodes();
  RadauTable table{};
  for (int j = 0; j < kNodes; ++j) {
    // Lagrange's polynomial in powers of s.
    std::array<long double, kNodes> l{1};
    for (int k = 0, degree = 0; k < kNodes; ++k) {
      if (k == j) continue;
      const long double by = 1 / (h[j] - h[k]);
      for (int p = ++degree; p >= 0; --p) l[p] = ((p > 0 ? l[p - 1] : 0) - h[k] * l[p]) * by;
    }
    table.node[j] = static_cast<double>(h[j]);
    table.last[j] = static_cast<double>(l[kNodes - 1]);
    const auto integrals = [&](long double to, double& once, double& twice) {
      long double v = 0, x = 0, power = to;
      for (int p = 0; p < kNodes; ++p, power *= to) {
        v += l[p] * power / (p + 1);
        x += l[p] * power * to / ((p + 1) * (p + 2));
      }
      once = static_cast<double>(v);
      twice = static_cast<double>(x);
    };
    double unused = 0;
    for (int n = 0; n < kNodes; ++n) integrals(h[n], unused, table.place[n][j]);
    integrals(1, table.end_velocity[j], table.end_place[j]);
  }
  return table;
}

}  // namespace

const RadauTable& radauTable() {
  static const RadauTable table = made();
  return table;
}

}  // namespace simscope::nbody
