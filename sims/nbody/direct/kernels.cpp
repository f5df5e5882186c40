#include "sims/nbody/direct/kernels.h"

#include <cmath>

namespace simscope::nbody {
namespace {

constexpr int kBodies = 8;
static_assert(kBodies <= kDirectLanes);

// Plain loops over a few bodies, which compilers turn into vectors.
template <bool kPotential>
void sumOver(const DirectBlock& block, const float (&place)[3][kBodies], int first, int from, int to,
             float (&sums)[4][kBodies]) {
  for (int j = from; j < to; ++j) {
    const float* const source = block.sources + 4 * static_cast<long>(j);
    // A body's own share, which may be huge, must not even pass through its potential.
    const int own = j - first;
    const bool meets_itself = own >= 0 && own < kBodies;
    const float potential = meets_itself ? sums[3][own] : 0.0f;
    for (int i = 0; i < kBodies; ++i) {
      const float dx = source[0] - place[0][i], dy = source[1] - place[1][i], dz = source[2] - place[2][i];
      const float inverse = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + block.softening2);
      const float share = source[3] * inverse, pull = share * inverse * inverse;
      sums[0][i] += pull * dx;
      sums[1][i] += pull * dy;
      sums[2][i] += pull * dz;
      if (kPotential) sums[3][i] -= share;
    }
    if (meets_itself) sums[3][own] = potential;
  }
}

template <bool kPotential>
void compute(const DirectBlock& block) {
  for (int first = block.first; first < block.first + block.count; first += kBodies) {
    const int left = block.first + block.count - first, count = left < kBodies ? left : kBodies;
    float place[3][kBodies] = {};
    for (int i = 0; i < count; ++i) {
      for (int axis = 0; axis < 3; ++axis) place[axis][i] = block.sources[4 * static_cast<long>(first + i) + axis];
    }
    float total[4][kBodies] = {}, owed[4][kBodies] = {};
    for (int from = 0; from < block.n; from += kDirectChunk) {
      float chunk[4][kBodies] = {};
      sumOver<kPotential>(block, place, first, from, from + kDirectChunk < block.n ? from + kDirectChunk : block.n,
                          chunk);
      for (int k = 0; k < 4; ++k) {
        // What is rounded off goes on to the next chunk.
        for (int i = 0; i < kBodies; ++i) {
          const float due = chunk[k][i] - owed[k][i], sum = total[k][i] + due;
          owed[k][i] = (sum - total[k][i]) - due;
          total[k][i] = sum;
        }
      }
    }
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < 4; ++k) block.field[4 * static_cast<long>(first + i) + k] = total[k][i];
    }
  }
}

}  // namespace

const compute::KernelList<DirectKernels>& supportedDirectKernels() {
  static const auto list = compute::kernelList(DirectKernels{compute<false>, compute<true>, "portable"},
                                               SIMSCOPE_ON_X86(wideDirectKernels), SIMSCOPE_ON_X86(wideDirectKernels));
  return list;
}

}  // namespace simscope::nbody
