// Results that are exact, or have many more digits than a run. Pure functions on the host; any thread.
#pragma once

#include <array>
#include <optional>

#include "sims/nbody/parameters.h"

namespace simscope::nbody {

using Place = std::array<double, 3>;

// The two bodies of Kepler's problem (see initial.h) at a time since the start.
std::array<Place, 2> keplerPlaces(double gravitational_constant, double time);
double keplerPeriod(double gravitational_constant);

// The three bodies of the figure-eight at a time since the start, from one period computed with steps small enough for
// 10⁻¹⁰, repeated periodically.
std::array<Place, 3> figureEightPlaces(double gravitational_constant, double time);
double figureEightPeriod(double gravitational_constant);  // 6.32591398 / √G

// The share of the mass within a radius, where a start has a known evolution: a Plummer sphere in equilibrium, and a
// cold homogeneous sphere, which stays homogeneous while it collapses (gravity) or expands (equal charges).
struct ExactProfile {
  enum class Kind { Plummer, Sphere } kind;
  double scale;  // Plummer's radius, or that of the sphere now
  double halfMassRadius() const;
};
// None for other starts, and none shortly before the cold sphere's shells meet.
std::optional<ExactProfile> exactProfile(const Parameters& parameters, double time);

}  // namespace simscope::nbody
