// Systems of a few given bodies: Kepler's two, the figure eight, the Pythagorean problem, the solar
// system. Plain host data; any thread.
#pragma once

#include <vector>

#include "sims/nbody/parameters.h"

namespace simscope::nbody {

// A start given body by body, on the host.
struct BodyState {
  double x[3], v[3];
  double mass, charge;
  int group;
};
// Where isFixedSystem(parameters.initial).
std::vector<BodyState> fixedSystem(const Parameters& parameters);

// The two bodies of Kepler's problem: semi-major axis 1, starting at the pericentre on the x-axis.
inline constexpr double kEccentricity = 0.6;
inline constexpr double kKeplerMasses[2] = {0.75, 0.25};

}  // namespace simscope::nbody
