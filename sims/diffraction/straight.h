// The spectrum of apertures that consist of bars along the axes, in closed form.
//
// Waves steeper than λ/2dx are not in it: it is that of the ideal shape, band-limited. The transform of transmissions
// by cells would fold them back onto those that the cells hold, as much at the end of the band as is there.
//
// A bar from a to b has the spectrum exp(-2πi f (a + b)/2) sin(π f (b - a))/(π f) along an axis (R. N. Bracewell, The
// Fourier Transform and Its Applications, 3rd ed. (2000), chapter 6). Frequencies are 1/side a cell, in the order of a
// transform; the origin is the plane's first cell, as NearField has the aperture in that corner.
#pragma once

#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/complex.h"
#include "sims/diffraction/shape.h"

namespace simscope::diffraction {

struct Interval {
  double low, high;  // [cells from the middle]
};
// All pairs of an interval along x and one along y.
struct Bars {
  std::vector<Interval> x, y;
};
// Within the window, and apart from each other. Empty: the shape does not consist of bars.
std::vector<Bars> barsOf(const Shape& shape);

// For each of `bars`, `side` factors along x and then `side` along y.
std::vector<compute::Complex<float>> factorsOf(const std::vector<Bars>& bars, int n, int side);

// For host and device.
struct StraightSpectrum {
  const compute::Complex<float>* factors = nullptr;  // null: there is none
  int count = 0, side = 0;
  SIMSCOPE_HD compute::Complex<float> operator()(int column, int row) const {
    compute::Complex<float> sum{0, 0};
    for (int i = 0; i < count; ++i) {
      const compute::Complex<float>* const along_x = factors + static_cast<std::size_t>(2 * i) * side;
      sum = sum + along_x[column] * along_x[side + row];
    }
    return sum;
  }
};

}  // namespace simscope::diffraction
