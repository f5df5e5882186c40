// What is measured over the plane, each in one pass.
#include <cmath>
#include <limits>

#include "sims/compute/loops/parallel.h"
#include "sims/schrodinger2d/propagation/operations.h"
#include "sims/schrodinger2d/propagation/plane_functors.h"

namespace simscope::schrodinger2d {
namespace functors {

template <class T>
struct RangeAt {
  Total<T> total;
  SIMSCOPE_HD Range operator()(std::size_t i) const {
    const double v = total(i);
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

  SIMSCOPE_HD PositionSums operator()(std::size_t i) const {
    const double x = grid.x(grid.column(i)), y = grid.x(grid.row(i));
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
      const Complex<double> exact = wave(grid.column(i), grid.row(i));
      s.exact = norm2(exact);
      s.error = norm2(Complex<double>{re - exact.re, im - exact.im});
    }
    return s;
  }
};
struct AddPositionSums {
  SIMSCOPE_HD PositionSums operator()(const PositionSums& a, const PositionSums& b) const {
    return {a.norm + b.norm, a.left + b.left, a.right + b.right, a.x + b.x,         a.y + b.y,        a.xx + b.xx,
            a.yy + b.yy,     a.v + b.v,       a.edge + b.edge,   a.error + b.error, a.exact + b.exact};
  }
};

template <class T>
struct AddTaken {
  double* taken;
  const Complex<T>* psi;
  const double* rates;
  Grid grid;
  double weight;
  SIMSCOPE_HD void operator()(int column, int band, std::size_t i) const {
    const std::size_t n = static_cast<std::size_t>(grid.points), first = static_cast<std::size_t>(band) * kTakenBand;
    double sum = 0;
    for (std::size_t row = first; row < first + kTakenBand; ++row) {
      const double rate = rates[column] + rates[row];
      if (rate > 0) sum += rate * static_cast<double>(norm2(psi[row * n + static_cast<std::size_t>(column)]));
    }
    taken[i] += weight * sum;
  }
};

struct TakenAt {
  const double* taken;
  Grid grid;
  Edges edges;
  SIMSCOPE_HD Sides operator()(std::size_t i) const {
    const double x = grid.x(grid.column(i));
    return {x < edges.left ? taken[i] : 0, x >= edges.left && x < edges.right ? taken[i] : 0,
            x >= edges.right ? taken[i] : 0};
  }
};
struct AddSides {
  SIMSCOPE_HD Sides operator()(const Sides& a, const Sides& b) const {
    return {a.left + b.left, a.between + b.between, a.right + b.right};
  }
};

template <class T>
struct MomentumSumsAt {
  const Complex<T>* phi;
  Grid grid;
  SIMSCOPE_HD MomentumSums operator()(std::size_t i) const {
    const double kx = grid.k(grid.column(i)), ky = grid.k(grid.row(i));
    const double re = phi[i].re, im = phi[i].im, density = re * re + im * im;
    return {density, density * (kx * kx + ky * ky)};
  }
};
struct AddMomentumSums {
  SIMSCOPE_HD MomentumSums operator()(const MomentumSums& a, const MomentumSums& b) const {
    return {a.norm + b.norm, a.kk + b.kk};
  }
};

template <class T>
struct NotFiniteAt {
  const Complex<T>* psi;
  SIMSCOPE_HD std::int64_t operator()(std::size_t i) const {
    const T zero = (psi[i].re - psi[i].re) + (psi[i].im - psi[i].im);  // NaN unless both parts are finite
    return zero == T(0) ? 0 : 1;
  }
};

}  // namespace functors

template <class T>
Range rangeOf(compute::Device& device, const T* potential, const float* walls, const Numbers& p) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return compute::reduce(device, gridOf(p).size(), Range{kInfinity, -kInfinity},
                         functors::RangeAt<T>{{potential, walls, p.barrier_height}}, functors::Widen{});
}

template <class T>
double valueAt(compute::Device& device, const T* potential, std::size_t at) {
  T value{};
  device.download(&value, potential + at, sizeof value);
  return static_cast<double>(value);
}

template <class T>
PositionSums positionSums(compute::Device& device, const Complex<T>* psi, const T* potential, const float* walls,
                          const PacketLines& lines, const Numbers& p) {
  const Grid grid = gridOf(p);
  const functors::PositionSumsAt<T> at{
      psi, {potential, walls, p.barrier_height}, {lines, grid.points}, grid, edgesOf(p)};
  return compute::reduce(device, grid.size(), PositionSums{}, at, functors::AddPositionSums{});
}

template <class T>
void addTaken(compute::Device& device, double* taken, const Complex<T>* psi, const double* rates, const Grid& grid,
              double time) {
  compute::parallelFor2d(device, grid.points, grid.points / kTakenBand,
                         functors::AddTaken<T>{taken, psi, rates, grid, 2 * time * grid.dx * grid.dx}, 512);
}

Sides takenOn(compute::Device& device, const double* taken, const Grid& grid, const Edges& edges) {
  return compute::reduce(device, grid.size() / kTakenBand, Sides{}, functors::TakenAt{taken, grid, edges},
                         functors::AddSides{});
}

template <class T>
MomentumSums momentumSums(compute::Device& device, const Complex<T>* phi, const Grid& grid) {
  return compute::reduce(device, grid.size(), MomentumSums{}, functors::MomentumSumsAt<T>{phi, grid},
                         functors::AddMomentumSums{});
}

template <class T>
bool allFinite(compute::Device& device, const Complex<T>* psi, const Grid& grid) {
  return compute::reduce(device, grid.size(), std::int64_t{0}, functors::NotFiniteAt<T>{psi}, functors::AddCounts{}) ==
         0;
}

#define SIMSCOPE_INSTANTIATE(T)                                                                                       \
  template Range rangeOf(compute::Device&, const T*, const float*, const Numbers&);                                   \
  template double valueAt(compute::Device&, const T*, std::size_t);                                                   \
  template PositionSums positionSums(compute::Device&, const Complex<T>*, const T*, const float*, const PacketLines&, \
                                     const Numbers&);                                                                 \
  template void addTaken(compute::Device&, double*, const Complex<T>*, const double*, const Grid&, double);           \
  template MomentumSums momentumSums(compute::Device&, const Complex<T>*, const Grid&);                               \
  template bool allFinite(compute::Device&, const Complex<T>*, const Grid&);
SIMSCOPE_INSTANTIATE(float)
SIMSCOPE_INSTANTIATE(double)
#undef SIMSCOPE_INSTANTIATE

}  // namespace simscope::schrodinger2d
