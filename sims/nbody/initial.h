// How a run starts: places, velocities, masses, charges, and groups of all bodies.
//
// The total mass is 1 (the solar system's is the Sun's and the planets'), the centre of mass rests at the origin, and
// velocities follow from the gravitational constant, so that orbits are the same curves for any of it. Charges are as
// large as the masses: equal signs in a cold sphere, opposite ones between a centre and what orbits it, else mixed
// evenly. Parameters and seed decide everything.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sims/nbody/bodies.h"
#include "sims/nbody/parameters.h"

namespace simscope::nbody {

// Bodies that a start has: `bodies`, or the number of a fixed system.
int bodyCount(const Parameters& parameters);
// Half the edge of the cube around the origin that shows the run.
double halfEdge(const Parameters& parameters);
// Of a body of usual mass, as points are drawn: planets are small beside their distances.
double usualSize(const Parameters& parameters);
// Groups that the bodies are numbered into, from 0: two or more.
int groupCount(const Parameters& parameters);
// What people call them, one each.
std::vector<std::string> groupNames(const Parameters& parameters);
bool groupedByCharge(const Parameters& parameters);  // negative, positive; otherwise by place
// How long a trail should be, in time.
double trailDuration(const Parameters& parameters);

// bodies.count() must be bodyCount(parameters). Enqueued, but for waits while the centre of mass is found.
void makeInitial(compute::Device& device, const Parameters& parameters, std::uint64_t seed, Bodies& bodies);

inline bool isFixedSystem(Initial initial) {
  return initial == Initial::Kepler || initial == Initial::FigureEight || initial == Initial::SolarSystem;
}

inline constexpr double kSphereRadius = 1;  // of the cold sphere
inline constexpr double kPlummerRadius = 1;

}  // namespace simscope::nbody
