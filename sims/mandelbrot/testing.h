// Helpers of the simulation's tests: orbits and periods in arbitrary precision, straight from the definition.
#pragma once

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sims/core/testing/testing.h"
#include "sims/core/timeline/stepper.h"
#include "sims/mandelbrot/mandelbrot.h"

namespace simscope::mandelbrot {

using tests::Changes;

inline ParameterSet with(const Changes& changes) {
  return tests::changed(description().defaults(), changes);
}
inline Stepper runOf(const Changes& changes, compute::DevicePtr device = tests::cpu()) {
  return Stepper(description(), std::move(device), with(changes), 1);
}
inline std::vector<int> countsOf(Stepper& run) {
  return valuesOf<int>(*run.save().find("count"));
}
inline double diagnostic(Stepper& run, const char* key) {
  return run.diagnostics()[description().diagnosticIndex(key)];
}

struct Precise {
  int count;          // of the first |z| > 256; 0: none up to the limit
  double magnitude;   // |z| at the end
  double derivative;  // |dz/dc| there
};
// z ← z² + c for c = centre + offset, by MPFR.
inline Precise preciseOrbit(const std::string& x, const std::string& y, double offset_x, double offset_y, int bits,
                            int most) {
  mpfr_t cx, cy, zx, zy, dx, dy, xx, yy, xy, t, u;
  mpfr_ptr all[] = {cx, cy, zx, zy, dx, dy, xx, yy, xy, t, u};
  for (mpfr_ptr each : all) mpfr_init2(each, bits), mpfr_set_zero(each, 1);
  mpfr_set_str(cx, x.c_str(), 10, MPFR_RNDN);
  mpfr_set_str(cy, y.c_str(), 10, MPFR_RNDN);
  mpfr_add_d(cx, cx, offset_x, MPFR_RNDN);
  mpfr_add_d(cy, cy, offset_y, MPFR_RNDN);
  Precise result{0, 0, 0};
  for (int n = 1; n <= most; ++n) {
    mpfr_mul(t, zx, dx, MPFR_RNDN);
    mpfr_mul(u, zy, dy, MPFR_RNDN);
    mpfr_sub(t, t, u, MPFR_RNDN);
    mpfr_mul(u, zx, dy, MPFR_RNDN);
    mpfr_fma(u, zy, dx, u, MPFR_RNDN);
    mpfr_mul_ui(dx, t, 2, MPFR_RNDN);
    mpfr_add_ui(dx, dx, 1, MPFR_RNDN);
    mpfr_mul_ui(dy, u, 2, MPFR_RNDN);
    mpfr_sqr(xx, zx, MPFR_RNDN);
    mpfr_sqr(yy, zy, MPFR_RNDN);
    mpfr_mul(xy, zx, zy, MPFR_RNDN);
    mpfr_sub(zx, xx, yy, MPFR_RNDN);
    mpfr_add(zx, zx, cx, MPFR_RNDN);
    mpfr_mul_ui(zy, xy, 2, MPFR_RNDN);
    mpfr_add(zy, zy, cy, MPFR_RNDN);
    mpfr_hypot(t, zx, zy, MPFR_RNDN);
    if (mpfr_cmp_ui(t, 256) <= 0) continue;
    result.count = n;
    break;
  }
  mpfr_hypot(t, zx, zy, MPFR_RNDN);
  result.magnitude = mpfr_get_d(t, MPFR_RNDN);
  mpfr_hypot(t, dx, dy, MPFR_RNDN);
  result.derivative = mpfr_get_d(t, MPFR_RNDN);
  for (mpfr_ptr each : all) mpfr_clear(each);
  return result;
}

}  // namespace simscope::mandelbrot
