// Measurements of a particle from its recorded past, on the host. Any thread.
#pragma once

#include <vector>

#include "sims/lorentz/parameters.h"

namespace simscope::lorentz {

struct Sample {
  double time;
  double x[3], u[3];
};

// NaN where the past is too short, or where a value has no meaning.
struct Measured {
  double turn_rate;         // of the velocity about B, in the frame that drifts with E×B [radians/time]
  double radius;            // of the circle through three of its places
  double bounce_period;     // between passages of the guiding centre through z = 0 in the same direction, if trapped
  double longitude_rate;    // of the guiding centre, between such passages [radians/time]
  double banana_width;      // between the passages outside R₀ in either direction
  double moment_variation;  // (largest − smallest)/mean of μ
  double moment_drift;      // mean of the later half over that of the earlier one, less 1
};
// Of a particle of charge +1; oldest sample first.
Measured measureOrbit(const Parameters& parameters, const std::vector<Sample>& past);

}  // namespace simscope::lorentz
