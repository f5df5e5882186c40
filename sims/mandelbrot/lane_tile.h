// The pixels of a tile that are still iterated, stored apart from the picture: how they are read from it and written
// back. Part of lane_loops.h, with functions internal to each file.
#pragma once

#include "sims/mandelbrot/iteration.h"
#include "sims/mandelbrot/lane_kernels.h"

namespace simscope::mandelbrot {
namespace {

constexpr int kMostLanes = 64;  // in flight
constexpr int kRoom = kTileColumns * kTileRows + kMostLanes;

// The pixels of a tile that are still iterated, in their order.
template <class T>
struct Going {
  alignas(64) T x[kRoom], y[kRoom], dx[kRoom], dy[kRoom], cx[kRoom], cy[kRoom];
  int cell[kRoom], index[kRoom], glitches[kRoom];
  int count = 0;

  // Pads the last vectors with zeros, which never escape.
  void pad(int lanes) {
    for (int i = count; i < count + lanes && i < kRoom; ++i) {
      x[i] = y[i] = dx[i] = dy[i] = cx[i] = cy[i] = 0;
      index[i] = glitches[i] = 0;
    }
  }
  void move(int to, int from) {
    x[to] = x[from], y[to] = y[from], dx[to] = dx[from], dy[to] = dy[from], cx[to] = cx[from], cy[to] = cy[from];
    cell[to] = cell[from], index[to] = index[from], glitches[to] = glitches[from];
  }
};

template <class T>
void leave(const Iteration& t, const Going<T>& going, int i, int count) {
  const auto at = static_cast<unsigned long>(going.cell[i]);
  const Cells& cells = t.cells;
  cells.x[at] = static_cast<double>(going.x[i]);
  cells.y[at] = static_cast<double>(going.y[i]);
  cells.count[at] = count;
  if (t.derivative) {
    cells.dx[at] = static_cast<double>(going.dx[i]);
    cells.dy[at] = static_cast<double>(going.dy[i]);
  }
  if (t.numbers == Numbers::Perturbed) {
    cells.index[at] = going.index[i];
    cells.glitches[at] = going.glitches[i];
  }
}

template <class T>
void enter(const Iteration& t, Going<T>& going, int x0, int x1, int y0, int y1) {
  const bool perturbed = t.numbers == Numbers::Perturbed, begins = t.from == 0;
  for (int row = y0; row < y1; ++row) {
    for (int column = x0; column < x1; ++column) {
      const int cell = row * t.width + column, i = going.count;
      const auto at = static_cast<unsigned long>(cell);
      if (!begins && t.cells.count[at] != 0) continue;
      const double ox = t.offsetX(column), oy = t.offsetY(row), px = t.centre_x + ox, py = t.centre_y + oy;
      going.cell[i] = cell;
      going.cx[i] = static_cast<T>(perturbed ? ox : t.julia ? t.julia_x : px);
      going.cy[i] = static_cast<T>(perturbed ? oy : t.julia ? t.julia_y : py);
      going.x[i] = static_cast<T>(!begins ? t.cells.x[at] : t.julia ? px : 0.0);
      going.y[i] = static_cast<T>(!begins ? t.cells.y[at] : t.julia ? py : 0.0);
      going.dx[i] = static_cast<T>(!begins ? t.cells.dx[at] : t.julia ? t.spacing : 0.0);
      going.dy[i] = static_cast<T>(!begins ? t.cells.dy[at] : 0.0);
      going.index[i] = begins || !perturbed ? 0 : t.cells.index[at];
      going.glitches[i] = begins || !perturbed ? 0 : t.cells.glitches[at];
      if (going.index[i] >= t.last) going.index[i] = t.last - 1;
      if (begins && !t.julia && withinKnownParts(px, py)) {
        leave(t, going, i, kInside);
      } else {
        ++going.count;
      }
    }
  }
}

}  // namespace
}  // namespace simscope::mandelbrot
