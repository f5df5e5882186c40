#include "sims/lorentz/lanes_loop.h"

namespace simscope::lorentz {
namespace {

struct Avx2 {};

}  // namespace

LaneKernel avx2Lanes() {
  return {runLanesOf<Avx2>, "AVX2"};
}

}  // namespace simscope::lorentz
