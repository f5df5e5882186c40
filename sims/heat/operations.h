// All operations on a field except steps: filling, painting, measuring. One functor, two executors.
//
// Thread: inside Device::run. Calls that return a value wait; the others are enqueued. Fields are the rows of a slab,
// N floats each; its own rows are written, and those of the halo only where stated. All ranks of the device make the
// calls that return a value, and get the same one.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sims/compute/device.h"
#include "sims/compute/loops/capsule.h"
#include "sims/compute/random/random.h"
#include "sims/compute/ranks/slab.h"
#include "sims/heat/exact_line.h"

namespace simscope::heat {

// lines = x(0…N-1), then y(0…N-1) of an exact solution.
void fillLines(compute::Device& device, double* lines, const ExactLine& line);
// u(i, j) = x[i]·y[j], with the walls of the fixed boundary at 0. lines: x, then y, N each, on the device.
void fillProduct(compute::Device& device, float* u, const compute::Slab& slab, Boundary boundary, const double* lines);
// Squares of `patch` × `patch` cells, each of a temperature drawn uniformly from [0, temperature).
void fillPatches(compute::Device& device, float* u, const compute::Slab& slab, Boundary boundary, std::uint64_t seed,
                 double patch, double temperature);
// A patch's temperature as a share of `temperature`. patchCells: a patch's edge in cells, as wide as the parameters'
// spots.
SIMSCOPE_HD inline double patchShare(std::uint64_t seed, std::uint64_t column, std::uint64_t row) {
  return compute::uniform4(seed, 0, row * 65536 + column).u[0];
}
inline double patchCells(const Parameters& p) {
  return std::max(1.0, p.spot_size / p.spacing);
}
// Fills the halo, too.
void fillConstant(compute::Device& device, float* u, const compute::Slab& slab, float value);

struct FieldStats {
  double sum;
  double maximum, minimum;  // without insulators (no temperature); minus and plus infinity if nothing else
  double error2, exact2;    // Σ (u - exact)², Σ exact²; zeros without exact lines
};
// material: or null. lines: of the exact field as in fillProduct, or null. A NaN anywhere makes the sum NaN.
FieldStats measure(compute::Device& device, const float* u, const float* material, const compute::Slab& slab,
                   const double* lines);
// What single precision makes of an explicit step's changes: Σ |change|, and the sum of what is left of each after the
// result has been rounded, counted along the change; over a sample of at most 128² cells. Where changes are well above
// the temperature's last place both are equal; where all are below half of it, `made` is 0. material: or null. It reads
// a row of the halo.
struct RoundingSums {
  double cells, wanted, made;
};
RoundingSums measureRounding(compute::Device& device, const float* u, const float* material, const compute::Slab& slab,
                             Boundary boundary, float mesh_ratio);
// Whether all values are finite.
bool allFinite(compute::Device& device, const float* u, const compute::Slab& slab);

// Values of up to kProbes cells of the field, by their place in it, to the host.
inline constexpr int kProbes = 20;
struct Probes {
  int count = 0;
  std::int64_t cell[kProbes] = {};
};
void readCells(compute::Device& device, const float* u, const compute::Slab& slab, const Probes& probes, float* scratch,
               float* values);

enum class Paint { Heat, Cold, Source, Insulator, Conductor, Erase };

// A stroke of the brush from (x0, y0) to (x1, y1) with `radius`, in cells.
struct Dab : compute::Capsule {
  Paint paint;
  float temperature;  // Heat: at least this. Cold: at most minus this. Source: exactly this.
};

// How many cells of a kind there are, or how many more there are than before.
struct MaterialCount {
  double held, insulators, conductors;
  bool any() const { return held > 0 || insulators > 0 || conductors > 0; }
};
struct PaintEffect {
  double cells;  // painted
  double heat;   // Σ of the change of temperature
  MaterialCount material;
};
// material may be null for Heat and Cold. Cells of a fixed wall stay unchanged.
PaintEffect paint(compute::Device& device, float* u, float* material, const compute::Slab& slab, Boundary boundary,
                  const Dab& stroke);
MaterialCount countMaterial(compute::Device& device, const float* material, const compute::Slab& slab);
// How many cells of all are of another kind than both neighbours along x, or along y: walls, bars, and gaps of one
// cell. Of the kinds insulator, conductor, and the rest. It reads a row of the halo.
double countThin(compute::Device& device, const float* material, const compute::Slab& slab, Boundary boundary);

// One explicit step with a map of materials, from u to next; it needs a row of the halo of both.
void stepMaterial(compute::Device& device, const float* u, const float* material, float* next,
                  const compute::Slab& slab, Boundary boundary, float mesh_ratio);

// A field of temperatures to 48 bits: the nearest float of each, and what it lacks.
template <class Float>
struct TwoFloats {
  Float* high;
  Float* remainder;
};
// The same step in double precision. material: or null.
void stepDouble(compute::Device& device, const TwoFloats<const float>& from, const float* material,
                const TwoFloats<float>& to, const compute::Slab& slab, Boundary boundary, double mesh_ratio);

}  // namespace simscope::heat
