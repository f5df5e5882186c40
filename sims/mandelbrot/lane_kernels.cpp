#include "sims/mandelbrot/lane_kernels.h"

#include "sims/mandelbrot/lane_loops.h"

namespace simscope::mandelbrot {
namespace {

// Sixteen bytes, which every processor of 64 bits has.
template <class Number>
struct PortableLanes {
  using T = Number;
  using V __attribute__((vector_size(16))) = Number;
  static constexpr int kLanes = 16 / sizeof(T), kTogether = 4;

  static unsigned beyond(const V& a, T bound) {
    unsigned bits = 0;
    for (int i = 0; i < kLanes; ++i) bits |= a[i] <= bound ? 0u : 1u << i;
    return bits;
  }
  static unsigned less(const V& a, const V& b) {
    unsigned bits = 0;
    for (int i = 0; i < kLanes; ++i) bits |= a[i] < b[i] ? 1u << i : 0u;
    return bits;
  }
  static unsigned equal(const V& a, const V& b) {
    unsigned bits = 0;
    for (int i = 0; i < kLanes; ++i) bits |= a[i] == b[i] ? 1u << i : 0u;
    return bits;
  }
  static V absolute(const V& a) {
    V b = a;
    for (int i = 0; i < kLanes; ++i) b[i] = a[i] < 0 ? -a[i] : a[i];
    return b;
  }
  static void pairs(const double* const* from, V& first, V& second) {
    for (int i = 0; i < kLanes; ++i) {
      first[i] = static_cast<T>(from[i][0]);
      second[i] = static_cast<T>(from[i][1]);
    }
  }
};

void tile(const Iteration& t, int x0, int x1, int y0, int y1) {
  iterateTile<PortableLanes<float>, PortableLanes<double>>(t, x0, x1, y0, y1);
}

}  // namespace

const compute::KernelList<LaneKernels>& supportedLaneKernels() {
  static const auto list = compute::kernelList(LaneKernels{tile, "portable"}, SIMSCOPE_ON_X86(wideLaneKernels),
                                               SIMSCOPE_ON_X86(wideLaneKernels));
  return list;
}

}  // namespace simscope::mandelbrot
