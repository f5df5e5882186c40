// Positions and velocities of the discs at the start: far from equilibrium, or in it. Made on the host, so that both
// backends begin with the same bits.
#pragma once

#include <cstdint>
#include <vector>

#include "sims/maxwell_boltzmann/discs.h"

namespace simscope::maxwell_boltzmann {

// ParameterError where the discs are more than kMostDiscs, or do not fit into the box.
void requireRoom(const Parameters& parameters);
// Near the sites of a lattice of triangles, no two closer than a diameter; kinetic energy N k T, no momentum. The discs
// must have room.
std::vector<Disc> startingDiscs(const Parameters& parameters, std::uint64_t seed);

}  // namespace simscope::maxwell_boltzmann
