#include "sims/compute/lanes/wide.h"
#include "sims/lorentz/lanes_loop.h"

namespace simscope::lorentz {

LaneKernel wideLanes(compute::ThisSet set) {
  return {runLanesOf<compute::ThisSet>, set.kName};
}

}  // namespace simscope::lorentz
