#include "sims/schrodinger2d/image_potential.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>

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
  const double half = 0.5 * std::max(1.0, scale * grid.dx);
  std::vector<Taps> taps(static_cast<std::size_t>(grid.points));
  for (int i = 0; i < grid.points; ++i) {
    const double at = (backwards ? -grid.x(i) : grid.x(i)) * scale + 0.5 * (pixels - 1);
    const int low = std::max(0, static_cast<int>(std::floor(at - half + 0.5)));
    const int high = std::min(pixels - 1, static_cast<int>(std::ceil(at + half - 0.5)));
    Taps& tap = taps[static_cast<std::size_t>(i)];
    tap.first = std::clamp(low, 0, pixels);
    for (int pixel = low; pixel <= high; ++pixel) {
      const double overlap = std::min(at + half, pixel + 0.5) - std::max(at - half, pixel - 0.5);
      tap.weights.push_back(std::max(0.0, overlap) / (2.0 * half));
    }
  }
  return taps;
}

double pixelsPerLength(const image::GreyImage& picture, const Grid& grid) {
  return std::max(picture.width, picture.height) / grid.length;
}

}  // namespace

template <class T>
std::vector<T> imagePotential(const image::GreyImage& picture, const Grid& grid, const compute::Slab& slab,
                              double height) {
  const auto n = static_cast<std::size_t>(grid.points);
  const double scale = pixelsPerLength(picture, grid);
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

double textureOf(const image::GreyImage& picture, const Grid& grid) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  constexpr double kContrast = 0.1;  // of black and white
  constexpr int kLattice = 128, kAside = 2;
  const double scale = pixelsPerLength(picture, grid);
  if (!(scale * grid.dx > 1.0)) return kNone;
  const std::vector<Taps> across = tapsFor(grid, picture.width, scale, false);
  const std::vector<Taps> down = tapsFor(grid, picture.height, scale, true);
  // Whether the pixels of a cell differ from their mean.
  const auto mixed = [&](int i, int j) {
    const Taps &row = down[static_cast<std::size_t>(j)], &column = across[static_cast<std::size_t>(i)];
    double sum = 0, squares = 0, all = 0;
    for (std::size_t y = 0; y < row.weights.size(); ++y) {
      for (std::size_t x = 0; x < column.weights.size(); ++x) {
        const std::size_t place = (static_cast<std::size_t>(row.first) + y) * static_cast<std::size_t>(picture.width) +
                                  static_cast<std::size_t>(column.first) + x;
        const double value = picture.values[place], weight = row.weights[y] * column.weights[x];
        all += weight;
        sum += weight * value;
        squares += weight * value * value;
      }
    }
    return all > 0.0 && squares / all - sum / all * (sum / all) > kContrast * kContrast;
  };
  const int hop = std::max(1, grid.points / kLattice), end = grid.points - kAside;
  std::atomic<bool> found{false};
  tbb::parallel_for(kAside, end, hop, [&](int j) {
    for (int i = kAside; i < end && !found; i += hop) {
      if (mixed(i, j) && mixed(i - kAside, j) && mixed(i + kAside, j) && mixed(i, j - kAside) && mixed(i, j + kAside)) {
        found = true;
      }
    }
  });
  return found ? 1.0 / scale : kNone;
}

template std::vector<float> imagePotential<float>(const image::GreyImage&, const Grid&, const compute::Slab&, double);
template std::vector<double> imagePotential<double>(const image::GreyImage&, const Grid&, const compute::Slab&, double);

}  // namespace simscope::schrodinger2d
