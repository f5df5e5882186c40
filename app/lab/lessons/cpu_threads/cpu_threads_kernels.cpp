#include "app/lab/lessons/cpu_threads/cpu_threads_lanes.h"
#include "sims/compute/lanes/instruction_sets.h"

namespace simscope::lab::cpu_threads {

std::vector<Width> widths() {
  std::vector<Width> all = {{1, "1 lane", mapLanes<1>}, {4, "4 lanes", mapLanes<4>}};
#if defined(__x86_64__)
  if (compute::hasAvx2()) all.push_back(widthOfAvx2());
  if (compute::hasAvx512()) all.push_back(widthOfAvx512());
#endif
  return all;
}

}  // namespace simscope::lab::cpu_threads
