// The kernels for one kind of vector.
#pragma once

#include "sims/pinn/kernels.h"
#include "sims/pinn/pass.h"

namespace simscope::pinn {

template <class V>
void trainAny(const Training<float>& job, int components, std::size_t network) {
  if (components == 2) return trainNetwork<V, 2>(job, network);
  if (components == 3) return trainNetwork<V, 3>(job, network);
  trainNetwork<V, 4>(job, network);
}

template <class V>
Kernels kernelsOf(const char* name) {
  return {trainAny<V>, evaluateNetwork<V>, name};
}

}  // namespace simscope::pinn
