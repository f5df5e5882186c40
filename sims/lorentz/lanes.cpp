#include "sims/lorentz/lanes.h"

#include "sims/lorentz/lanes_loop.h"

namespace simscope::lorentz {
namespace {

struct Portable {};

}  // namespace

const compute::KernelList<LaneKernel>& supportedLanes() {
  static const auto list = compute::kernelList(LaneKernel{runLanesOf<Portable>, "portable"}, SIMSCOPE_ON_X86(wideLanes),
                                               SIMSCOPE_ON_X86(wideLanes));
  return list;
}

}  // namespace simscope::lorentz
