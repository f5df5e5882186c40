// The alternating direction implicit scheme of Peaceman and Rachford, for α without a map:
//
//   (1 - h δx²) u*   = (1 + h δy²) uⁿ  =: d        h = r/2 = α dt/(2 dx²)
//   (1 - h δy²) uⁿ⁺¹ = (1 + h δx²) u*  = 2u* - d   (by the first line)
// The CPU solves the tridiagonal lines by Thomas's algorithm with the same factors for all lines; the periodic boundary
// closes the system through the Sherman–Morrison formula. Sums are in double, stored values in float, and the number of
// threads changes no bit. CUDA solves them in windows (adi_windows.h), which agrees up to rounding.
// Source: D. W. Peaceman, H. H. Rachford, J. SIAM 3 (1955) 28.
#pragma once

#include <functional>
#include <vector>

#include "sims/compute/device.h"
#include "sims/compute/ranks/slab.h"
#include "sims/heat/adi/adi_windows.h"
#include "sims/heat/parameters.h"

namespace simscope::heat {

// Forward: c_i = (d_i + h c_{i-1}) scale_i. Back: y_i = c_i + back_i y_{i+1}. Periodic: x_i = y_i - f q_i with
// f = (y_0 + tail y_{N-1}) denominator. Walls of the fixed boundary are rows with scale = back = 0.
struct AdiFactors {
  double h = 0;
  double tail = 0, denominator = 0;
  bool closed = false;                 // periodic
  std::vector<double> scale, back, q;  // N each; q is empty unless closed
};

AdiFactors adiFactors(int n, Boundary boundary, double mesh_ratio);

// One step in place. scratch: as large as u, N·N or the rows of a slab, which needs a row of its halo. Ranks turn their
// slabs into columns and back, which gives the same bits. Thread: inside Device::run of a CPU device.
void adiStepOnCpu(compute::Device& device, float* u, float* scratch, const compute::Slab& slab, Boundary boundary,
                  const AdiFactors& factors);

#if SIMSCOPE_HAVE_CUDA
// Steps in place. scratch: N·N. Enqueued.
void adiStepsOnCuda(compute::Device& device, float* u, float* scratch, const AdiWindows& windows, int steps);
// A step of a slab's rows in place, to the same bits. scratch: as large as u, slab.cells(). Enqueued. `arrived` is
// called before the first work that reads the halo of u, adiDepth() rows of it; the other work may be enqueued before.
void adiStepOnCuda(compute::Device& device, float* u, float* scratch, const AdiWindows& windows,
                   const compute::Slab& slab, const std::function<void()>& arrived);
#endif

}  // namespace simscope::heat
