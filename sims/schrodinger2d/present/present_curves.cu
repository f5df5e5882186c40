// The curves of presentPlane(): along the screen, and along x.
#include "sims/compute/loops/parallel.h"
#include "sims/schrodinger2d/present/display.h"
#include "sims/schrodinger2d/present/present.h"

namespace simscope::schrodinger2d {
namespace functors {

// Along the screen: the density there, and what is expected.
template <class T>
struct Screen {
  const Complex<T>* psi;
  Grid grid;
  int column;
  bool exact;
  ExactWave wave;
  float *density, *expected;

  SIMSCOPE_HD void operator()(std::size_t j) const {
    if (density) density[j] = static_cast<float>(norm2(psi[j * static_cast<std::size_t>(grid.points) + column]));
    if (!expected) return;
    expected[j] = exact ? static_cast<float>(wave.densityAt(grid.x(column), grid.x(static_cast<int>(j)))) : 0.0f;
  }
};

// Part sums of two arrays, interleaved.
struct ScreenSums {
  const float *density, *theory;
  int points, parts;
  double* sums;
  SIMSCOPE_HD void operator()(std::size_t part) const {
    double a = 0, b = 0;
    for (int j = static_cast<int>(part); j < points; j += parts) {
      a += static_cast<double>(density[j]);
      b += static_cast<double>(theory[j]);
    }
    sums[2 * part] = a;
    sums[2 * part + 1] = b;
  }
};

// The theory, with as much on the screen as there is.
struct ScaledTheory {
  const float* theory;
  const double* sums;
  int parts;
  float* out;
  SIMSCOPE_HD void operator()(std::size_t j) const {
    double a = 0, b = 0;
    for (int part = 0; part < parts; ++part) {
      a += sums[2 * part];
      b += sums[2 * part + 1];
    }
    out[j] = b > 0 ? static_cast<float>(static_cast<double>(theory[j]) * (a / b)) : 0.0f;
  }
};

// Σ|ψ|² over a band of rows, for every column.
template <class T>
struct BandSums {
  const Complex<T>* psi;
  int points, rows;
  float* bands;
  SIMSCOPE_HD void operator()(int column, int band, std::size_t i) const {
    const std::size_t n = static_cast<std::size_t>(points);
    float sum = 0;
    for (int row = band * rows; row < (band + 1) * rows; ++row) {
      sum += static_cast<float>(norm2(psi[static_cast<std::size_t>(row) * n + static_cast<std::size_t>(column)]));
    }
    bands[i] = sum;
  }
};

// Along x: ∫|ψ|²dy, what is expected of it, and V along y = 0.
template <class T>
struct Marginal {
  const float* bands;
  int count;  // of bands
  Grid grid;
  ExactMarginal exact;
  const T* potential;
  const float* walls;
  double wall_height;
  float *marginal, *expected, *cut;

  SIMSCOPE_HD void operator()(std::size_t i) const {
    const std::size_t n = static_cast<std::size_t>(grid.points);
    if (marginal) {
      double sum = 0;
      for (int band = 0; band < count; ++band) sum += static_cast<double>(bands[band * n + i]);
      marginal[i] = static_cast<float>(sum * grid.dx);
    }
    if (expected) expected[i] = static_cast<float>(exact.at(grid.x(static_cast<int>(i))));
    if (!cut) return;
    const std::size_t middle = n / 2 * n + i;
    cut[i] = static_cast<float>(static_cast<double>(potential[middle]) +
                                (walls ? wall_height * static_cast<double>(walls[middle]) : 0.0));
  }
};

}  // namespace functors

namespace {

// Null where nobody wants it.
float* curve(Frame& frame, const char* key, const Grid& grid, Range range, int form = 0) {
  if (!frame.wants(key)) return nullptr;
  Channel& channel = frame.channel(key, grid.points);
  channel.x_min = -0.5 * grid.length;
  channel.x_max = 0.5 * grid.length;
  channel.low = range.lowest;
  channel.high = range.highest;
  channel.form = form;
  return channel.data.data();
}

template <class T>
void presentScreen(Frame& frame, const Numbers& p, const Presented<T>& what, const Grid& grid,
                   PresentScratch& scratch) {
  compute::Device& device = *frame.device;
  const auto n = static_cast<std::size_t>(grid.points);
  const Range on_screen{0, screenHigh(p, what.packets)};
  float* const screen = curve(frame, "screen", grid, on_screen);
  const int known = what.theory ? 1 : what.exact_holds ? 0 : 2;
  float* const expected = curve(frame, "screen_expected", grid, on_screen, known);
  if (!screen && !expected) return;
  // The theory is scaled to the density, which lies in its place where nobody looks at it.
  float* const density = screen || !what.theory ? screen : expected;
  compute::parallelFor(device, n,
                       functors::Screen<T>{what.psi, grid, grid.nearest(p.screen_x), what.exact_holds, what.expected,
                                           density, what.theory ? nullptr : expected});
  if (!what.theory || !expected) return;
  constexpr int kParts = PresentScratch::kParts;
  compute::parallelFor(device, kParts,
                       functors::ScreenSums{density, what.theory, grid.points, kParts, scratch.parts()});
  compute::parallelFor(device, n, functors::ScaledTheory{what.theory, scratch.parts(), kParts, expected});
}

template <class T>
void presentMarginal(Frame& frame, const Numbers& p, const Presented<T>& what, const Grid& grid, const Range& drawn,
                     PresentScratch& scratch) {
  compute::Device& device = *frame.device;
  const Range along_x{0, marginalHigh(p, what.packets)};
  float* const marginal = curve(frame, "marginal", grid, along_x);
  float* const expected = curve(frame, "marginal_expected", grid, along_x, what.exact_holds ? 0 : 1);
  float* const cut = curve(frame, "potential_cut", grid, {drawn.lowest, 2.0 * drawn.highest - drawn.lowest});
  const int bands = grid.points / PresentScratch::kBand;
  if (marginal) {
    compute::parallelFor2d(device, grid.points, bands,
                           functors::BandSums<T>{what.psi, grid.points, PresentScratch::kBand, scratch.bands()}, 1024);
  }
  if (!marginal && !expected && !cut) return;
  compute::parallelFor(device, static_cast<std::size_t>(grid.points),
                       functors::Marginal<T>{scratch.bands(), bands, grid, marginalOf(what.expected), what.potential,
                                             what.walls, p.barrier_height, marginal, expected, cut});
}

}  // namespace

template <class T>
void presentCurves(Frame& frame, const Numbers& p, const Presented<T>& what, const Range& drawn,
                   PresentScratch& scratch) {
  const Grid grid = gridOf(p);
  presentScreen(frame, p, what, grid, scratch);
  presentMarginal(frame, p, what, grid, drawn, scratch);
}

template void presentCurves(Frame&, const Numbers&, const Presented<float>&, const Range&, PresentScratch&);
template void presentCurves(Frame&, const Numbers&, const Presented<double>&, const Range&, PresentScratch&);

}  // namespace simscope::schrodinger2d
