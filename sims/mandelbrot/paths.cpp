#include "sims/mandelbrot/paths.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "sims/mandelbrot/iteration.h"

namespace simscope::mandelbrot {
namespace {

constexpr float kGap = std::numeric_limits<float>::quiet_NaN();

}  // namespace

std::vector<float> outlines(bool offsets) {
  std::vector<float> points;
  for (int which = 0; which < 2; ++which) {
    for (int i = 0; i < kOutlinePoints; ++i) {
      const double a = 2 * std::numbers::pi * i / (kOutlinePoints - 1);
      const double x = which == 0 ? std::cos(a) / 2 - std::cos(2 * a) / 4 : -1 + std::cos(a) / 4;
      const double y = which == 0 ? std::sin(a) / 2 - std::sin(2 * a) / 4 : std::sin(a) / 4;
      points.push_back(offsets ? kGap : static_cast<float>(x));
      points.push_back(offsets ? kGap : static_cast<float>(y));
    }
  }
  return points;
}

std::vector<float> orbitOfZero(double julia_x, double julia_y) {
  std::vector<float> points;
  double x = 0, y = 0;
  for (int i = 0; i < kOrbitPoints; ++i) {
    const bool near = x * x + y * y < 16;
    points.push_back(near ? static_cast<float>(x) : kGap);
    points.push_back(near ? static_cast<float>(y) : kGap);
    if (near) iterate(x, y, julia_x, julia_y);
  }
  return points;
}

}  // namespace simscope::mandelbrot
