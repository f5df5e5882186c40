#include "sims/schrodinger2d/propagation/operations.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sims/compute/loops/parallel.h"
#include "sims/compute/loops/plus.h"
#include "sims/compute/loops/rows.h"
#include "sims/schrodinger2d/propagation/plane_functors.h"

namespace simscope::schrodinger2d {
namespace functors {

template <class T>
struct Superpose {
  Complex<T>* out;
  const Complex<T>* psi;
  double scale;
  WaveOf wave;
  Slab slab;
  SIMSCOPE_HD void operator()(int column, int row) const {
    const std::size_t i = slab.at(column, row);
    Complex<double> z = wave(column, row);
    if (psi) {
      z.re += scale * static_cast<double>(psi[i].re);
      z.im += scale * static_cast<double>(psi[i].im);
    }
    out[i] = {static_cast<T>(z.re), static_cast<T>(z.im)};
  }
};

struct ExactLines {
  Complex<double>* lines;
  ExactWave wave;
  Grid grid;
  SIMSCOPE_HD void operator()(int at, int which, std::size_t i) const {
    const GaussianPacket& packet = wave.each[which];
    const bool along_x = at < grid.points;
    const double place = grid.x(along_x ? at : at - grid.points);
    lines[i] = along_x ? wave.weight[which] * packet.x.at(place) : packet.y.at(place);
  }
};

template <class T>
struct PotentialAt {
  T* potential;
  Numbers p;
  Grid grid;
  Slab slab;
  SIMSCOPE_HD void operator()(int column, int row) const {
    potential[slab.at(column, row)] = static_cast<T>(potentialAt(p, grid.x(column), grid.x(row)));
  }
};

template <class T>
struct Constant {
  T* values;
  T value;
  SIMSCOPE_HD void operator()(std::size_t i) const { values[i] = value; }
};

// The points of a box that belong to a rank.
struct Points {
  CellRange box;
  Grid grid;
  Slab slab;
  int width() const { return box.right - box.left; }
};

// A pseudorandom number for every point and use.
SIMSCOPE_HD inline std::uint32_t scrambled(std::uint64_t key) {
  key = (key ^ (key >> 31)) * 0x9E3779B97F4A7C15u;
  key = (key ^ (key >> 29)) * 0xBF58476D1CE4E5B9u;
  return static_cast<std::uint32_t>(key >> 32);
}
SIMSCOPE_HD inline void roundTo(double& out, double value, std::uint64_t) {
  out = value;
}
// Adds random bits below a float's last bit, then truncates.
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
  const double* rates;
  double time_step, root_gain;
  Points points;

  SIMSCOPE_HD static Complex<T> rounded(Complex<double> z, std::uint64_t key) {
    Complex<T> out{};
    roundTo(out.re, z.re, 2 * key);
    roundTo(out.im, z.im, 2 * key + 1);
    return out;
  }
  SIMSCOPE_HD void operator()(int x, int row) const {
    const int column = points.box.left + x;
    const std::size_t at = points.slab.at(column, row);
    const double v = total(at);
    const double w = rates[column] + rates[row];
    const double phase = -0.5 * v * time_step;
    Complex<double> z{root_gain, 0.0};
    if (phase != 0.0) z = root_gain * Complex<double>{std::cos(phase), std::sin(phase)};
    if (w != 0.0) z = std::exp(-0.5 * w * time_step) * z;
    // By its place in the whole plane, for any division among ranks.
    const std::size_t place = static_cast<std::size_t>(row) * points.grid.points + column;
    half[at] = rounded(z, place);
  }
};

struct Paint {
  float* walls;
  Dab stroke;
  Points points;

  SIMSCOPE_HD std::int64_t operator()(int x, int row) const {
    const Grid& grid = points.grid;
    const int column = points.box.left + x;
    const double share = stroke.depth(grid.x(column), grid.x(row)) / grid.dx + 0.5;
    if (!(share > 0.0)) return 0;
    const float covers = share < 1.0 ? static_cast<float>(share) : 1.0f;
    float& wall = walls[points.slab.at(column, row)];
    const int before = wall != 0.0f ? 1 : 0;
    if (stroke.height > 0.0f) {
      const float painted = covers * stroke.height;
      wall = wall > painted ? wall : painted;
    } else {
      wall = covers < 1.0f ? wall * (1.0f - covers) : 0.0f;
      if (wall < 1e-3f) wall = 0.0f;  // removes rounding residues
    }
    return (wall != 0.0f ? 1 : 0) - before;
  }
};
struct IsWall {
  const float* walls;
  Slab slab;
  SIMSCOPE_HD std::int64_t operator()(int x, int y) const { return walls[slab.at(x, y)] != 0.0f ? 1 : 0; }
};

}  // namespace functors

template <class T>
void superpose(compute::Device& device, Complex<T>* out, const Complex<T>* psi, double scale, const PacketLines& lines,
               const Grid& grid, const Slab& slab) {
  compute::forRows(device, slab.n, slab.first, slab.count,
                   functors::Superpose<T>{out, psi, scale, {lines, grid.points}, slab});
}

void fillLines(compute::Device& device, Complex<double>* lines, const ExactWave& wave, const Grid& grid) {
  compute::parallelFor2d(device, 2 * grid.points, wave.count, functors::ExactLines{lines, wave, grid});
}

template <class T>
void fillPotential(compute::Device& device, T* potential, const Numbers& p, const Slab& slab) {
  compute::forRows(device, slab.n, slab.first, slab.count, functors::PotentialAt<T>{potential, p, gridOf(p), slab});
}

template <class T>
void fillConstant(compute::Device& device, T* values, std::size_t count, T value) {
  compute::parallelFor(device, count, functors::Constant<T>{values, value});
}

template <class T>
void fillFactors(compute::Device& device, Complex<T>* half, const T* potential, const float* walls, const double* rates,
                 const Numbers& p, double gain, const CellRange& box, const Slab& slab) {
  const functors::Points points{box, gridOf(p), slab};
  const int first = std::max(box.bottom, slab.first), end = std::min(box.top, slab.end());
  constexpr std::size_t kCostly = 2048;  // elements a task, one phase each
  compute::forRows(
      device, points.width(), first, end - first,
      functors::FactorsAt<T>{half, {potential, walls, p.barrier_height}, rates, p.time_step, std::sqrt(gain), points},
      kCostly);
}

CellRange boxOf(const Dab& stroke, const Grid& grid) {
  const double reach = stroke.radius + grid.dx;
  const auto first = [&](double a, double b) { return grid.nearest(std::min(a, b) - reach); };
  const auto last = [&](double a, double b) { return grid.nearest(std::max(a, b) + reach) + 1; };
  return {first(stroke.x0, stroke.x1), first(stroke.y0, stroke.y1), last(stroke.x0, stroke.x1),
          last(stroke.y0, stroke.y1)};
}

std::int64_t paintWalls(compute::Device& device, float* walls, const Dab& stroke, const Grid& grid, const Slab& slab) {
  const functors::Points points{boxOf(stroke, grid), grid, slab};
  const std::vector<int> cuts = compute::cutsOf(device, slab.n, points.box.bottom, points.box.top);
  return compute::reduceRows(device, cuts, points.width(), points.box.bottom, std::int64_t{0},
                             functors::Paint{walls, stroke, points}, compute::Plus{});
}

std::int64_t countWalls(compute::Device& device, const float* walls, const Slab& slab) {
  return compute::reduceRows(device, compute::cutsOf(device, slab.n, 0, slab.n), slab.n, 0, std::int64_t{0},
                             functors::IsWall{walls, slab}, compute::Plus{});
}

#define SIMSCOPE_INSTANTIATE(T)                                                                                      \
  template void superpose(compute::Device&, Complex<T>*, const Complex<T>*, double, const PacketLines&, const Grid&, \
                          const Slab&);                                                                              \
  template void fillPotential(compute::Device&, T*, const Numbers&, const Slab&);                                    \
  template void fillFactors(compute::Device&, Complex<T>*, const T*, const float*, const double*, const Numbers&,    \
                            double, const CellRange&, const Slab&);
SIMSCOPE_INSTANTIATE(float)
SIMSCOPE_INSTANTIATE(double)
#undef SIMSCOPE_INSTANTIATE
template void fillConstant(compute::Device&, float*, std::size_t, float);
template void fillConstant(compute::Device&, Complex<float>*, std::size_t, Complex<float>);
template void fillConstant(compute::Device&, Complex<double>*, std::size_t, Complex<double>);

}  // namespace simscope::schrodinger2d
