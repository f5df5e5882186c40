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

RowKernelList supported() {
  RowKernelList list{};
#if defined(SIMSCOPE_HEAT_X86)
  if (__builtin_cpu_supports("fma")) {
    if (__builtin_cpu_supports("avx512f")) list.sets[list.count++] = avx512RowKernels();
    if (__builtin_cpu_supports("avx2")) list.sets[list.count++] = avx2RowKernels();
  }
#endif
  list.sets[list.count++] = {pair, row, "portable"};
  return list;
}

}  // namespace

const RowKernelList& supportedRowKernels() {
  static const RowKernelList list = supported();
  return list;
}

}  // namespace simscope::heat
