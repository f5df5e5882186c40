// The aperture's transmission on its device: made from a shape and the mouse's drawing over it.
//
// Planes are slabs of N × N floats, row-major, of which each rank makes its own rows; sums are over all ranks. Thread:
// inside Device::run; enqueued, except calls that return a value, which all ranks make together.
#pragma once

#include "sims/compute/device.h"
#include "sims/compute/loops/capsule.h"
#include "sims/compute/ranks/slab.h"
#include "sims/diffraction/fused.h"
#include "sims/diffraction/shape.h"

namespace simscope::diffraction {

inline bool isEmpty(const CellRange& box) {
  return box.x_first >= box.x_last || box.y_first >= box.y_last;
}
CellRange joined(const CellRange& a, const CellRange& b);
// The cells of the window that a rectangle of these half-edges around (x, y) overlaps; all in cells from the middle.
CellRange boxAround(int n, double x, double y, double half_x, double half_y);

// A stroke of the brush from (x0, y0) to (x1, y1) with `radius`, in cells from the middle.
struct Dab : compute::Capsule {
  float to;  // the transmission that it leaves: 1 opens, 0 closes
};
CellRange boxOf(int n, const Dab& stroke);

// The drawing over a cell of the shape: the covered share, and the transmission of the cover.
struct Cover {
  float share = 0, light = 0;
};

// Fills the cells of `box`: with the shape where nothing covers it. drawn may be null.
void fillTransmission(compute::Device& device, const Shape& shape, const Cover* drawn, const CellRange& box,
                      const compute::Slab& slab, float* transmission);
// The brush's edge is soft over one cell.
void paintDab(compute::Device& device, Cover* drawn, const compute::Slab& slab, const Dab& stroke);

// Over the cells: of the transmissions, of their squares, and of the share of the power that passes. What varies within
// cells makes the second smaller than the third.
struct Sums {
  double sum, squares, power;
};
// transmission: as fillTransmission() has made it.
Sums sumsOf(compute::Device& device, const Shape& shape, const Cover* drawn, const float* transmission,
            const compute::Slab& slab, const CellRange& box);

}  // namespace simscope::diffraction
