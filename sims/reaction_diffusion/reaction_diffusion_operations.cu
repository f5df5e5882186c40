#include "sims/compute/loops/plus.h"
#include "sims/compute/loops/rows.h"
#include "sims/compute/loops/stencil.h"
#include "sims/reaction_diffusion/reaction_diffusion.h"

namespace simscope::reaction_diffusion {

struct Species {
  const Cell* cells;
  bool second;
  float* values;
  SIMSCOPE_HD void operator()(std::size_t i) const { values[i] = second ? cells[i].v : cells[i].u; }
};
struct Value {
  const Cell* cells;
  compute::Slab slab;
  bool second;
  SIMSCOPE_HD double operator()(int x, int y) const {
    const Cell& cell = cells[slab.at(x, y)];
    return static_cast<double>(second ? cell.v : cell.u);
  }
};
struct DecayAt {
  const Cell* cells;
  compute::Slab slab;
  Decay decay;
  SIMSCOPE_HD double operator()(int x, int y) const {
    const Cell& cell = cells[slab.at(x, y)];
    return decay.at(static_cast<double>(cell.u), static_cast<double>(cell.v));
  }
};
struct Larger {
  SIMSCOPE_HD double operator()(double a, double b) const { return b > a ? b : a; }
};

static_assert(kHalo >= compute::kStencilCpuSteps);

void advance(Cells& now, Cells& next, const compute::Slab& slab, int steps, const Kinetics& kinetics) {
  compute::stencilSteps(*now.device(), now, next, slab, steps, kinetics);
}

void copySpecies(compute::Device& device, const Cell* cells, bool second, float* values, std::size_t count) {
  compute::parallelFor(device, count, Species{cells, second, values});
}

double meanOf(const Cells& cells, const compute::Slab& slab, bool second) {
  compute::Device& device = *cells.device();
  const double sum = compute::reduceRows(device, compute::cutsOf(device, slab.n, 0, slab.n), slab.n, 0, 0.0,
                                         Value{cells.data(), slab, second}, compute::Plus{});
  return sum / (static_cast<double>(slab.n) * slab.n);
}

double fastestOf(const Cells& cells, const compute::Slab& slab, const Decay& decay) {
  compute::Device& device = *cells.device();
  return compute::reduceRows(device, compute::cutsOf(device, slab.n, 0, slab.n), slab.n, 0, 0.0,
                             DecayAt{cells.data(), slab, decay}, Larger{});
}

}  // namespace simscope::reaction_diffusion
