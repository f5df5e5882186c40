#include "sims/compute/lanes/wide.h"
#include "sims/pinn/kernels_of.h"

namespace simscope::pinn {
namespace {

struct Wide {
  using Real = float;
  using V = compute::Floats;
  using Bits = compute::Ints;
  static constexpr int kLanes = compute::kFloats;
  V v;

  Wide() = default;
  explicit Wide(V lanes) : v(lanes) {}
  explicit Wide(float each) : v(compute::all(each)) {}
  explicit Wide(int each) : Wide(static_cast<float>(each)) {}
  static Wide load(const float* from) { return Wide(SIMSCOPE_WIDE(load_ps)(from)); }
  void store(float* to) const { SIMSCOPE_WIDE(store_ps)(to, v); }

  friend Wide operator+(Wide a, Wide b) { return Wide(a.v + b.v); }
  friend Wide operator-(Wide a, Wide b) { return Wide(a.v - b.v); }
  friend Wide operator*(Wide a, Wide b) { return Wide(a.v * b.v); }
  friend Wide operator/(Wide a, Wide b) { return Wide(a.v / b.v); }
  friend Wide operator-(Wide a) { return Wide(-a.v); }
  friend Wide madd(Wide a, Wide b, Wide c) { return Wide(compute::fused(a.v, b.v, c.v)); }
  friend Wide magnitude(Wide x) { return Wide((V)((Bits)x.v & 0x7FFFFFFF)); }
  friend Wide atMost(Wide x, Wide most) { return Wide(x.v > most.v ? most.v : x.v); }
  friend Wide withSignOf(Wide size, Wide sign) { return Wide(sign.v < 0.0f ? -size.v : size.v); }
  friend Wide powerOfTwo(Wide rounded) {
    const Bits k = (Bits)rounded.v - (Bits)compute::all(kRounder);
    return Wide((V)((k + 127) << 23));
  }
};

}  // namespace

Kernels wideKernels(compute::ThisSet set) {
  return kernelsOf<Wide>(set.kName);
}

}  // namespace simscope::pinn
