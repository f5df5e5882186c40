#include "app/lab/lessons/cpu_threads/cpu_threads_lanes.h"

namespace simscope::lab::cpu_threads {

Width widthOfAvx2() {
  return {8, "8 lanes (AVX2)", mapLanes<8>};
}

}  // namespace simscope::lab::cpu_threads
