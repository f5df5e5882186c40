// The Barnes–Hut tree behind makeTree() of field.h, and its counts.
// Thread and errors: as FieldSolver.
#pragma once

#include <cstdint>
#include <memory>

#include "sims/nbody/field.h"

namespace simscope::nbody {

// Interactions of a field: pairs of a body with a body, and of a body with a cell.
struct TreeInteractions {
  std::uint64_t bodies = 0;
  std::uint64_t cells = 0;
};

class BarnesHut : public TreeSolver {
 public:
  // Those of the last field(), with ranks those of this one's part; waits for it.
  virtual TreeInteractions interactions() const = 0;
};

// ParameterError for an opening angle that is negative or NaN.
std::unique_ptr<BarnesHut> makeBarnesHut(compute::DevicePtr device, double opening_angle);

}  // namespace simscope::nbody
