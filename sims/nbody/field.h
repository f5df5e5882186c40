// The field of point sources, by direct summation or by a tree:
//
//   g_i = Σ_j s_j (r_j − r_i) / (|r_j − r_i|² + ε²)^{3/2}        φ_i = −Σ_{j≠i} s_j / √(|r_j − r_i|² + ε²)
//
// The strength s_j is a mass (gravity: acceleration G g_i) or a charge of either sign (Coulomb: −k (q_i/m_i) g_i).
// Sources at the same place exert no force on each other; a softening below kLeastSoftening counts as kLeastSoftening.
// Owner: the solver owns its workspace; sources and result belong to the caller. Thread: as Device; work is enqueued on
// its stream, with no round trip to the host. Where the device has ranks, all of them call with the same sources, and
// all get the whole field, with the bits of one process. Errors: OutOfMemory (the solver still works at its former
// size), and those of Ranks.
#pragma once

#include <memory>
#include <string>

#include "sims/compute/device.h"

namespace simscope::nbody {

struct alignas(16) Vec4 {
  float x = 0, y = 0, z = 0, w = 0;
};

constexpr double kLeastSoftening = 1e-10;

class FieldSolver {
 public:
  virtual ~FieldSolver() = default;
  FieldSolver(const FieldSolver&) = delete;
  FieldSolver& operator=(const FieldSolver&) = delete;

  // `sources`: n ≥ 1 elements (x, y, z, s) in device memory. `field`: n elements (g_x, g_y, g_z, φ).
  virtual void field(const Vec4* sources, int n, double softening, Vec4* field) = 0;
  // The same g, to the bit, without φ: w has no meaning.
  virtual void force(const Vec4* sources, int n, double softening, Vec4* out) { field(sources, n, softening, out); }
  // Whether all sources of the calls to come are equally strong, which a solver may use; at first false.
  virtual void expectAlike(bool alike) { (void)alike; }
  // For the status line and bench: "all pairs, 256 × 4 a block", "Barnes–Hut, quadrupoles, θ = 0.5".
  virtual std::string method() const = 0;

 protected:
  FieldSolver() = default;
};

// All pairs, single precision.
std::unique_ptr<FieldSolver> makeDirect(compute::DevicePtr device);

// Barnes–Hut with monopole, dipole, and quadrupole of each cell about the centre of its |s|; cells that look larger
// than `opening_angle` are opened (0 opens all). A new opening angle needs no new solver.
class TreeSolver : public FieldSolver {
 public:
  virtual void setOpeningAngle(double opening_angle) = 0;
};
std::unique_ptr<TreeSolver> makeTree(compute::DevicePtr device, double opening_angle);
// Bytes that a tree of n sources takes.
double treeBytes(compute::Backend backend, double n);

}  // namespace simscope::nbody
