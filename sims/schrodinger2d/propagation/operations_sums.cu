// Sums over the plane, each in one pass.
#include <cmath>
#include <limits>

#include "sims/compute/loops/plus.h"
#include "sims/compute/loops/rows.h"
#include "sims/compute/ranks/ranks.h"
#include "sims/schrodinger2d/propagation/operations.h"
#include "sims/schrodinger2d/propagation/plane_functors.h"

namespace simscope::schrodinger2d {
namespace functors {

template <class T>
struct RangeAt {
  Total<T> total;
  Slab slab;
  SIMSCOPE_HD Range operator()(int x, int y) const {
    const double v = total(slab.at(x, y));
    return {v, v};
  }
};
struct Widen {
  SIMSCOPE_HD Range operator()(const Range& a, const Range& b) const {
    return {a.lowest < b.lowest ? a.lowest : b.lowest, a.highest > b.highest ? a.highest : b.highest};
  }
};

template <class T>
struct PositionSumsAt {
  const Complex<T>* psi;
  Total<T> total;
  WaveOf wave;
  Grid grid;
  Edges edges;
  Slab slab;

  SIMSCOPE_HD PositionSums operator()(int column, int row) const {
    const std::size_t i = slab.at(column, row);
    const double x = grid.x(column), y = grid.x(row);
    const double re = psi[i].re, im = psi[i].im, density = re * re + im * im;
    const double far = std::fmax(std::fabs(x), std::fabs(y));
    PositionSums s{};
    s.norm = density;
    s.left = x < edges.left ? density : 0.0;
    s.right = x >= edges.right ? density : 0.0;
    s.x = density * x;
    s.y = density * y;
    s.xx = s.x * x;
    s.yy = s.y * y;
    s.v = density * total(i);
    s.edge = far > (0.5 - kEdgeShare) * grid.length ? density : 0.0;
    if (wave.lines.count > 0) {
      const Complex<double> exact = wave(column, row);
      s.exact = norm2(exact);
      s.error = norm2(Complex<double>{re - exact.re, im - exact.im});
    }
    return s;
  }
};

template <class T>
struct AddTaken {
  double* taken;
  const Complex<T>* psi;
  const double* rates;
  Slab slab;
  double weight;
  SIMSCOPE_HD void operator()(int column, int band, std::size_t i) const {
    const int first = band * kBand > slab.first ? band * kBand : slab.first;
    const int end = (band + 1) * kBand < slab.end() ? (band + 1) * kBand : slab.end();
    double sum = 0;
    for (int row = first; row < end; ++row) {
      const double rate = rates[column] + rates[row];
      if (rate > 0) sum += rate * static_cast<double>(norm2(psi[slab.at(column, row)]));
    }
    taken[i] += weight * sum;
  }
};

struct TakenAt {
  const double* taken;
  Grid grid;
  Edges edges;
  int first;  // first band, among those of all ranks
  SIMSCOPE_HD Sides operator()(int column, int band) const {
    const double x = grid.x(column);
    const std::size_t i = static_cast<std::size_t>(band - first) * grid.points + column;
    return {x < edges.left ? taken[i] : 0, x >= edges.left && x < edges.right ? taken[i] : 0,
            x >= edges.right ? taken[i] : 0};
  }
};

template <class T>
struct MomentumSumsAt {
  const Complex<T>* phi;  // of a piece
  Grid grid;
  int rests, rest;
  SIMSCOPE_HD MomentumSums operator()(int column, int row, std::size_t i) const {
    const double kx = grid.k(column * rests + rest), ky = grid.k(row), kk = kx * kx + ky * ky;
    const double re = phi[i].re, im = phi[i].im, density = re * re + im * im;
    const double far = std::fmax(std::fabs(kx), std::fabs(ky));
    return {density, density * kk, density * kk * kk, far > (1.0 - kLimitShare) * grid.nyquist() ? density : 0.0};
  }
};

template <class T>
struct DensityAt {
  const Complex<T>* psi;
  Slab slab;
  SIMSCOPE_HD double operator()(std::size_t i) const {
    const double re = psi[i].re, im = psi[i].im;
    return re * re + im * im;
  }
  SIMSCOPE_HD double operator()(int x, int y) const { return (*this)(slab.at(x, y)); }
};

template <class T>
struct NotFiniteAt {
  const Complex<T>* psi;
  Slab slab;
  SIMSCOPE_HD std::int64_t operator()(int x, int y) const {
    const std::size_t i = slab.at(x, y);
    const T zero = (psi[i].re - psi[i].re) + (psi[i].im - psi[i].im);  // NaN unless both parts are finite
    return zero == T(0) ? 0 : 1;
  }
};

}  // namespace functors

namespace {

std::vector<int> allRows(const compute::Device& device, const Slab& slab) {
  return compute::cutsOf(device, slab.n, 0, slab.n);
}

}  // namespace

template <class T>
Range rangeOf(compute::Device& device, const T* potential, const float* walls, const Numbers& p, const Slab& slab) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return compute::reduceRows(device, allRows(device, slab), slab.n, 0, Range{kInfinity, -kInfinity},
                             functors::RangeAt<T>{{potential, walls, p.barrier_height}, slab}, functors::Widen{});
}

template <class T>
double valueAt(compute::Device& device, const T* potential, int column, int row, const Slab& slab) {
  T value{};
  if (slab.owns(row)) device.download(&value, potential + slab.at(column, row), sizeof value);
  compute::shareFromRow(device, slab.n, row, &value, sizeof value);
  return static_cast<double>(value);
}

template <class T>
PositionSums positionSums(compute::Device& device, const Complex<T>* psi, const T* potential, const float* walls,
                          const PacketLines& lines, const Numbers& p, const Slab& slab) {
  const Grid grid = gridOf(p);
  const functors::PositionSumsAt<T> at{
      psi, {potential, walls, p.barrier_height}, {lines, grid.points}, grid, edgesOf(p), slab};
  return compute::reduceRows(device, allRows(device, slab), slab.n, 0, PositionSums{}, at, compute::Plus{});
}

Bands bandsOf(const compute::Device& device, const Slab& slab) {
  const auto last = [](int end) { return (end - 1) / kBand; };
  Bands bands{slab.first / kBand, last(slab.end()) - slab.first / kBand + 1, {0}};
  const int size = device.ranks() ? device.ranks()->size() : 1;
  for (int rank = 0; rank < size; ++rank) {
    const auto [first, count] = compute::Ranks::shareOf(static_cast<std::uint64_t>(slab.n), rank, size);
    const int from = static_cast<int>(first), end = static_cast<int>(first + count);
    bands.cuts.push_back(bands.cuts.back() + last(end) - from / kBand + 1);
  }
  return bands;
}

template <class T>
void addTaken(compute::Device& device, double* taken, const Complex<T>* psi, const double* rates, const Grid& grid,
              const Slab& slab, double time) {
  const Bands bands = bandsOf(device, slab);
  compute::forRows(device, slab.n, bands.first, bands.count,
                   functors::AddTaken<T>{taken, psi, rates, slab, 2 * time * grid.dx * grid.dx}, 512);
}

Sides takenOn(compute::Device& device, const double* taken, const Grid& grid, const Slab& slab, const Edges& edges) {
  const Bands bands = bandsOf(device, slab);
  const int first = compute::ownCut(device, bands.cuts).first;
  return compute::reduceRows(device, bands.cuts, slab.n, 0, Sides{}, functors::TakenAt{taken, grid, edges, first},
                             compute::Plus{});
}

template <class T>
MomentumSums momentumSums(compute::Device& device, const Momenta<T>& momenta, const Grid& grid) {
  const int width = momenta.width(grid.points);
  const std::size_t piece = static_cast<std::size_t>(width) * static_cast<std::size_t>(grid.points);
  MomentumSums own{};
  for (int i = 0; i < momenta.pieces; ++i) {
    const functors::MomentumSumsAt<T> at{momenta.phi + static_cast<std::size_t>(i) * piece, grid, 1 << momenta.shift,
                                         momenta.first_rest + i};
    own = compute::Plus{}(own, compute::reduce2d(device, width, grid.points, MomentumSums{}, at, compute::Plus{}));
  }
  MomentumSums sums{};
  for (const MomentumSums& each : compute::fromAll(device, own)) sums = compute::Plus{}(sums, each);
  return sums;
}

template <class T>
double normOf(compute::Device& device, const Complex<T>* psi, const Slab& slab) {
  const functors::DensityAt<T> density{psi, slab};
  if (!device.ranks()) return compute::reduce(device, slab.cells(), 0.0, density, compute::Plus{});
  return compute::reduceRows(device, allRows(device, slab), slab.n, 0, 0.0, density, compute::Plus{});
}

template <class T>
bool allFinite(compute::Device& device, const Complex<T>* psi, const Slab& slab) {
  return compute::reduceRows(device, allRows(device, slab), slab.n, 0, std::int64_t{0},
                             functors::NotFiniteAt<T>{psi, slab}, compute::Plus{}) == 0;
}

#define SIMSCOPE_INSTANTIATE(T)                                                                                       \
  template Range rangeOf(compute::Device&, const T*, const float*, const Numbers&, const Slab&);                      \
  template double valueAt(compute::Device&, const T*, int, int, const Slab&);                                         \
  template PositionSums positionSums(compute::Device&, const Complex<T>*, const T*, const float*, const PacketLines&, \
                                     const Numbers&, const Slab&);                                                    \
  template void addTaken(compute::Device&, double*, const Complex<T>*, const double*, const Grid&, const Slab&,       \
                         double);                                                                                     \
  template MomentumSums momentumSums(compute::Device&, const Momenta<T>&, const Grid&);                               \
  template double normOf(compute::Device&, const Complex<T>*, const Slab&);                                           \
  template bool allFinite(compute::Device&, const Complex<T>*, const Slab&);
SIMSCOPE_INSTANTIATE(float)
SIMSCOPE_INSTANTIATE(double)
#undef SIMSCOPE_INSTANTIATE

}  // namespace simscope::schrodinger2d
