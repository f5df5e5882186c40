#include "app/lab/lessons/cpu_threads/cpu_threads_lanes.h"
#include "sims/compute/lanes/wide.h"

namespace simscope::lab::cpu_threads {

Width widthOf(compute::ThisSet) {
  constexpr bool kSixteen = compute::kFloats == 16;
  return {compute::kFloats, kSixteen ? "16 lanes (AVX-512)" : "8 lanes (AVX2)", mapLanes<compute::kFloats>};
}

}  // namespace simscope::lab::cpu_threads
