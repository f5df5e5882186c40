#include "sims/schrodinger2d/propagation/landscape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "sims/compute/loops/rows.h"
#include "sims/compute/ranks/ranks.h"
#include "sims/schrodinger2d/propagation/plane_functors.h"

namespace simscope::schrodinger2d {
namespace functors {

// V at the points of a whole plane.
template <class T>
struct WholePlane {
  Total<T> total;
  int n;
  SIMSCOPE_HD bool has(int x, int y) const { return x >= 0 && x < n && y >= 0 && y < n; }
  SIMSCOPE_HD double operator()(int x, int y) const { return total(static_cast<std::size_t>(y) * n + x); }
};
// V at a rank's own rows and those beside them.
struct OwnAndNear {
  const double* v;
  Slab slab;
  SIMSCOPE_HD bool has(int x, int y) const {
    return x >= 0 && x < slab.n && y >= 0 && y < slab.n && y >= slab.first - slab.halo && y < slab.end() + slab.halo;
  }
  SIMSCOPE_HD double operator()(int x, int y) const { return v[slab.at(x, y)]; }
};
template <class T>
struct TotalAt {
  Total<T> total;
  double* to;
  Slab from, near;
  SIMSCOPE_HD void operator()(int x, int y) const { to[near.at(x, y)] = total(from.at(x, y)); }
};

template <class V>
struct NarrowAt {
  static constexpr int kSamples = 9;  // one before the foot, the foot, and the places of the other foot
  V v;
  double least;

  // Whether V is beyond `level` all around a place, at a distance across.
  SIMSCOPE_HD bool solid(int x, int y, int dx, int dy, double sign, double level) const {
    constexpr int kHalf = 2;
    for (int i = -kHalf; i <= kHalf; ++i) {
      const int column = x + i * dx, row = y + i * dy;
      if (!v.has(column, row) || !(sign * v(column, row) >= level)) return false;
    }
    return true;
  }

  // Of what rises from its foot at (x, y) in the direction (dx, dy), where sign·V rises; in cells.
  SIMSCOPE_HD double widthFrom(const double* samples, double sign, int x, int y, int dx, int dy) const {
    constexpr double kNone = std::numeric_limits<double>::infinity(), kFlat = 0.1;
    const double foot = sign * samples[1];
    double peak = sign * samples[2];
    for (int end = 3; end + 1 < kSamples; ++end) {
      const double other = sign * samples[end], base = other > foot ? other : foot, height = peak - base;
      // Both feet are where V has come down.
      if (height > least && foot - sign * samples[0] < kFlat * height &&
          other - sign * samples[end + 1] < kFlat * height) {
        const double level = base + 0.5 * height;
        int first = 2, last = end - 1;
        while (sign * samples[first] < level) ++first;
        while (sign * samples[last] < level) --last;
        const auto part = [&](int from, int to) {  // of the way between two samples at which V crosses the level
          const double a = sign * samples[from], b = sign * samples[to];
          return (level - a) / (b - a);
        };
        const double width = last - first + (1.0 - part(first - 1, first)) + (1.0 - part(last + 1, last));
        const int middle = (first + last) / 2 - 1;
        constexpr int kAcross = 5;
        const int px = x + middle * dx, py = y + middle * dy;
        for (const int side : {-kAcross, kAcross}) {
          if (solid(px + side * dy, py + side * dx, dx, dy, sign, level)) return kNone;
        }
        return width;
      }
      peak = other > peak ? other : peak;
    }
    return kNone;
  }

  SIMSCOPE_HD double along(int x, int y, int dx, int dy) const {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    if (!v.has(x - dx, y - dy) || !v.has(x + (kSamples - 2) * dx, y + (kSamples - 2) * dy)) return kNone;
    double samples[kSamples], low = kNone, high = -kNone;
    for (int i = 0; i < kSamples; ++i) {
      samples[i] = v(x + (i - 1) * dx, y + (i - 1) * dy);
      low = samples[i] < low ? samples[i] : low;
      high = samples[i] > high ? samples[i] : high;
    }
    if (!(high - low > least)) return kNone;
    const double wall = widthFrom(samples, 1.0, x, y, dx, dy), gap = widthFrom(samples, -1.0, x, y, dx, dy);
    return wall < gap ? wall : gap;
  }

  SIMSCOPE_HD double operator()(int x, int y) const {
    const double across = along(x, y, 1, 0), down = along(x, y, 0, 1);
    return across < down ? across : down;
  }
};
struct Smaller {
  SIMSCOPE_HD double operator()(double a, double b) const { return a < b ? a : b; }
};

struct Densities {
  double on_jumps, all;
};
template <class T, class V>
struct DensitiesAt {
  const Complex<T>* psi;
  Slab slab;
  V v;
  double least;
  CellRange box;

  SIMSCOPE_HD bool bends(int x, int y, int dx, int dy) const {
    if (!v.has(x - dx, y - dy) || !v.has(x + dx, y + dy)) return false;
    return std::fabs(v(x - dx, y - dy) - 2.0 * v(x, y) + v(x + dx, y + dy)) > least;
  }
  SIMSCOPE_HD Densities operator()(int x, int y) const {
    const Complex<T> z = psi[slab.at(x, y)];
    const double density = static_cast<double>(z.re) * z.re + static_cast<double>(z.im) * z.im;
    const bool within = x >= box.left && x < box.right && y >= box.bottom && y < box.top;
    return {within && (bends(x, y, 1, 0) || bends(x, y, 0, 1)) ? density : 0.0, density};
  }
};
struct LargerDensities {
  SIMSCOPE_HD Densities operator()(const Densities& a, const Densities& b) const {
    return {a.on_jumps > b.on_jumps ? a.on_jumps : b.on_jumps, a.all > b.all ? a.all : b.all};
  }
};

}  // namespace functors

namespace {

// Calls `use` with V at this rank's rows and as many beside them as a feature needs.
template <class T, class Use>
auto withLandscape(compute::Device& device, const functors::Total<T>& total, const Slab& slab, const Use& use) {
  if (slab.count == slab.n) return use(functors::WholePlane<T>{total, slab.n});
  constexpr int kReach = 12;
  Slab near = slab;
  near.halo = std::min(kReach, slab.n / device.ranks()->size());
  compute::Buffer<double> v(device.shared_from_this(), near.cells());
  compute::forRows(device, slab.n, slab.first, slab.count, functors::TotalAt<T>{total, v.data(), slab, near});
  compute::exchangeHalo(device, near, v.data(), sizeof(double), near.halo, false);
  return use(functors::OwnAndNear{v.data(), near});
}

}  // namespace

template <class T>
double narrowestFeature(compute::Device& device, const T* potential, const float* walls, const Numbers& p, double least,
                        const Slab& slab) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  return gridOf(p).dx * withLandscape<T>(device, {potential, walls, p.barrier_height}, slab, [&](const auto& v) {
           return compute::reduceRows(device, compute::cutsOf(device, slab.n, 0, slab.n), slab.n, 0, kNone,
                                      functors::NarrowAt<std::decay_t<decltype(v)>>{v, least}, functors::Smaller{});
         });
}

template <class T>
double densityOnJumps(compute::Device& device, const Complex<T>* psi, const T* potential, const float* walls,
                      const Numbers& p, double least, const CellRange& box, const Slab& slab) {
  const auto found = withLandscape<T>(device, {potential, walls, p.barrier_height}, slab, [&](const auto& v) {
    return compute::reduceRows(device, compute::cutsOf(device, slab.n, 0, slab.n), slab.n, 0, functors::Densities{},
                               functors::DensitiesAt<T, std::decay_t<decltype(v)>>{psi, slab, v, least, box},
                               functors::LargerDensities{});
  });
  return found.all > 0.0 ? found.on_jumps / found.all : 0.0;
}

#define SIMSCOPE_INSTANTIATE(T)                                                                                       \
  template double narrowestFeature(compute::Device&, const T*, const float*, const Numbers&, double, const Slab&);    \
  template double densityOnJumps(compute::Device&, const Complex<T>*, const T*, const float*, const Numbers&, double, \
                                 const CellRange&, const Slab&);
SIMSCOPE_INSTANTIATE(float)
SIMSCOPE_INSTANTIATE(double)
#undef SIMSCOPE_INSTANTIATE

}  // namespace simscope::schrodinger2d
