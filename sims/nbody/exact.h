// What is known exactly, or to many more digits than a run has. Pure functions on the host; any thread.
#pragma once

#include <array>
#include <optional>

#include "sims/nbody/parameters.h"

namespace simscope::nbody {

using Place = std::array<double, 3>;

// The two bodies of Kepler's problem (see initial.h) at a time since the start.
std::array<Place, 2> keplerPlaces(double gravitational_constant, double time);
double keplerPeriod(double gravitational_constant);

// The three bodies of the figure-eight at a time since the start, from one period found with steps so small that
// 10⁻¹⁰ is right, repeated periodically.
std::array<Place, 3> figureEightPlaces(double gravitational_constant, double time);
double figureEightPeriod(double gravitational_constant);  // 6.32591398 / √G

// The share of the mass within a radius, where a start has a known course: a Plummer sphere in equilibrium, and a cold
// homogeneous sphere, which keeps its shape while it falls together (gravity) or flies apart (equal charges).
struct ExactProfile {
  enum class Kind { Plummer, Sphere } kind;
  double scale;  // Plummer's radius, or that of the sphere now
  double halfMassRadius() const;
};
// None for other starts, and none shortly before the cold sphere's shells meet.
std::optional<ExactProfile> exactProfile(const Parameters& parameters, double time);

}  // namespace simscope::nbody
