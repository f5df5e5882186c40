// The field of a body and of a cell at a target: the same code for a thread of the GPU and for a vector of the CPU.
//
// With D = target − c, ρ² = D² + ε², u = 1/ρ, and the moments of a cell about c
//   M = Σ s, p = Σ s δ, S = Σ s δ δᵀ (not made traceless: softening leaves ∇²u ≠ 0),
// Taylor's expansion of the softened potential to second order in δ is
//   −φ = M u + (p·D − ½ tr S) u³ + (3/2) D·S·D u⁵,   g = −∇φ.
// Below n = D u, Q = 3 S, and every power of u is multiplied by a moment before the next power, so that nothing
// overflows unless the sum itself does.
//
// Math: `using V` (float or a vector of floats) and `static V inverseRoot(V)`. This header is also compiled for
// instruction sets that the processor may lack, so it includes nothing of the library and contains only templates.
#pragma once

#include "sims/compute/host_device.h"

namespace simscope::nbody::tree {

template <class V>
struct FieldSum {
  V x, y, z, phi;
};

template <class V>
struct CellMoments {
  V m, qxx, qxy, qxz, qyy, qyz, qzz;
  V t;  // ½ tr Q
};

template <class V>
struct Dipole {
  V x, y, z;
};

// (dx, dy, dz): source − target. Without kPotential φ is unchanged.
template <class Math, bool kPotential = true, class V = typename Math::V>
SIMSCOPE_HD inline void addBody(V dx, V dy, V dz, V s, V eps2, FieldSum<V>& sum) {
  const V u = Math::inverseRoot(dx * dx + (dy * dy + (dz * dz + eps2)));
  const V su = s * u;
  const V su3 = su * u * u;
  if constexpr (kPotential) sum.phi -= su;
  sum.x += su3 * dx;
  sum.y += su3 * dy;
  sum.z += su3 * dz;
}

// (dx, dy, dz): c − target, so −D. Without kDipole the cell has none.
template <class Math, bool kDipole, bool kPotential = true, class V = typename Math::V>
SIMSCOPE_HD inline void addCell(V dx, V dy, V dz, const CellMoments<V>& cell, const Dipole<V>& p, V eps2,
                                FieldSum<V>& sum) {
  const V u = Math::inverseRoot(dx * dx + (dy * dy + (dz * dz + eps2)));
  const V u2 = u * u;
  const V nx = dx * u, ny = dy * u, nz = dz * u;
  const V qx = cell.qxx * nx + (cell.qxy * ny + cell.qxz * nz);
  const V qy = cell.qxy * nx + (cell.qyy * ny + cell.qyz * nz);
  const V qz = cell.qxz * nx + (cell.qyz * ny + cell.qzz * nz);
  const V q = nx * qx + (ny * qy + nz * qz);
  const V gradient = 2.5f * q - cell.t;
  const V potential = 0.5f * q - (1.0f / 3.0f) * cell.t;
  if constexpr (kDipole) {
    const V along = p.x * nx + (p.y * ny + p.z * nz);
    const V radial = cell.m + u * (u * gradient - 3.0f * along);
    if constexpr (kPotential) sum.phi -= u * (cell.m + u * (u * potential - along));
    sum.x += u2 * (radial * nx + u * (p.x - u * qx));
    sum.y += u2 * (radial * ny + u * (p.y - u * qy));
    sum.z += u2 * (radial * nz + u * (p.z - u * qz));
  } else {
    const V radial = cell.m + u2 * gradient;
    if constexpr (kPotential) sum.phi -= u * (cell.m + u2 * potential);
    sum.x += u2 * (radial * nx - u2 * qx);
    sum.y += u2 * (radial * ny - u2 * qy);
    sum.z += u2 * (radial * nz - u2 * qz);
  }
}

}  // namespace simscope::nbody::tree
