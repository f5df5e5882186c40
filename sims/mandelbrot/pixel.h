// One pixel at a time: the code of CUDA's threads, and the reference of the CPU lanes' tests.
#pragma once

#include <cstddef>

#include "sims/mandelbrot/iteration.h"

namespace simscope::mandelbrot {

template <class T>
struct DirectPixel {
  Iteration t;

  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    const Cells& cells = t.cells;
    if (t.from > 0 && cells.count[i] != 0) return;
    const double px = t.centre_x + t.offsetX(column), py = t.centre_y + t.offsetY(row);
    T x, y, dx, dy, cx, cy;
    const T seed = t.julia ? T(0) : static_cast<T>(t.spacing);
    cx = static_cast<T>(t.julia ? t.julia_x : px);
    cy = static_cast<T>(t.julia ? t.julia_y : py);
    if (t.from == 0) {
      x = t.julia ? static_cast<T>(px) : T(0);
      y = t.julia ? static_cast<T>(py) : T(0);
      dx = t.julia ? static_cast<T>(t.spacing) : T(0);
      dy = 0;
    } else {
      x = static_cast<T>(cells.x[i]);
      y = static_cast<T>(cells.y[i]);
      dx = static_cast<T>(cells.dx[i]);
      dy = static_cast<T>(cells.dy[i]);
    }
    const bool known = t.from == 0 && !t.julia && withinKnownParts(px, py);
    const int count = known ? kInside : run(x, y, dx, dy, cx, cy, seed);
    cells.x[i] = static_cast<double>(x);
    cells.y[i] = static_cast<double>(y);
    cells.count[i] = count;
    if (t.derivative) {
      cells.dx[i] = static_cast<double>(dx);
      cells.dy[i] = static_cast<double>(dy);
    }
  }

  SIMSCOPE_HD int run(T& x, T& y, T& dx, T& dy, T cx, T cy, T seed) const {
    constexpr T kBound = static_cast<T>(kEscape * kEscape);
    for (int n = t.from; n < t.to;) {
      const int step_end = stepEnd(n, t.to, t.every);
      for (int length = kFirstPass; n < step_end;) {
        const int stop = passEnd(n, step_end, length);
        const T first_x = x, first_y = y;
        while (n < stop) {
          const int end = stop - n > kChunk ? n + kChunk : stop;
          for (; n < end; ++n) {
            if (t.derivative) derive(dx, dy, x, y, seed);
            iterate(x, y, cx, cy);
            if (!(x * x + y * y <= kBound)) return n + 1;
          }
          if (t.derivative) holdDown(dx, dy);
          if (x == first_x && y == first_y) return kInside;
        }
      }
    }
    return 0;
  }
};

struct PerturbedPixel {
  Iteration t;

  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    const Cells& cells = t.cells;
    if (t.from > 0 && cells.count[i] != 0) return;
    const double cx = t.offsetX(column), cy = t.offsetY(row);
    const bool begins = t.from == 0;
    double x = begins ? 0 : cells.x[i], y = begins ? 0 : cells.y[i];
    double dx = begins ? 0 : cells.dx[i], dy = begins ? 0 : cells.dy[i];
    int index = begins ? 0 : cells.index[i], glitches = begins ? 0 : cells.glitches[i];
    index = index < t.last ? index : t.last - 1;
    const bool known = begins && withinKnownParts(t.centre_x + cx, t.centre_y + cy);
    const int count = known ? kInside : run(x, y, dx, dy, cx, cy, index, glitches);
    cells.x[i] = x;
    cells.y[i] = y;
    cells.count[i] = count;
    cells.index[i] = index;
    cells.glitches[i] = glitches;
    if (t.derivative) {
      cells.dx[i] = dx;
      cells.dy[i] = dy;
    }
  }

  SIMSCOPE_HD int run(double& x, double& y, double& dx, double& dy, double cx, double cy, int& index,
                      int& glitches) const {
    double reference_x = t.orbit[2 * static_cast<std::size_t>(index)];
    double reference_y = t.orbit[2 * static_cast<std::size_t>(index) + 1];
    for (int n = t.from; n < t.to; ++n) {
      if (t.derivative) {
        derive(dx, dy, reference_x + x, reference_y + y, t.spacing);
        if (n % kChunk == kChunk - 1) holdDown(dx, dy);
      }
      perturb(x, y, reference_x, reference_y, cx, cy);
      ++index;
      reference_x = t.orbit[2 * static_cast<std::size_t>(index)];
      reference_y = t.orbit[2 * static_cast<std::size_t>(index) + 1];
      const double full_x = reference_x + x, full_y = reference_y + y;
      if (!(full_x * full_x + full_y * full_y <= kEscape * kEscape)) {
        x = full_x;
        y = full_y;
        return n + 1;
      }
      const double full = magnitude(full_x, full_y);
      const bool less = full < magnitude(x, y);
      if (less && full < kGlitch * magnitude(reference_x, reference_y)) ++glitches;
      if ((less && t.rebase) || index == t.last) {
        x = full_x;
        y = full_y;
        index = 0;
        reference_x = reference_y = 0;
      }
    }
    return 0;
  }
};

}  // namespace simscope::mandelbrot
