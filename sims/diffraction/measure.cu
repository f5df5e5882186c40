#include "sims/diffraction/measure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sims/compute/loops/plus.h"
#include "sims/compute/loops/rows.h"
#include "sims/diffraction/shape.h"

namespace simscope::diffraction {
namespace functors {

struct Value {
  const float* pattern;
  compute::Slab slab;
  SIMSCOPE_HD double operator()(std::size_t i) const { return static_cast<double>(pattern[i]); }
  SIMSCOPE_HD double operator()(int x, int y) const { return (*this)(slab.at(x, y)); }
};

// Over the (2 reach + 1)² cells around the centre.
struct Within {
  const float* pattern;
  compute::Slab slab;
  int reach;
  double radius;

  SIMSCOPE_HD double from(int dx, int dy) const {
    const int middle = slab.n / 2;
    return discShare(dx, dy, radius) * static_cast<double>(pattern[slab.at(middle + dx, middle + dy)]);
  }
  SIMSCOPE_HD double operator()(std::size_t i) const {
    const int width = 2 * reach + 1;
    return from(static_cast<int>(i % width) - reach, static_cast<int>(i / width) - reach);
  }
  // By column among those cells, and row of the plane.
  SIMSCOPE_HD double operator()(int column, int y) const { return from(column - reach, y - slab.n / 2); }
};

}  // namespace functors

double totalOf(compute::Device& device, const float* pattern, const compute::Slab& slab) {
  const functors::Value value{pattern, slab};
  if (!device.ranks()) return compute::reduce(device, slab.cells(), 0.0, value, compute::Plus{});
  return compute::reduceRows(device, compute::cutsOf(device, slab.n, 0, slab.n), slab.n, 0, 0.0, value,
                             compute::Plus{});
}

double lightWithin(compute::Device& device, const float* pattern, const compute::Slab& slab, double radius) {
  const int n = slab.n;
  const double most = n / 2 - 2;
  if (!(radius >= 0 && radius <= most)) return std::numeric_limits<double>::quiet_NaN();
  const int reach = std::min(n / 2 - 2, static_cast<int>(radius) + 2);
  const functors::Within within{pattern, slab, reach, radius};
  const std::size_t width = 2 * static_cast<std::size_t>(reach) + 1;
  if (!device.ranks()) return compute::reduce(device, width * width, 0.0, within, compute::Plus{});
  const std::vector<int> cuts = compute::cutsOf(device, n, n / 2 - reach, n / 2 + reach + 1);
  return compute::reduceRows(device, cuts, 2 * reach + 1, n / 2 - reach, 0.0, within, compute::Plus{});
}

double firstMinimum(std::span<const float> row) {
  const std::size_t n = row.size(), middle = n / 2;
  std::size_t at = middle + 1;
  const auto falls = [&](std::size_t k) { return row[k] < row[k - 1]; };
  while (at + 1 < n && falls(at) && falls(at + 1)) ++at;
  if (at + 1 >= n || !falls(at)) return std::numeric_limits<double>::quiet_NaN();

  // The periodic function of lowest frequencies through all samples.
  const auto interpolated = [&](double x) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const double angle = std::numbers::pi * (x - static_cast<double>(k));
      const double under = std::tan(angle / static_cast<double>(n));
      const double kernel = std::abs(under) < 1e-12 ? 1 : std::sin(angle) / (static_cast<double>(n) * under);
      sum += kernel * static_cast<double>(row[k]);
    }
    return sum;
  };
  constexpr double kGolden = 0.61803398874989485;
  double low = static_cast<double>(at) - 1, high = static_cast<double>(at) + 1;
  double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
  double at_left = interpolated(left), at_right = interpolated(right);
  while (high - low > 1e-5) {
    if (at_left < at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - kGolden * (high - low);
      at_left = interpolated(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + kGolden * (high - low);
      at_right = interpolated(right);
    }
  }
  return 0.5 * (low + high) - static_cast<double>(middle);
}

}  // namespace simscope::diffraction
