#include "sims/compute/loops/parallel.h"
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
  bool second;
  SIMSCOPE_HD double operator()(std::size_t i) const { return static_cast<double>(second ? cells[i].v : cells[i].u); }
};
struct Add {
  SIMSCOPE_HD double operator()(double a, double b) const { return a + b; }
};

void advance(Cells& now, Cells& next, const Parameters& p, int steps, const Kinetics& kinetics) {
  compute::stencilSteps(*now.device(), now, next, p.grid_points, steps, kinetics);
}

void copySpecies(compute::Device& device, const Cell* cells, bool second, compute::Buffer<float>& values) {
  compute::parallelFor(device, values.size(), Species{cells, second, values.data()});
}

double meanOf(const Cells& cells, bool second) {
  const Value value{cells.data(), second};
  return compute::reduce(cells.device(), cells.size(), 0.0, value, Add{}) / static_cast<double>(cells.size());
}

}  // namespace simscope::reaction_diffusion
