// How a run starts: places, velocities, masses, charges, and groups of all bodies.
//
// The total mass is 1 (that of the figure-eight 3, of the Pythagorean problem 12, of the solar system the Sun's and the
// planets'), the centre of mass rests at the origin, and
// velocities follow from the gravitational constant, so that orbits are the same curves for any constant. Charges have
// the size of the masses: equal signs in a cold sphere, opposite ones between a centre and its satellites, else mixed
// evenly. Parameters and seed determine everything.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sims/nbody/bodies.h"
#include "sims/nbody/parameters.h"

namespace simscope::nbody {

// The number of bodies: `bodies`, or that of a fixed system.
int bodyCount(const Parameters& parameters);
// Half the edge of the cube around the origin that shows the run.
double halfEdge(const Parameters& parameters);
// The drawn size of a body of usual mass: planets are small compared with their distances.
double usualSize(const Parameters& parameters);
// The number of groups of bodies, numbered from 0: two or more.
int groupCount(const Parameters& parameters);
// Their names, one each.
std::vector<std::string> groupNames(const Parameters& parameters);
bool groupedByCharge(const Parameters& parameters);  // negative, positive; otherwise by place
// The duration of a trail, in time.
double trailDuration(const Parameters& parameters);

// bodies.count() must be bodyCount(parameters). Enqueued, except for waits while the centre of mass is computed.
void makeInitial(compute::Device& device, const Parameters& parameters, std::uint64_t seed, Bodies& bodies);

inline bool isFixedSystem(Initial initial) {
  return initial == Initial::Kepler || initial == Initial::FigureEight || initial == Initial::Pythagorean ||
         initial == Initial::SolarSystem;
}

inline constexpr double kSphereRadius = 1;  // of the cold sphere
inline constexpr double kPlummerRadius = 1;

}  // namespace simscope::nbody
