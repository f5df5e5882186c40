// The curves of presentPlane(): along the screen, and along x.
#include "sims/compute/loops/rows.h"
#include "sims/compute/ranks/sum_on_first.h"
#include "sims/schrodinger2d/present/display.h"
#include "sims/schrodinger2d/present/present.h"

namespace simscope::schrodinger2d {
namespace functors {

// Along the screen: the density of a rank's rows there, and the expected one.
template <class T>
struct Screen {
  const Complex<T>* psi;
  Slab slab;
  int column;
  float* density;
  SIMSCOPE_HD void operator()(std::size_t j) const {
    density[j] = static_cast<float>(norm2(psi[slab.at(column, slab.first + static_cast<int>(j))]));
  }
};
struct ExpectedOnScreen {
  Grid grid;
  int column;
  bool exact;
  ExactWave wave;
  float* expected;
  SIMSCOPE_HD void operator()(std::size_t j) const {
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

// The theory, scaled to the total on the screen.
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

// Σ|ψ|² over a rank's rows of a band, for every column.
template <class T>
struct BandSums {
  const Complex<T>* psi;
  Slab slab;
  float* bands;
  SIMSCOPE_HD void operator()(int column, int band, std::size_t i) const {
    const int first = band * kBand > slab.first ? band * kBand : slab.first;
    const int end = (band + 1) * kBand < slab.end() ? (band + 1) * kBand : slab.end();
    float sum = 0;
    for (int row = first; row < end; ++row) sum += static_cast<float>(norm2(psi[slab.at(column, row)]));
    bands[i] = sum;
  }
};

// Along x: ∫|ψ|²dy, its expected value, and V along y = 0.
template <class T>
struct Marginal {
  const float* bands;
  int count;  // of bands
  Grid grid;
  ExactMarginal exact;
  const T* potential;  // along y = 0
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
    cut[i] = static_cast<float>(static_cast<double>(potential[i]) +
                                (walls ? wall_height * static_cast<double>(walls[i]) : 0.0));
  }
};

}  // namespace functors

namespace {

// Null if not wanted.
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
  // The theory is scaled to the density, which is stored in the theory's place if the density itself is not wanted.
  float* const density = screen || !what.theory ? screen : expected;
  const int column = grid.nearest(p.screen_x);
  if (density) {
    compute::parallelFor(device, static_cast<std::size_t>(what.slab.count),
                         functors::Screen<T>{what.psi, what.slab, column, density});
    compute::gatherRowsOnDevice(device, compute::cutsOf(device, grid.points, 0, grid.points), density, sizeof(float));
  }
  if (!expected || what.slab.first > 0) return;
  if (!what.theory) {
    compute::parallelFor(device, n,
                         functors::ExpectedOnScreen{grid, column, what.exact_holds, what.expected, expected});
    return;
  }
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
  const Bands bands = bandsOf(device, what.slab);
  if (marginal) {
    compute::forRows(device, grid.points, bands.first, bands.count,
                     functors::BandSums<T>{what.psi, what.slab, scratch.bands()}, 1024);
  }
  if (!marginal && !expected && !cut) return;
  const int middle = grid.points / 2;
  const bool has_middle = what.slab.owns(middle);
  const std::size_t row = what.slab.at(0, has_middle ? middle : what.slab.first);
  compute::parallelFor(device, static_cast<std::size_t>(grid.points),
                       functors::Marginal<T>{scratch.bands(), bands.count, grid, marginalOf(what.expected),
                                             what.potential + row, what.walls ? what.walls + row : nullptr,
                                             p.barrier_height, marginal, expected, has_middle ? cut : nullptr});
  if (marginal) compute::sumOnFirst(device, marginal, static_cast<std::size_t>(grid.points));
  if (cut) {
    const std::vector<int> cuts = compute::cutsOf(device, grid.points, middle, middle + 1);
    compute::gatherRowsOnDevice(device, cuts, cut, static_cast<std::size_t>(grid.points) * sizeof(float));
  }
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
