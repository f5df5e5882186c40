#include "sims/schrodinger2d/operations.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sims/compute/loops/parallel.h"

namespace simscope::schrodinger2d {
namespace functors {

template <class T>
struct Product {
  Complex<T>* psi;
  const Complex<double>* lines;
  Grid grid;
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    const Complex<double> z = lines[column] * lines[grid.points + row];
    psi[i] = {static_cast<T>(z.re), static_cast<T>(z.im)};
  }
};

struct Lines {
  Complex<double>* lines;
  GaussianPacket packet;
  Grid grid;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const int at = static_cast<int>(i);
    lines[i] = at < grid.points ? packet.x.at(grid.x(at)) : packet.y.at(grid.x(at - grid.points));
  }
};

template <class T>
struct PotentialAt {
  T* potential;
  Numbers p;
  Grid grid;
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    potential[i] = static_cast<T>(potentialAt(p, grid.x(column), grid.x(row)));
  }
};

template <class T>
struct Constant {
  T* values;
  T value;
  SIMSCOPE_HD void operator()(std::size_t i) const { values[i] = value; }
};

// V with the walls, at a point.
template <class T>
struct Total {
  const T* potential;
  const float* walls;
  double height;
  SIMSCOPE_HD double operator()(std::size_t i) const {
    return static_cast<double>(potential[i]) + (walls ? height * static_cast<double>(walls[i]) : 0.0);
  }
};

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

// The points of a box.
struct Points {
  CellRange box;
  Grid grid;
  int width() const { return box.right - box.left; }
  int height() const { return box.top - box.bottom; }
  SIMSCOPE_HD std::size_t at(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(grid.points) + static_cast<std::size_t>(column);
  }
};

// A number for every point and use, as good as drawn at random.
SIMSCOPE_HD inline std::uint32_t scrambled(std::uint64_t key) {
  key = (key ^ (key >> 31)) * 0x9E3779B97F4A7C15u;
  key = (key ^ (key >> 29)) * 0xBF58476D1CE4E5B9u;
  return static_cast<std::uint32_t>(key >> 32);
}
SIMSCOPE_HD inline void roundTo(double& out, double value, std::uint64_t) {
  out = value;
}
// Adds chance below the last bit that a float keeps, and cuts off what is below it.
SIMSCOPE_HD inline void roundTo(float& out, double value, std::uint64_t key) {
  constexpr std::uint64_t kBelow = (std::uint64_t{1} << 29) - 1;
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  bits = (bits + (scrambled(key) & kBelow)) & ~kBelow;
  std::memcpy(&value, &bits, sizeof bits);
  out = static_cast<float>(value);
}

template <class T>
struct FactorsAt {
  Complex<T>* half;
  Total<T> total;
  Numbers p;
  double root_gain;
  Points points;

  SIMSCOPE_HD static Complex<T> rounded(Complex<double> z, std::uint64_t key) {
    Complex<T> out{};
    roundTo(out.re, z.re, 2 * key);
    roundTo(out.im, z.im, 2 * key + 1);
    return out;
  }
  SIMSCOPE_HD void operator()(int x, int y) const {
    const int column = points.box.left + x, row = points.box.bottom + y;
    const std::size_t at = points.at(column, row);
    const double v = total(at);
    const double w = absorptionAt(p, points.grid.x(column)) + absorptionAt(p, points.grid.x(row));
    const double phase = -0.5 * v * p.time_step;
    Complex<double> z{root_gain, 0.0};
    if (phase != 0.0) z = root_gain * Complex<double>{std::cos(phase), std::sin(phase)};
    if (w != 0.0) z = std::exp(-0.5 * w * p.time_step) * z;
    half[at] = rounded(z, at);
  }
};

struct Paint {
  float* walls;
  Dab stroke;
  Points points;

  SIMSCOPE_HD std::int64_t operator()(int x, int y) const {
    const Grid& grid = points.grid;
    const int column = points.box.left + x, row = points.box.bottom + y;
    const double share = stroke.depth(grid.x(column), grid.x(row)) / grid.dx + 0.5;
    if (!(share > 0.0)) return 0;
    const float covers = share < 1.0 ? static_cast<float>(share) : 1.0f;
    float& wall = walls[points.at(column, row)];
    const int before = wall != 0.0f ? 1 : 0;
    if (stroke.height > 0.0f) {
      const float painted = covers * stroke.height;
      wall = wall > painted ? wall : painted;
    } else {
      wall = covers < 1.0f ? wall * (1.0f - covers) : 0.0f;
      if (wall < 1e-3f) wall = 0.0f;  // crumbs
    }
    return (wall != 0.0f ? 1 : 0) - before;
  }
};
struct IsWall {
  const float* walls;
  SIMSCOPE_HD std::int64_t operator()(std::size_t i) const { return walls[i] != 0.0f ? 1 : 0; }
};
struct AddCounts {
  SIMSCOPE_HD std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a + b; }
};

template <class T>
struct PositionSumsAt {
  const Complex<T>* psi;
  Total<T> total;
  const Complex<double>* lines;
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
    if (lines) {
      const Complex<double> exact = lines[grid.column(i)] * lines[grid.points + grid.row(i)];
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
void fillProduct(compute::Device& device, Complex<T>* psi, const Complex<double>* lines, const Grid& grid) {
  compute::parallelFor2d(device, grid.points, grid.points, functors::Product<T>{psi, lines, grid});
}

void fillLines(compute::Device& device, Complex<double>* lines, const GaussianPacket& packet, const Grid& grid) {
  compute::parallelFor(device, 2 * static_cast<std::size_t>(grid.points), functors::Lines{lines, packet, grid});
}

template <class T>
void fillPotential(compute::Device& device, T* potential, const Numbers& p) {
  const Grid grid = gridOf(p);
  compute::parallelFor2d(device, grid.points, grid.points, functors::PotentialAt<T>{potential, p, grid});
}

template <class T>
void fillConstant(compute::Device& device, T* values, std::size_t count, T value) {
  compute::parallelFor(device, count, functors::Constant<T>{values, value});
}

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
void fillFactors(compute::Device& device, Complex<T>* half, const T* potential, const float* walls, const Numbers& p,
                 double gain, const CellRange& box) {
  const functors::Points points{box, gridOf(p)};
  compute::parallelFor2d(device, points.width(), points.height(),
                         functors::FactorsAt<T>{half, {potential, walls, p.barrier_height}, p, std::sqrt(gain), points},
                         2048);
}

CellRange boxOf(const Dab& stroke, const Grid& grid) {
  const double reach = stroke.radius + grid.dx;
  const auto first = [&](double a, double b) { return grid.nearest(std::min(a, b) - reach); };
  const auto last = [&](double a, double b) { return grid.nearest(std::max(a, b) + reach) + 1; };
  return {first(stroke.x0, stroke.x1), first(stroke.y0, stroke.y1), last(stroke.x0, stroke.x1),
          last(stroke.y0, stroke.y1)};
}

std::int64_t paintWalls(compute::Device& device, float* walls, const Dab& stroke, const Grid& grid) {
  const functors::Points points{boxOf(stroke, grid), grid};
  return compute::reduce2d(device, points.width(), points.height(), std::int64_t{0},
                           functors::Paint{walls, stroke, points}, functors::AddCounts{});
}

std::int64_t countWalls(compute::Device& device, const float* walls, const Grid& grid) {
  return compute::reduce(device, grid.size(), std::int64_t{0}, functors::IsWall{walls}, functors::AddCounts{});
}

template <class T>
PositionSums positionSums(compute::Device& device, const Complex<T>* psi, const T* potential, const float* walls,
                          const Complex<double>* lines, const Numbers& p) {
  const Grid grid = gridOf(p);
  return compute::reduce(
      device, grid.size(), PositionSums{},
      functors::PositionSumsAt<T>{psi, {potential, walls, p.barrier_height}, lines, grid, edgesOf(p)},
      functors::AddPositionSums{});
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

#define SIMSCOPE_INSTANTIATE(T)                                                                             \
  template void fillProduct(compute::Device&, Complex<T>*, const Complex<double>*, const Grid&);            \
  template void fillPotential(compute::Device&, T*, const Numbers&);                                        \
  template Range rangeOf(compute::Device&, const T*, const float*, const Numbers&);                         \
  template double valueAt(compute::Device&, const T*, std::size_t);                                         \
  template void fillFactors(compute::Device&, Complex<T>*, const T*, const float*, const Numbers&, double,  \
                            const CellRange&);                                                              \
  template PositionSums positionSums(compute::Device&, const Complex<T>*, const T*, const float*,           \
                                     const Complex<double>*, const Numbers&);                               \
  template void addTaken(compute::Device&, double*, const Complex<T>*, const double*, const Grid&, double); \
  template MomentumSums momentumSums(compute::Device&, const Complex<T>*, const Grid&);                     \
  template bool allFinite(compute::Device&, const Complex<T>*, const Grid&);
SIMSCOPE_INSTANTIATE(float)
SIMSCOPE_INSTANTIATE(double)
#undef SIMSCOPE_INSTANTIATE
template void fillConstant(compute::Device&, float*, std::size_t, float);
template void fillConstant(compute::Device&, Complex<float>*, std::size_t, Complex<float>);
template void fillConstant(compute::Device&, Complex<double>*, std::size_t, Complex<double>);

}  // namespace simscope::schrodinger2d
