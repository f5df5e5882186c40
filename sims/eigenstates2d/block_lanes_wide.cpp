#define SIMSCOPE_LANES lanes_avx2
#include "sims/eigenstates2d/block_lanes_kernels.h"

namespace simscope::eigenstates2d {

LaneKernels avx2Lanes(compute::Avx2) {
  return {lanes_avx2::row, lanes_avx2::tile, lanes_avx2::rotate};
}

}  // namespace simscope::eigenstates2d
