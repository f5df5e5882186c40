#include "sims/eigenstates/wave.h"

#include <algorithm>
#include <cmath>

#include "sims/compute/loops/parallel.h"
#include "sims/compute/loops/plus.h"

namespace simscope::eigenstates {

// kBlock points at a time: a processor's registers hold their sums over one state after the other, in the same order as
// for a single point on CUDA.
template <int kBlock>
struct Superpose {
  const double* phi;
  std::size_t points;
  Turned turned;
  Complex<double>* psi;
  SIMSCOPE_HD void operator()(std::size_t block) const {
    const std::size_t from = block * kBlock;
    const std::size_t size = points - from < kBlock ? points - from : kBlock;
    double re[kBlock] = {}, im[kBlock] = {};
    for (int n = 0; n < turned.count; ++n) {
      const double* const row = phi + static_cast<std::size_t>(n) * points + from;
      const double c_re = turned.c[n].re, c_im = turned.c[n].im;
      for (std::size_t j = 0; j < size; ++j) {
        re[j] += c_re * row[j];
        im[j] += c_im * row[j];
      }
    }
    for (std::size_t j = 0; j < size; ++j) psi[from + j] = {re[j], im[j]};
  }
};

// One component of ψ, for Operator::apply.
struct Part {
  const Complex<double>* psi;
  bool imaginary;
  SIMSCOPE_HD double operator[](int i) const { return imaginary ? psi[i].im : psi[i].re; }
};
struct SumsAt {
  const Complex<double>* psi;
  Operator h;
  Grid grid;
  SIMSCOPE_HD WaveSums operator()(std::size_t i) const {
    const int at = static_cast<int>(i);
    const double density = compute::norm2(psi[i]);
    return {density, density * grid.x(at),
            psi[i].re * h.apply(Part{psi, false}, at) + psi[i].im * h.apply(Part{psi, true}, at)};
  }
};

struct CurvesAt {
  const Complex<double>* psi;
  WaveCurves out;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    if (out.density) out.density[i] = static_cast<float>(compute::norm2(psi[i]));
    if (out.phase) out.phase[i] = static_cast<float>(std::atan2(psi[i].im, psi[i].re));
    if (out.re) out.re[i] = static_cast<float>(psi[i].re);
    if (out.im) out.im[i] = static_cast<float>(psi[i].im);
  }
};

SIMSCOPE_HD inline double within(double value, double low, double high) {
  return value < low ? low : value > high ? high : value;
}
struct PotentialAt {
  const double* potential;
  double low, high;
  float* out;
  SIMSCOPE_HD void operator()(std::size_t i) const { out[i] = static_cast<float>(within(potential[i], low, high)); }
};

// Sample s of `samples` over N points: the first and the last are the ends.
SIMSCOPE_HD inline std::size_t sampleAt(std::size_t s, std::size_t samples, std::size_t points) {
  return samples > 1 ? s * (points - 1) / (samples - 1) : 0;
}

struct LevelsAt {
  const double* phi;
  std::size_t points;
  Grid grid;
  LevelDrawing drawing;
  float *paths, *dots, *values;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const auto samples = static_cast<std::size_t>(drawing.samples);
    const std::size_t all = samples * static_cast<std::size_t>(drawing.states);
    const std::size_t n = i % all / samples, at = sampleAt(i % samples, samples, points);
    if (i >= all) {
      if (dots) {
        dots[4 * i] = static_cast<float>(grid.x(static_cast<double>(at)));
        dots[4 * i + 1] = static_cast<float>(drawing.energies[n]);
        dots[4 * i + 2] = 0;
        dots[4 * i + 3] = static_cast<float>(drawing.line);
      }
      if (values) values[i] = static_cast<float>(n);
      return;
    }
    const double value = phi[n * points + at];
    const double above = drawing.scale * (drawing.squares ? value * value : value);
    const bool there = above > drawing.least || above < -drawing.least;
    const auto x = static_cast<float>(grid.x(static_cast<double>(at)));
    const auto y = static_cast<float>(drawing.energies[n] + above);
    if (paths) {
      paths[2 * i] = x;
      paths[2 * i + 1] = there ? y : NAN;
    }
    if (dots) {
      dots[4 * i] = x;
      dots[4 * i + 1] = y;
      dots[4 * i + 2] = 0;
      dots[4 * i + 3] = there ? static_cast<float>(drawing.glow[n]) : 0.0f;
    }
    if (values) values[i] = static_cast<float>(n);
  }
};

struct WellAt {
  const double* potential;
  std::size_t points, samples;
  Grid grid;
  double low, high;
  float* path;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const bool wall = i == 0 || i == samples + 1;
    const std::size_t at = wall ? 0 : sampleAt(i - 1, samples, points);
    const double x = !wall ? grid.x(static_cast<double>(at)) : i == 0 ? grid.left : grid.left + grid.length;
    path[2 * i] = static_cast<float>(x);
    path[2 * i + 1] = static_cast<float>(wall ? high : within(potential[at], low, high));
  }
};

struct CarpetAt {
  const double* phi;
  const Complex<double>* turned;  // rows × count
  std::size_t points, columns, count;
  float* density;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const std::size_t row = i / columns, at = sampleAt(i % columns, columns, points);
    double re = 0, im = 0;
    for (std::size_t n = 0; n < count; ++n) {
      const double value = phi[n * points + at];
      re += turned[row * count + n].re * value;
      im += turned[row * count + n].im * value;
    }
    density[i] = static_cast<float>(re * re + im * im);
  }
};

struct ValueAt {
  const float* values;
  SIMSCOPE_HD double operator()(std::size_t i) const { return static_cast<double>(values[i]); }
};
struct Most {
  SIMSCOPE_HD double operator()(double a, double b) const { return a > b ? a : b; }
};
double largestOf(const compute::Buffer<float>& values) {
  return compute::reduce(*values.device(), values.size(), 0.0, ValueAt{values.data()}, Most{});
}

Turned turned(std::span<const Complex<double>> coefficients, std::span<const double> energies, double time) {
  Turned all;
  all.count = static_cast<int>(std::min({coefficients.size(), energies.size(), std::size_t{kMostStates}}));
  for (std::size_t n = 0; n < static_cast<std::size_t>(all.count); ++n) {
    const double phase = -energies[n] * time;
    all.c[n] = coefficients[n] * Complex<double>{std::cos(phase), std::sin(phase)};
  }
  return all;
}

void superpose(const States& states, const Turned& turned, Wave& psi) {
  if (psi.device()->isCuda()) {
    const Superpose<1> each{states.phi.data(), psi.size(), turned, psi.data()};
    compute::parallelFor(*psi.device(), psi.size(), each);
    return;
  }
  constexpr int kBlock = 64;
  const Superpose<kBlock> each{states.phi.data(), psi.size(), turned, psi.data()};
  compute::parallelFor(*psi.device(), (psi.size() + kBlock - 1) / kBlock, each, 32);
}

WaveSums sumsOf(const Wave& psi, const Operator& h, const Grid& grid) {
  WaveSums sums = compute::reduce(*psi.device(), psi.size(), WaveSums{}, SumsAt{psi.data(), h, grid}, compute::Plus{});
  return {grid.h * sums.norm, grid.h * sums.x, grid.h * sums.energy};
}

void drawWave(compute::Device& device, const Wave& psi, WaveCurves curves) {
  compute::parallelFor(device, psi.size(), CurvesAt{psi.data(), curves}, 2048);
}

void drawPotential(compute::Device& device, const double* potential, int points, double low, double high, float* out) {
  compute::parallelFor(device, static_cast<std::size_t>(points), PotentialAt{potential, low, high, out});
}

void drawLevels(const States& states, const Grid& grid, const LevelDrawing& drawing, float* paths, float* points,
                float* values) {
  const auto count = 2 * static_cast<std::size_t>(drawing.states) * static_cast<std::size_t>(drawing.samples);
  const LevelsAt each{states.phi.data(), static_cast<std::size_t>(states.points), grid, drawing, paths, points, values};
  compute::parallelFor(*states.phi.device(), count, each, 2048);
}

void drawWell(compute::Device& device, const double* potential, const Grid& grid, int samples, double low, double high,
              float* path) {
  const auto count = static_cast<std::size_t>(samples), points = static_cast<std::size_t>(grid.points);
  compute::parallelFor(device, count + 2, WellAt{potential, points, count, grid, low, high, path});
}

void drawCarpet(const States& states, std::span<const Complex<double>> coefficients, std::span<const double> energies,
                double interval, int columns, int rows, float* density) {
  const compute::DevicePtr& device = states.phi.device();
  const std::size_t count = std::min(coefficients.size(), energies.size());
  std::vector<Complex<double>> all;
  for (int row = 0; row < rows; ++row) {
    const Turned now = turned(coefficients, energies, row * interval);
    all.insert(all.end(), now.c, now.c + count);
  }
  const Wave held(device, std::span<const Complex<double>>(all));
  const auto width = static_cast<std::size_t>(columns);
  const CarpetAt each{states.phi.data(), held.data(), static_cast<std::size_t>(states.points), width, count, density};
  compute::parallelFor(*device, width * static_cast<std::size_t>(rows), each, 512);
}

}  // namespace simscope::eigenstates
