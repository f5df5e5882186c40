// A pattern at places between its samples, and the means of its samples over an element of a picture. For host and
// device. Bins are the pattern's samples, of which ranks hold slabs of rows, with a halo as deep as the reads.
#pragma once

#include <cstddef>

#include "sims/compute/host_device.h"
#include "sims/compute/ranks/slab.h"

namespace simscope::diffraction {

// The shown part of an n × n pattern, and its number of elements.
struct Region {
  int n = 0;
  int bins = 0;    // along each side, around the centre; even
  int reduce = 1;  // bins an element, along each side
  int refine = 1;  // elements a bin
  int size() const { return bins / reduce * refine; }
};

// Weights of Lagrange's interpolation at 0 ≤ t < 1 between samples at -2 … 3, or -1 … 2.
SIMSCOPE_HD inline void lagrange(float t, float (&w)[6]) {
  const float a = t + 2, b = t + 1, d = t - 1, e = t - 2, f = t - 3;
  w[0] = b * t * d * e * f * (-1.0f / 120);
  w[1] = a * t * d * e * f * (1.0f / 24);
  w[2] = a * b * d * e * f * (-1.0f / 12);
  w[3] = a * b * t * e * f * (1.0f / 12);
  w[4] = a * b * t * d * f * (-1.0f / 24);
  w[5] = a * b * t * d * e * (1.0f / 120);
}
SIMSCOPE_HD inline void lagrange(float t, float (&w)[4]) {
  const float b = t + 1, d = t - 1, e = t - 2;
  w[0] = t * d * e * (-1.0f / 6);
  w[1] = b * d * e * (1.0f / 2);
  w[2] = b * t * e * (-1.0f / 2);
  w[3] = b * t * d * (1.0f / 6);
}

// An intensity between the bins, from kTaps × kTaps of them. (u, v): bins from the centre.
struct Sampler {
  const float* plane;
  compute::Slab slab;
  // True: samples that begin in the rows of other ranks are 0, for the ranks' parts of a sum. False: they must lie in
  // the halo.
  bool own_alone = false;

  SIMSCOPE_HD bool counts(int row) const { return !own_alone || slab.owns(row); }
  SIMSCOPE_HD const float* line(int row) const { return plane + slab.at(0, row); }
  SIMSCOPE_HD int within(int at) const { return at < 0 ? 0 : at < slab.n ? at : slab.n - 1; }
  template <int kTaps>
  SIMSCOPE_HD float at(double u, double v) const {
    const int n = slab.n;
    const double x = u + n / 2, y = v + n / 2;
    if (!(x >= 0 && y >= 0 && x <= n - 1 && y <= n - 1)) return 0;
    const int column = static_cast<int>(x), row = static_cast<int>(y);
    if (!counts(row)) return 0;
    float across[kTaps], along[kTaps];
    lagrange(static_cast<float>(x - column), across);
    lagrange(static_cast<float>(y - row), along);
    const int left = column + 1 - kTaps / 2, bottom = row + 1 - kTaps / 2;
    const bool inside = left >= 0 && left + kTaps <= n;
    float sum = 0;
    for (int j = 0; j < kTaps; ++j) {
      const float* const values = line(within(bottom + j));
      float part = 0;
      if (inside) {
        for (int i = 0; i < kTaps; ++i) part += across[i] * values[left + i];
      } else {
        for (int i = 0; i < kTaps; ++i) part += across[i] * values[within(left + i)];
      }
      sum += along[j] * part;
    }
    return sum > 0 ? sum : 0;
  }
  SIMSCOPE_HD float nearest(double u, double v) const {
    const int n = slab.n;
    const double x = u + n / 2 + 0.5, y = v + n / 2 + 0.5;
    if (!(x >= 0 && y >= 0 && x < n && y < n)) return 0;
    const int row = static_cast<int>(y);
    return counts(row) ? line(row)[static_cast<int>(x)] : 0;
  }
};

// The mean intensity of an element of a region, of a pattern whose bins are 1/ratio of the region's apart.
struct Element {
  Sampler sampler;
  Region region;

  // Bins from the centre to the middle of an element's k-th part.
  SIMSCOPE_HD double middle(int element, int part) const {
    if (region.refine > 1) return -0.5 * region.bins - 0.5 + (element + 0.5) / region.refine;
    return element * region.reduce + part - region.bins / 2;
  }
  template <int kTaps>
  SIMSCOPE_HD float at(int x, int y, double ratio) const {
    if (region.reduce == 1) return sampler.at<kTaps>(ratio * middle(x, 0), ratio * middle(y, 0));
    float sum = 0;
    for (int j = 0; j < region.reduce; ++j) {
      for (int i = 0; i < region.reduce; ++i) sum += sampler.nearest(ratio * middle(x, i), ratio * middle(y, j));
    }
    return sum / static_cast<float>(region.reduce * region.reduce);
  }
};

}  // namespace simscope::diffraction
