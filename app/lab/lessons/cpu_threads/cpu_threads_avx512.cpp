#include "app/lab/lessons/cpu_threads/cpu_threads_lanes.h"

namespace simscope::lab::cpu_threads {

Width widthOfAvx512() {
  return {16, "16 lanes (AVX-512)", mapLanes<16>};
}

}  // namespace simscope::lab::cpu_threads
