#include "app/lab/lessons/cpu_threads/cpu_threads_lanes.h"

namespace simscope::lab::cpu_threads {

std::vector<Width> widths() {
  std::vector<Width> all = {{1, "1 lane", mapLanes<1>}, {4, "4 lanes", mapLanes<4>}};
#if defined(__x86_64__)
  if (compute::hasAvx2()) all.push_back(widthOf(compute::Avx2{}));
  if (compute::hasAvx512()) all.push_back(widthOf(compute::Avx512{}));
#endif
  return all;
}

}  // namespace simscope::lab::cpu_threads
