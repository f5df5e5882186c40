#include "sims/schrodinger2d/image_potential.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace simscope::schrodinger2d {
namespace {

// The pixels along one axis that a point sees, and how much of each.
struct Taps {
  int first = 0;
  std::vector<double> weights;
};

// For every point of the grid along an axis that the picture's `pixels` run along; `backwards`: the last one at the low
// end. `scale`: pixels a unit of length. Weights that fall beside the picture are dropped: there it is white.
std::vector<Taps> tapsFor(const Grid& grid, int pixels, double scale, bool backwards) {
  const double reach = std::max(1.0, scale * grid.dx);
  std::vector<Taps> taps(static_cast<std::size_t>(grid.points));
  for (int i = 0; i < grid.points; ++i) {
    const double at = (backwards ? -grid.x(i) : grid.x(i)) * scale + 0.5 * (pixels - 1);
    const int low = static_cast<int>(std::ceil(at - reach)), high = static_cast<int>(std::floor(at + reach));
    Taps& tap = taps[static_cast<std::size_t>(i)];
    tap.first = std::clamp(low, 0, pixels);
    double sum = 0;
    for (int pixel = low; pixel <= high; ++pixel) {
      const double weight = std::max(0.0, 1.0 - std::fabs(pixel - at) / reach);
      sum += weight;
      if (pixel >= 0 && pixel < pixels) tap.weights.push_back(weight);
    }
    for (double& weight : tap.weights) weight /= sum;
  }
  return taps;
}

}  // namespace

template <class T>
std::vector<T> imagePotential(const image::GreyImage& picture, const Grid& grid, const compute::Slab& slab,
                              double height) {
  const auto n = static_cast<std::size_t>(grid.points);
  const double scale = std::max(picture.width, picture.height) / grid.length;
  const std::vector<Taps> across = tapsFor(grid, picture.width, scale, false);
  const std::vector<Taps> down = tapsFor(grid, picture.height, scale, true);  // its first row is the uppermost
  std::vector<T> values(static_cast<std::size_t>(slab.count) * n);
  tbb::parallel_for(std::size_t{0}, static_cast<std::size_t>(slab.count), [&](std::size_t row) {
    const std::size_t j = static_cast<std::size_t>(slab.first) + row;
    // First down, to one row of darkness, then across.
    std::vector<double> dark(static_cast<std::size_t>(picture.width), 0.0);
    for (std::size_t k = 0; k < down[j].weights.size(); ++k) {
      const float* const pixels = picture.values.data() + (static_cast<std::size_t>(down[j].first) + k) *
                                                              static_cast<std::size_t>(picture.width);
      for (std::size_t pixel = 0; pixel < dark.size(); ++pixel) {
        dark[pixel] += down[j].weights[k] * (1.0 - static_cast<double>(pixels[pixel]));
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < across[i].weights.size(); ++k) {
        sum += across[i].weights[k] * dark[static_cast<std::size_t>(across[i].first) + k];
      }
      values[row * n + i] = static_cast<T>(height * sum);
    }
  });
  return values;
}

template std::vector<float> imagePotential<float>(const image::GreyImage&, const Grid&, const compute::Slab&, double);
template std::vector<double> imagePotential<double>(const image::GreyImage&, const Grid&, const compute::Slab&, double);

}  // namespace simscope::schrodinger2d
