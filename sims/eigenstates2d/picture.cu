#include "sims/eigenstates2d/picture.h"

#include <algorithm>
#include <cmath>

#include "sims/compute/loops/parallel.h"

namespace simscope::eigenstates2d {

// kPoints at a time, to fit a processor's registers; the order of a point's sum is the same for any kPoints.
template <int kPoints>
struct SuperposeAt {
  const double* states;
  std::size_t points;
  Turned turned;
  Complex<double>* psi;
  SIMSCOPE_HD void operator()(std::size_t block) const {
    const std::size_t from = block * kPoints;
    const std::size_t size = points - from < kPoints ? points - from : kPoints;
    double re[kPoints] = {}, im[kPoints] = {};
    for (int n = 0; n < turned.count; ++n) {
      const double* const row = states + static_cast<std::size_t>(turned.state[n]) * points + from;
      const double c_re = turned.c[n].re, c_im = turned.c[n].im;
      for (std::size_t j = 0; j < size; ++j) {
        re[j] += c_re * row[j];
        im[j] += c_im * row[j];
      }
    }
    for (std::size_t j = 0; j < size; ++j) psi[from + j] = {re[j], im[j]};
  }
};

struct SumsOfWave {
  const Complex<double>* psi;
  Grid grid;
  SIMSCOPE_HD WaveSums operator()(int x, int y, std::size_t i) const {
    const double density = compute::norm2(psi[i]);
    return {density, density * grid.x(x), density * grid.x(y), density};
  }
};
struct AddWaveSums {
  SIMSCOPE_HD WaveSums operator()(const WaveSums& a, const WaveSums& b) const {
    return {a.norm + b.norm, a.x + b.x, a.y + b.y, a.largest > b.largest ? a.largest : b.largest};
  }
};

SIMSCOPE_HD inline double between(double value, double low, double high) {
  return value < low ? low : value > high ? high : value;
}

struct StateAt {
  const double* state;
  Walls walls;
  double by;
  bool square;
  float* out;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const double value = by * state[i];
    out[i] = walls.potential[i] < walls.top ? static_cast<float>(square ? value * value : value) : NAN;
  }
};
struct DensityAt {
  const Complex<double>* psi;
  Walls walls;
  double by;
  float* out;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    out[i] = walls.potential[i] < walls.top ? static_cast<float>(by * compute::norm2(psi[i])) : NAN;
  }
};
struct WaveAt {
  const Complex<double>* psi;
  double by;
  float* out;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    out[2 * i] = static_cast<float>(by * psi[i].re);
    out[2 * i + 1] = static_cast<float>(by * psi[i].im);
  }
};
struct TurningAt {
  const double* potential;
  double energy, inverse;
  float* out;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    out[i] = static_cast<float>(between((potential[i] - energy) * inverse, -8, 8));
  }
};
struct LandscapeAt {
  Walls walls;
  double low, high;
  float* out;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const double v = walls.potential[i];
    out[i] = v < walls.top ? static_cast<float>(between(v, low, high)) : NAN;
  }
};

struct GalleryAt {
  const double* states;
  Walls walls;
  Grid grid;
  Gallery gallery;
  float* out;
  SIMSCOPE_HD void operator()(int x, int y, std::size_t i) const {
    const int side = gallery.side, inner = side - 2, n = grid.points;
    const int column = x / side, row = gallery.rows - 1 - y / side, state = row * gallery.columns + column;
    const int in_x = x % side - 1, in_y = y % side - 1;
    if (state >= gallery.states || in_x < 0 || in_y < 0 || in_x >= inner || in_y >= inner) {
      out[i] = NAN;
      return;
    }
    const auto at = [&](int k) {
      return static_cast<std::size_t>((static_cast<double>(k) + 0.5) * static_cast<double>(n) / inner);
    };
    const std::size_t place = at(in_y) * static_cast<std::size_t>(n) + at(in_x);
    const double value = states[static_cast<std::size_t>(state) * grid.size() + place] * gallery.inverse[state];
    out[i] = walls.potential[place] < walls.top ? static_cast<float>(value) : NAN;
  }
};

Turned turned(std::span<const Complex<double>> coefficients, std::span<const double> energies, double time) {
  Turned all;
  for (std::size_t n = 0; n < std::min({coefficients.size(), energies.size(), std::size_t{kMostStates}}); ++n) {
    if (!(norm2(coefficients[n]) > 0)) continue;
    const double phase = -energies[n] * time;
    all.state[all.count] = static_cast<int>(n);
    all.c[all.count++] = coefficients[n] * Complex<double>{std::cos(phase), std::sin(phase)};
  }
  return all;
}

void superpose(const compute::Buffer<double>& states, const Turned& turned, Wave& psi) {
  if (psi.device()->isCuda()) {
    compute::parallelFor(*psi.device(), psi.size(), SuperposeAt<1>{states.data(), psi.size(), turned, psi.data()});
    return;
  }
  constexpr int kPoints = 64;
  const SuperposeAt<kPoints> each{states.data(), psi.size(), turned, psi.data()};
  compute::parallelFor(*psi.device(), (psi.size() + kPoints - 1) / kPoints, each, 32);
}

WaveSums sumsOf(const Wave& psi, const Grid& grid) {
  return compute::reduce2d(*psi.device(), grid.points, grid.points, WaveSums{}, SumsOfWave{psi.data(), grid},
                           AddWaveSums{});
}

void drawState(compute::Device& device, const double* state, const Walls& walls, const Grid& grid, bool square,
               float* out) {
  compute::parallelFor(device, grid.size(), StateAt{state, walls, 1 / grid.h, square, out});
}
void drawDensity(compute::Device& device, const Wave& psi, const Walls& walls, const Grid& grid, float* out) {
  compute::parallelFor(device, grid.size(), DensityAt{psi.data(), walls, 1 / (grid.h * grid.h), out});
}
void drawWave(compute::Device& device, const Wave& psi, const Grid& grid, float* out) {
  compute::parallelFor(device, grid.size(), WaveAt{psi.data(), 1 / grid.h, out});
}
void drawTurning(compute::Device& device, const double* potential, const Grid& grid, double energy, double scale,
                 float* out) {
  compute::parallelFor(device, grid.size(), TurningAt{potential, energy, 1 / scale, out});
}
void drawPotential(compute::Device& device, const Walls& walls, const Grid& grid, double low, double high, float* out) {
  compute::parallelFor(device, grid.size(), LandscapeAt{walls, low, high, out});
}

Gallery galleryOf(int states, int points, std::span<const double> largest) {
  Gallery g;
  g.states = states;
  while (g.columns * g.columns < states) ++g.columns;
  g.rows = (states + g.columns - 1) / g.columns;
  g.side = std::clamp(1024 / g.columns, 24, points) + 2;
  for (int n = 0; n < states; ++n) g.inverse[n] = 1 / std::max(largest[static_cast<std::size_t>(n)], 1e-30);
  return g;
}

void drawGallery(compute::Device& device, const double* states, const Walls& walls, const Grid& grid,
                 const Gallery& gallery, float* out) {
  compute::parallelFor2d(device, gallery.width(), gallery.height(), GalleryAt{states, walls, grid, gallery, out}, 4096);
}

}  // namespace simscope::eigenstates2d
