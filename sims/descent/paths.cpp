#include "sims/descent/paths.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace simscope::descent {
namespace {

constexpr float kGap = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint64_t kWatchedStart = ~std::uint64_t{0};  // its number among all starts, for the noise

// The pieces of one level in the square between four values, along its edges.
void addPieces(std::vector<float>& points, double level, const double (&v)[4], double x, double y, double cell) {
  // Corners: 0 left below, 1 right below, 2 right above, 3 left above.
  constexpr double kX[] = {0, 1, 1, 0}, kY[] = {0, 0, 1, 1};
  float crossed[8];
  int count = 0;
  for (int edge = 0; edge < 4; ++edge) {
    const int a = edge, b = (edge + 1) % 4;
    if ((v[a] < level) == (v[b] < level)) continue;
    const double along = (level - v[a]) / (v[b] - v[a]);
    crossed[2 * count] = static_cast<float>(x + cell * (kX[a] + along * (kX[b] - kX[a])));
    crossed[2 * count + 1] = static_cast<float>(y + cell * (kY[a] + along * (kY[b] - kY[a])));
    ++count;
  }
  for (int k = 0; k + 1 < count; k += 2) {
    points.insert(points.end(), crossed + 2 * k, crossed + 2 * k + 4);
    points.insert(points.end(), {kGap, kGap});
  }
}

}  // namespace

Watched watch(const SurfaceData& surface, const Rule& rule, double x, double y, int iterations) {
  Watched path;
  withSurface(surface, [&](const auto& f) {
    using F = std::decay_t<decltype(f)>;
    Walker w{x, y, {}};
    for (int n = 0;; ++n) {
      path.x.push_back(w.x);
      path.y.push_back(w.y);
      path.f.push_back(f(w.x, w.y));
      if (n == iterations) return;
      const bool goes_on = rule.method == Method::Bfgs ? iterate<F, true>(f, rule, n + 1, n + 1, kWatchedStart, w)
                                                       : iterate<F, false>(f, rule, n + 1, n + 1, kWatchedStart, w);
      if (!goes_on) return;
    }
  });
  return path;
}

Picture pictureOf(const Parameters& p, const SurfaceData& surface, const Minima& minima) {
  const bool log = p.shown == Shown::Logarithm;
  Picture picture;
  picture.values.reserve(static_cast<std::size_t>(kSurfaceCells) * kSurfaceCells);
  const double cell = 2 * p.half_edge / kSurfaceCells;
  withSurface(surface, [&](const auto& f) {
    for (int j = 0; j < kSurfaceCells; ++j) {
      for (int i = 0; i < kSurfaceCells; ++i) {
        const double value = f(p.left() + (i + 0.5) * cell, p.bottom() + (j + 0.5) * cell);
        const double shown = log ? std::log10(std::max(value - minima.lowest, 1e-12)) : value;
        picture.values.push_back(static_cast<float>(std::clamp(shown, -1e30, 1e30)));
      }
    }
  });
  // Where f is NaN the picture has a gap, which the range ignores.
  std::vector<float> sorted;
  for (float& value : picture.values) {
    if (std::isfinite(value)) sorted.push_back(value);
  }
  const auto at = [&](double share) {
    const auto place = sorted.begin() + static_cast<std::ptrdiff_t>(share * (static_cast<double>(sorted.size()) - 1));
    std::nth_element(sorted.begin(), place, sorted.end());
    return *place;
  };
  picture.low = sorted.empty() ? 0 : log ? at(0.0005) : std::min<double>(minima.lowest, at(0));
  picture.high = sorted.empty() ? 1 : at(log ? 1 : 0.98);
  if (!(picture.high > picture.low)) picture.high = picture.low + 1;
  return picture;
}

double topLoss(const Parameters& p, const SurfaceData& surface, const Minima& minima) {
  constexpr int kPlaces = 33;
  double most = 0;
  withSurface(surface, [&](const auto& f) {
    for (int k = 0; k < kPlaces * kPlaces; ++k) {
      const double x = p.left() + 2 * p.half_edge * (k % kPlaces) / (kPlaces - 1.0);
      const double value = f(x, p.bottom() + 2 * p.half_edge * (k / kPlaces) / (kPlaces - 1.0)) - minima.lowest;
      if (std::isfinite(value)) most = std::max(most, value);
    }
  });
  return std::log10(std::max(most, 1e-6));
}

std::vector<float> contoursOf(const Parameters& p, const Picture& picture) {
  const double cell = 2 * p.half_edge / kSurfaceCells;
  const auto at = [&](int i, int j) {
    return static_cast<double>(
        picture.values[static_cast<std::size_t>(j) * kSurfaceCells + static_cast<std::size_t>(i)]);
  };
  std::vector<float> points;
  for (int levels = 8, step = 2;; levels = levels * 2 / 3) {
    points.clear();
    for (int level = 1; level <= levels; ++level) {
      const double value = picture.low + (picture.high - picture.low) * level / (levels + 1.0);
      for (int j = 0; j + step < kSurfaceCells; j += step) {
        for (int i = 0; i + step < kSurfaceCells; i += step) {
          const double corners[] = {at(i, j), at(i + step, j), at(i + step, j + step), at(i, j + step)};
          if (!std::isfinite(corners[0] + corners[1] + corners[2] + corners[3])) continue;
          addPieces(points, value, corners, p.left() + (i + 0.5) * cell, p.bottom() + (j + 0.5) * cell, step * cell);
        }
      }
    }
    if (points.size() <= std::size_t{2} * kMostContourPoints || levels <= 1) break;
  }
  points.resize(std::size_t{2} * kMostContourPoints, kGap);
  return points;
}

std::vector<float> crossesOf(const Parameters& p, const Minima& minima) {
  const float arm = static_cast<float>((minima.all.size() > 20 ? 0.012 : 0.022) * p.half_edge);
  std::vector<float> points;
  for (const Minimum& each : minima.all) {
    const float x = static_cast<float>(each.x), y = static_cast<float>(each.y);
    points.insert(points.end(), {x - arm, y - arm, x + arm, y + arm, kGap, kGap, x - arm, y + arm, x + arm, y - arm});
  }
  if (points.empty()) points.assign(std::size_t{2} * kCrossPoints, kGap);
  return points;
}

}  // namespace simscope::descent
