// Advice about parameters before a result goes wrong: what is exceeded, and the value of one parameter that cures it.
// Plain host function, any thread, cheap.
#pragma once

#include <vector>

#include "sims/core/description.h"
#include "sims/schrodinger2d/parameters.h"
#include "sims/schrodinger2d/propagation/operations.h"

namespace simscope::schrodinger2d {

// Measured values of the run, besides its parameters.
struct Measured {
  Range potential{0, 0};        // of V with its walls
  double start_potential = 0;   // V where the packet starts
  double second_potential = 0;  // V where the parameters' second packet starts
  double edge_probability = 0;  // of being within 2 % of the domain's length of an edge, now
  bool walls = false;           // whether there are drawn ones
};

// Codes, each once; of two packets the first one that has it:
//   packet_outside_domain          a packet, or its path in the oscillator, does not fit into the domain
//   packet_touches_potential       (note) it starts on the potential: its reflection is not a scattering's
//   momentum_beyond_nyquist        its momenta (including the potential's contribution) exceed π/dx
//   potential_unresolved           (note) a wall, slit, or core is only a few samples wide
//   potential_outside_domain       the potential is wider than the domain
//   time_step_potential            the potential's phase VΔt is too large for the splitting
//   time_step_kinetic              so is the packet's own kinetic phase k²Δt/2
//   splitting_feeds_high_momenta   (note) the grid's highest kinetic phase exceeds π: jumps of V couple to aliases
//   wrap_around                    probability reaches an edge that does not absorb
//   screen_outside_domain          (note) the screen is beyond the edge
std::vector<Finding> findingsFor(const Parameters& p, const Measured& measured);

}  // namespace simscope::schrodinger2d
