#include "sims/heat/row_kernels.h"

#include "sims/heat/stencil.h"

namespace simscope::heat {
namespace {

#if defined(__FMA__) || defined(__aarch64__)
constexpr bool kFused = true;
#else
constexpr bool kFused = false;
#endif

void row(const float* up, const float* own, const float* down, float* __restrict out, int count, float r) {
  for (int x = 0; x < count; ++x) out[x] = diffused<kFused>(own[x], own[x - 1], own[x + 1], up[x], down[x], r);
}

void pair(const float* up, const float* first, const float* second, const float* down, float* out_first,
          float* out_second, int count, float r) {
  row(up, first, second, out_first, count, r);
  row(first, second, down, out_second, count, r);
}

}  // namespace

const compute::KernelList<RowKernels>& supportedRowKernels() {
  static const auto list = compute::kernelList(RowKernels{pair, row, "portable"}, SIMSCOPE_ON_X86(wideRowKernels),
                                               SIMSCOPE_ON_X86(wideRowKernels));
  return list;
}

}  // namespace simscope::heat
