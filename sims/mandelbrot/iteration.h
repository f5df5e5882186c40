// The input of the kernels of both backends, and the arithmetic of one iteration, for one number or a vector of them.
// Nothing is fused: the same bits for any width and on either backend. No library is included and every function has
// internal linkage, because these functions are compiled for several instruction sets.
#pragma once

#include "sims/compute/host_device.h"

namespace simscope::mandelbrot {

inline constexpr double kEscape = 256;   // a point with |z| beyond it has escaped
inline constexpr int kInside = -1;       // a count: the point provably never escapes
inline constexpr int kFirstPass = 32;    // iterations; each pass of a step is twice as long as the one before
inline constexpr int kChunk = 8;         // iterations between two checks
inline constexpr double kGlitch = 1e-3;  // Pauldelbrot's criterion: |Z + dz| below this share of |Z|

// Of every pixel, row by row.
struct Cells {
  double *x, *y;    // z of the last iteration; while a perturbed pixel is iterated: dz, its distance from the reference
  double *dx, *dy;  // dz/dc (of a Julia set: dz/dz_0) times a pixel's edge, if requested
  int* count;       // the iteration at which |z| passed kEscape; 0: not yet; kInside
  int* index;       // of the reference that dz belongs to
  int* glitches;    // iterations that met the criterion
};

enum class Numbers { Float32, Float64, Perturbed };

// Iterations `from` to `to` of all pixels, in steps of `every`, which begin at multiples of it: a pixel that returns to
// its value at the start of a pass is periodic to the bit and never escapes. With `from` = 0 the cells are overwritten.
struct Iteration {
  Cells cells;
  int width, height;
  double centre_x, centre_y, spacing;
  double julia_x, julia_y;  // of a Julia set: c
  const double* orbit;      // Perturbed: Z_0 to Z_last, (re, im) each
  int last;
  int from, to, every;
  Numbers numbers;
  bool julia, derivative, rebase;

  SIMSCOPE_HD double offsetX(int x) const { return (x - 0.5 * (width - 1)) * spacing; }
  SIMSCOPE_HD double offsetY(int y) const { return (y - 0.5 * (height - 1)) * spacing; }
};

template <class N>
static SIMSCOPE_HD inline void iterate(N& x, N& y, const N& cx, const N& cy) {
  const N xx = x * x, yy = y * y, xy = x * y;
  x = (xx - yy) + cx;
  y = (xy + xy) + cy;
}

// z ← z² + c for z = Z + dz: dz ← (2Z + dz) dz + dc.
template <class N>
static SIMSCOPE_HD inline void perturb(N& x, N& y, const N& reference_x, const N& reference_y, const N& cx,
                                       const N& cy) {
  const N sum_x = (reference_x + reference_x) + x, sum_y = (reference_y + reference_y) + y;
  const N next_x = (sum_x * x - sum_y * y) + cx;
  y = (sum_x * y + sum_y * x) + cy;
  x = next_x;
}

// D ← 2 z D + s
template <class N>
static SIMSCOPE_HD inline void derive(N& dx, N& dy, const N& x, const N& y, const N& seed) {
  const N re = x * dx - y * dy, im = x * dy + y * dx;
  dx = (re + re) + seed;
  dy = im + im;
}

// Limits a derivative: beyond this the set is much nearer than a pixel.
template <class T>
struct Most;
template <>
struct Most<float> {
  static constexpr float kDerivative = 1e20f, kHeldDown = 0x1p-33f;
};
template <>
struct Most<double> {
  static constexpr double kDerivative = 1e200, kHeldDown = 0x1p-332;
};

template <class T>
static SIMSCOPE_HD inline T magnitude(T x, T y) {
  return (x < 0 ? -x : x) + (y < 0 ? -y : y);
}
template <class T>
static SIMSCOPE_HD inline void holdDown(T& dx, T& dy) {
  if (magnitude(dx, dy) > Most<T>::kDerivative) {
    dx *= Most<T>::kHeldDown;
    dy *= Most<T>::kHeldDown;
  }
}

// In the main cardioid, or in the disc of period 2, by more than float64's rounding.
static SIMSCOPE_HD inline bool withinKnownParts(double x, double y) {
  constexpr double kSure = 1 - 1e-11;
  const double u = x - 0.25, yy = y * y, q = u * u + yy;
  return q * (q + u) < 0.25 * kSure * yy - 1e-14 || (x + 1) * (x + 1) + yy < 0.0625 * kSure;
}

// The end of the pass of a step (from `begin` to `end`) after the one that ends at `n`; `length` is that of the next.
static SIMSCOPE_HD inline int passEnd(int n, int end, int& length) {
  const int stop = end - n > length ? n + length : end;
  length = length > (1 << 29) ? length : 2 * length;
  return stop;
}
// The first multiple of `every` after n, or `to`.
static SIMSCOPE_HD inline int stepEnd(int n, int to, int every) {
  const int left = every - n % every;
  return to - n > left ? n + left : to;
}

}  // namespace simscope::mandelbrot
