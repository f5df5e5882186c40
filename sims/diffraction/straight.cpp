#include "sims/diffraction/straight.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace simscope::diffraction {
namespace {

// In ascending order, cut at the window's edges; intervals that touch become one.
std::vector<Interval> joinedWithin(int n, const std::vector<Interval>& all) {
  std::vector<Interval> joined;
  for (const Interval& each : all) {
    const Interval cut{std::max(each.low, -n / 2 - 0.5), std::min(each.high, n - n / 2 - 0.5)};
    if (cut.low >= cut.high) continue;
    if (!joined.empty() && cut.low <= joined.back().high) {
      joined.back().high = std::max(joined.back().high, cut.high);
    } else {
      joined.push_back(cut);
    }
  }
  return joined;
}

std::vector<Interval> slitsOf(const Shape& s, int count) {
  std::vector<Interval> all;
  for (int k = 0; k < count; ++k) {
    const double middle = (k - 0.5 * (count - 1)) * s.separation;
    all.push_back({middle - 0.5 * s.width, middle + 0.5 * s.width});
  }
  return all;
}

compute::Complex<double> spectrumOf(const std::vector<Interval>& all, double origin, double frequency) {
  compute::Complex<double> sum{0, 0};
  for (const Interval& each : all) {
    const double width = each.high - each.low, under = std::numbers::pi * frequency * width;
    const double size = under == 0 ? width : width * std::sin(under) / under;
    const double angle = -2 * std::numbers::pi * frequency * (0.5 * (each.low + each.high) - origin);
    sum = sum + compute::Complex<double>{size * std::cos(angle), size * std::sin(angle)};
  }
  return sum;
}

}  // namespace

std::vector<Bars> barsOf(const Shape& s) {
  const auto bars = [&](const std::vector<Interval>& x, const Interval& y) {
    return Bars{joinedWithin(s.n, x), joinedWithin(s.n, {y})};
  };
  const Interval whole{-s.radius, s.radius};
  switch (s.kind) {
    case Aperture::Square:
      return {bars({whole}, whole)};
    case Aperture::Slit:
      return {bars(slitsOf(s, 1), whole)};
    case Aperture::DoubleSlit:
      return {bars(slitsOf(s, 2), whole)};
    case Aperture::Grating:
      return {bars(slitsOf(s, s.slits), whole)};
    case Aperture::Letter: {
      std::vector<Bars> strokes;
      for (int i = 0; i < kLetterBars; ++i) {
        const LetterBar each = letterBar(i);
        strokes.push_back(
            bars({{each.left * s.radius, each.right * s.radius}}, {each.bottom * s.radius, each.top * s.radius}));
      }
      return strokes;
    }
    default:
      return {};
  }
}

std::vector<compute::Complex<float>> factorsOf(const std::vector<Bars>& bars, int n, int side) {
  std::vector<compute::Complex<float>> factors;
  factors.reserve(2 * bars.size() * static_cast<std::size_t>(side));
  for (const Bars& each : bars) {
    for (const std::vector<Interval>* along : {&each.x, &each.y}) {
      for (int k = 0; k < side; ++k) {
        const double frequency = static_cast<double>(k <= side / 2 ? k : k - side) / side;
        const compute::Complex<double> value = spectrumOf(*along, -n / 2, frequency);
        // The last frequency stands for both signs, of which each has half.
        factors.push_back({static_cast<float>(value.re), 2 * k == side ? 0.0f : static_cast<float>(value.im)});
      }
    }
  }
  return factors;
}

}  // namespace simscope::diffraction
