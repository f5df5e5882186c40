// The kernel as a template over the content of a register. Sources that include it are compiled without automatic
// vectorisation, so that the width is exact, and without fused instructions, which not all widths have.
#pragma once

#include "app/lab/lessons/cpu_threads/cpu_threads_kernels.h"

namespace simscope::lab::cpu_threads {
namespace {

template <int kLanes>
struct LanesOf {
  typedef float Type __attribute__((vector_size(kLanes * sizeof(float))));  // GCC ignores the width in an alias
};
template <>
struct LanesOf<1> {
  using Type = float;
};

template <int kLanes>
void mapLanes(const float* from, float* to, std::size_t n) {
  using Lanes = typename LanesOf<kLanes>::Type;
  // A round depends on the previous one: this many independent chains hide its latency.
  constexpr int kChains = 8;
  static_assert(kStride % (kLanes * kChains) == 0);
  for (std::size_t i = 0; i < n; i += kLanes * kChains) {
    Lanes x[kChains];
    for (int c = 0; c < kChains; ++c) {
      Lanes one;
      __builtin_memcpy(&one, from + i + c * kLanes, sizeof(Lanes));
      x[c] = one;
    }
    for (int round = 0; round < kRounds; ++round) {
      for (int c = 0; c < kChains; ++c) x[c] = 1.0f - 1.9f * x[c] * x[c];
    }
    for (int c = 0; c < kChains; ++c) {
      const Lanes one = x[c];
      __builtin_memcpy(to + i + c * kLanes, &one, sizeof(Lanes));
    }
  }
}

}  // namespace
}  // namespace simscope::lab::cpu_threads
