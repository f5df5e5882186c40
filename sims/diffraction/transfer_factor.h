// The factors of a wave's propagation, by frequency or by cell. For host and device.
#pragma once

#include <cmath>

#include "sims/diffraction/near_field.h"

namespace simscope::diffraction {

// exp(2πi turns); whole turns, of any number, are dropped in double precision.
SIMSCOPE_HD inline compute::Complex<float> phasor(double turns) {
  constexpr double kTwoPi = 6.28318530717958648;
  const auto angle = static_cast<float>(kTwoPi * (turns - rint(turns)));
  return {cosf(angle), sinf(angle)};
}

// Signs that alternate from cell to cell move a transform's origin to the middle, before and after.
SIMSCOPE_HD inline float checkered(int x, int y) {
  return (x + y) % 2 == 0 ? 1.0f : -1.0f;
}

// For a plane of side × side, in the order of its transform: 1/sinc of each frequency along one axis converts the
// spectrum of means over cells to that of the values.
struct CellMeans {
  int side;
  SIMSCOPE_HD double share(int at) const {
    const double turns = 3.14159265358979324 * (at < side / 2 ? at : at - side) / side;
    return turns == 0 ? 1 : sin(turns) / turns;
  }
  SIMSCOPE_HD float operator()(int column, int row) const {
    return static_cast<float>(1 / (share(column) * share(row)));
  }
};

// The transfer function, for the frequencies ≥ 0: up to half of the side. It does not depend on the signs.
struct TransferFactor {
  Transfer::Kind kind;
  double step;             // of frequency, times the wavelength: direction cosines
  double over_wavelength;  // z/λ
  double limit;            // of the direction cosines along an axis
  float scale;             // of a transform there and back

  SIMSCOPE_HD compute::Complex<float> phase(int column, int row) const {
    const double a = step * column, b = step * row, sine2 = a * a + b * b;
    if (kind == Transfer::Kind::FresnelTransfer) return phasor(-0.5 * over_wavelength * sine2);
    const double a2 = a * a, b2 = b * b, limit2 = limit * limit;
    if (a2 + b2 * limit2 > limit2 || b2 + a2 * limit2 > limit2) return {0, 0};
    return phasor(-over_wavelength * sine2 / (1 + sqrt(sine2 < 1 ? 1 - sine2 : 0.0)));
  }
  SIMSCOPE_HD compute::Complex<float> operator()(int column, int row) const { return scale * phase(column, row); }
};
inline TransferFactor factorOf(const Transfer& t, int side) {
  const double window = side * t.cell, steepness = 2 * t.distance / window;
  return {t.kind, t.wavelength / window, t.distance / t.wavelength, 1 / std::sqrt(steepness * steepness + 1),
          static_cast<float>(1.0 / (static_cast<double>(side) * side))};
}
inline constexpr std::size_t kPhaseGrain = 2048;  // elements, one phase each

// The contribution of a cell to a field in one transform.
struct Chirp {
  int n;
  double turns;  // of the quadratic phase, one cell from the middle
  float scale;
  SIMSCOPE_HD compute::Complex<float> operator()(int column, int row, float transmission) const {
    if (transmission == 0) return {0, 0};
    const double x = column - n / 2, y = row - n / 2;
    return (scale * transmission * checkered(column, row)) * phasor(turns * (x * x + y * y));
  }
};
inline Chirp chirpOf(const Transfer& t) {
  const double depth = t.wavelength * t.distance;
  return {t.n, t.cell * t.cell / (2 * depth), static_cast<float>(t.cell * t.cell / depth)};
}

}  // namespace simscope::diffraction
