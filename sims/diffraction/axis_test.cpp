// The middle of a disc's pattern against Rayleigh and Sommerfeld's integral, on every device.
//
// Of a plane wave behind a disc of radius a, the first one of these integrals is elementary on the axis: the incident
// wave less that from the rim, U = exp(ikz) - (z/d) exp(ikd) with d = √(z² + a²) (E. W. Marchand, E. Wolf, J. Opt. Soc.
// Am. 52 (1962) 761; H. Osterberg, L. W. Smith, J. Opt. Soc. Am. 51 (1961) 1050).
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sims/compute/test_devices.h"
#include "sims/diffraction/testing.h"

namespace simscope::diffraction {
namespace {

using tests::Changes;
using tests::Session;

double rayleighSommerfeld(const Parameters& p) {
  const double a = p.metres(p.aperture_radius), z = p.distance, d = std::hypot(z, a);
  return 1 + z * z / (d * d) - 2 * z / d * std::cos(2 * M_PI * (d - z) / p.wavelength);
}

class Axis : public compute::OnEveryDevice {
 protected:
  struct Seen {
    double measured, exact;
    bool warned;
    // Of the brightest that the axis can be.
    double off() const { return std::abs(measured - exact) / 4; }
  };
  Seen at(double radius, double half_width, double distance, int n) {
    const Changes changes{{"propagation", "angular_spectrum"},
                          {"grid_points", std::to_string(n)},
                          {"half_width", std::to_string(half_width)},
                          {"aperture_radius", std::to_string(radius)},
                          {"distance", std::to_string(distance)}};
    Session run(changes, device_);
    bool warned = false;
    for (const Finding& finding : run.findings()) warned = warned || finding.level == Finding::Level::Warning;
    return {run.diagnostic(kCentralIntensity), rayleighSommerfeld(tests::parametersWith(changes)), warned};
  }
};
SIMSCOPE_ON_EVERY_DEVICE(Axis);

TEST_P(Axis, SteepWavesNeedTheGridThatTheWarningNames) {
  const Seen coarse = at(0.6, 1e-3, 3.3e-3, 1024), fine = at(0.6, 1e-3, 3.3e-3, 2048);
  EXPECT_NEAR(coarse.exact, 3.90, 0.005);
  EXPECT_GT(coarse.off(), 0.2);
  EXPECT_TRUE(coarse.warned);
  EXPECT_LT(fine.off(), 0.003);
  EXPECT_FALSE(fine.warned);
}

TEST_P(Axis, TheBandCostsNothingThatIsSeen) {
  const Seen seen = at(0.4, 5e-4, 0.08, 512);
  EXPECT_FALSE(seen.warned);
  EXPECT_LT(std::abs(seen.measured - seen.exact), 0.005 * seen.exact);
}

// Near and far, small and large discs: what is off by more than 1.5 % of the brightest is warned of.
TEST_P(Axis, WhatIsNotWarnedOfIsRight) {
  int warned = 0, silent = 0;
  for (const double radius : {0.1, 0.25, 0.5, 0.8}) {
    for (double distance = 5e-4; distance < 1.5; distance *= 1.73) {
      const Seen seen = at(radius, 1e-3, distance, 256);
      ++(seen.warned ? warned : silent);
      if (seen.warned) continue;
      EXPECT_LT(seen.off(), 0.015) << radius << " at " << distance << ": " << seen.measured << ", " << seen.exact;
    }
  }
  EXPECT_GT(silent, 12);
  EXPECT_GT(warned, 12);
}

}  // namespace
}  // namespace simscope::diffraction
