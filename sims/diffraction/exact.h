// Patterns in closed form, for host and device. Lengths in metres.
//
// Far field, relative to the centre, with k = 2π/(λz):
//   circle    [2 J₁(v)/v]², v = k R r
//   annulus   the difference of two such amplitudes, the inner one scaled by its area
//   square, slit, double slit, grating   sinc²(w x/λz) · [sin(Nφ)/(N sin φ)]² · sinc²(2R y/λz), φ = π d x/(λz)
// Near field in Fresnel's approximation, relative to the incident wave: shapes that are products of x and y are
// products of ½ |Σ F(w₂) - F(w₁)|² over their openings, F = C + iS Fresnel's integrals, w = √(2/λz) (edge - x).
// Source: M. Born, E. Wolf, Principles of Optics, 7th ed. (1999), chapter VIII.
#pragma once

#include <cmath>

#include "sims/compute/complex.h"
#include "sims/compute/host_device.h"
#include "sims/diffraction/parameters.h"

namespace simscope::diffraction {

// Fresnel's integrals C(w) + i S(w) = ∫₀ʷ exp(iπt²/2) dt: the power series near 0, else the continued fraction of the
// complementary error function (M. Abramowitz, I. Stegun, Handbook of Mathematical Functions, 7.1.14 and 7.3.22).
SIMSCOPE_HD inline compute::Complex<double> fresnelIntegral(double w) {
  using C = compute::Complex<double>;
  constexpr double kPi = 3.14159265358979324;
  const double x = w < 0 ? -w : w;
  C f;
  if (x < 1.8) {
    // Σ (iπ/2)ⁿ x²ⁿ⁺¹ / (n! (2n+1))
    C term{x, 0};
    f = term;
    const double step = 0.5 * kPi * x * x;
    for (int n = 1; n < 40; ++n) {
      term = C{-term.im * step / n, term.re * step / n};
      f = f + (1.0 / (2 * n + 1)) * term;
    }
  } else {
    // erfc z = exp(-z²)/√π · 1/(z + ½/(z + 1/(z + 3/2/(z + …)))) with z = ½√π (1 - i) x
    const double s = 0.88622692545275801 * x;
    const C z{s, -s};
    C tail = z;
    const int terms = 12 + static_cast<int>(260 / (x * x));
    for (int n = terms; n >= 1; --n) {
      const double size = norm2(tail);
      tail = z + (0.5 * n / size) * conj(tail);
    }
    const double turn = 0.5 * kPi * (x * x - 4 * floor(x * x / 4));
    const C wave{cos(turn), sin(turn)};
    const C complement = (0.56418958354775629 / norm2(tail)) * (wave * conj(tail));
    f = C{0.5, 0.5} * C{1 - complement.re, -complement.im};
  }
  return w < 0 ? C{-f.re, -f.im} : f;
}

// J₁(v)/v
SIMSCOPE_HD inline double jinc(double v) {
  return v * v < 1e-8 ? 0.5 : ::j1(v) / v;
}
SIMSCOPE_HD inline double sinc(double turns) {
  const double at = 3.14159265358979324 * turns;
  return at * at < 1e-12 ? 1 : sin(at) / at;
}

struct ExactPattern {
  bool known = false;
  bool near = false;
  Aperture kind = Aperture::Circle;
  double radius = 0, inner = 0, width = 0, separation = 0;
  int slits = 1;
  double depth = 1;  // λz [m²]

  SIMSCOPE_HD double grating(double x) const {
    const double phase = 3.14159265358979324 * separation * x / depth, under = sin(phase);
    const double ratio = under * under < 1e-16 ? 1 : sin(slits * phase) / (slits * under);
    return ratio * ratio;
  }
  SIMSCOPE_HD double openings(double at, int count, double width_of_one) const {
    const double scale = sqrt(2 / depth);
    compute::Complex<double> sum{0, 0};
    for (int k = 0; k < count; ++k) {
      const double middle = (k - 0.5 * (count - 1)) * separation - at;
      sum = sum + fresnelIntegral(scale * (middle + 0.5 * width_of_one)) -
            fresnelIntegral(scale * (middle - 0.5 * width_of_one));
    }
    return 0.5 * norm2(sum);
  }

  // The intensity at (x, y).
  SIMSCOPE_HD double at(double x, double y) const {
    if (near) return openings(x, slits, width) * openings(y, 1, 2 * radius);
    const double r = sqrt(x * x + y * y), k = 2 * 3.14159265358979324 / depth;
    if (kind == Aperture::Circle || kind == Aperture::Annulus) {
      const double outer2 = radius * radius, inner2 = inner * inner;
      const double amplitude = 2 * (outer2 * jinc(k * radius * r) - inner2 * jinc(k * inner * r)) / (outer2 - inner2);
      return amplitude * amplitude;
    }
    const double across = sinc(width * x / depth), along = sinc(2 * radius * y / depth);
    return across * across * along * along * grating(x);
  }
};

// The exact pattern of these parameters; `known` is false where there is no formula, where the window cuts the aperture
// or its slits touch, or where the angular spectrum of slits is not paraxial.
ExactPattern exactPattern(const Parameters& parameters);

// The distance from the centre along x at which the exact far field first vanishes; NaN where it is not known. Circle:
// 1.22 λz/D.
double exactDarkRing(const Parameters& parameters);

}  // namespace simscope::diffraction
