#include "sims/lorentz/lanes_loop.h"

namespace simscope::lorentz {
namespace {

struct Avx512 {};

}  // namespace

LaneKernel avx512Lanes() {
  return {runLanesOf<Avx512>, "AVX-512"};
}

}  // namespace simscope::lorentz
