// The loops of kernels.h over vectors of sources. For the files of the instruction sets only.
//
// Simd: `using V`, kLanes, load(const float*), inverseRoot(V).
#pragma once

#include "sims/nbody/tree/field.h"
#include "sims/nbody/tree/kernels.h"

namespace simscope::nbody::tree {

template <class Simd>
struct SimdLoops {
  using V = typename Simd::V;
  using Sum = FieldSum<V>;

  static V fill(float x) { return V{} + x; }
  static float total(V v) {
    // Adds halves to halves: the order depends only on the vector's width.
    float lane[Simd::kLanes];
    __builtin_memcpy(lane, &v, sizeof lane);
    for (int half = Simd::kLanes / 2; half > 0; half /= 2) {
      for (int i = 0; i < half; ++i) lane[i] += lane[i + half];
    }
    return lane[0];
  }
  static void store(const Sum& sum, float (&field)[4]) {
    field[0] += total(sum.x);
    field[1] += total(sum.y);
    field[2] += total(sum.z);
    field[3] += total(sum.phi);
  }

  // Targets [first, first + kTargets) together, so that a source is loaded once for all of them.
  template <int kTargets>
  static void bodiesAt(const BodyList& list, V eps2, TargetList& t, int first) {
    Sum sum[kTargets] = {};
    for (int j = 0; j < list.count; j += Simd::kLanes) {
      const V x = Simd::load(list.x + j), y = Simd::load(list.y + j), z = Simd::load(list.z + j);
      const V s = Simd::load(list.s + j);
      for (int k = 0; k < kTargets; ++k) {
        addBody<Simd>(x - t.x[first + k], y - t.y[first + k], z - t.z[first + k], s, eps2, sum[k]);
      }
    }
    for (int k = 0; k < kTargets; ++k) store(sum[k], t.field[first + k]);
  }

  template <int kTargets, bool kDipole>
  static void cellsAt(const CellList& list, V eps2, TargetList& t, int first) {
    Sum sum[kTargets] = {};
    for (int j = 0; j < list.count; j += Simd::kLanes) {
      const auto at = [&](int value) { return Simd::load(list.value[value] + j); };
      const V x = at(0), y = at(1), z = at(2);
      const CellMoments<V> cell = {at(3), at(4), at(5), at(6), at(7), at(8), at(9), at(10)};
      Dipole<V> p{};
      if (kDipole) p = {at(11), at(12), at(13)};
      for (int k = 0; k < kTargets; ++k) {
        addCell<Simd, kDipole>(x - t.x[first + k], y - t.y[first + k], z - t.z[first + k], cell, p, eps2, sum[k]);
      }
    }
    for (int k = 0; k < kTargets; ++k) store(sum[k], t.field[first + k]);
  }

  static void bodies(const BodyList& list, float eps2, TargetList& t) {
    int i = 0;
    for (; i + 2 <= t.count; i += 2) bodiesAt<2>(list, fill(eps2), t, i);
    if (i < t.count) bodiesAt<1>(list, fill(eps2), t, i);
  }

  template <bool kDipole>
  static void cells(const CellList& list, float eps2, TargetList& t) {
    int i = 0;
    for (; i + 2 <= t.count; i += 2) cellsAt<2, kDipole>(list, fill(eps2), t, i);
    if (i < t.count) cellsAt<1, kDipole>(list, fill(eps2), t, i);
  }

  static void own(BodyList& list, float eps2, TargetList& t) {
    for (int i = 0; i < t.count; ++i) {
      const float s = list.s[i];
      list.s[i] = 0;
      bodiesAt<1>(list, fill(eps2), t, i);
      list.s[i] = s;
    }
  }

  static TreeKernels kernels(const char* name) { return {bodies, cells<false>, cells<true>, own, name}; }
};

}  // namespace simscope::nbody::tree
