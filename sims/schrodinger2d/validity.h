// Advice before a result goes wrong: what is exceeded, and the value of one parameter that cures it. It looks at what
// is there: the packets that are on their way, the momenta of ψ, and V as it stands on the grid, walls included. Plain
// host functions, any thread, cheap.
#pragma once

#include <limits>
#include <vector>

#include "sims/core/description.h"
#include "sims/schrodinger2d/absorbing.h"
#include "sims/schrodinger2d/packets.h"
#include "sims/schrodinger2d/parameters.h"
#include "sims/schrodinger2d/propagation/operations.h"

namespace simscope::schrodinger2d {

// A packet that is on its way.
struct Begun {
  Packet packet;
  const PacketKeys* keys = nullptr;  // of the parameters that it began with; null: the mouse launched it
  double potential = 0;              // V where it began
};
// Those with which a run of these parameters begins, where V is 0.
std::vector<Begun> begunBy(const Numbers& p);
// These, and which of them are the parameters' own.
std::vector<Begun> begunAs(const Numbers& p, const Packets& packets);
// The least kinetic energy of a packet; 0 where none is known.
double leastEnergy(const std::vector<Begun>& begun);

// A jump of V by this share of a packet's kinetic energy E reflects some (ΔV/4E)² = 6e-4 of it; less does not count.
inline constexpr double kJumpShare = 0.1;
// Of a wall or gap so high, beside E, it matters that the grid blurs it: its mean is kept.
inline constexpr double kFeatureShare = 0.5;

// Measured values of the run, besides its parameters.
struct Measured {
  std::vector<Begun> begun;     // empty where nothing is known of the past of ψ
  Range potential{0, 0};        // of V with its walls
  double edge_probability = 0;  // of being within 2 % of the domain's length of an edge, now
  bool walls = false;           // whether there are drawn ones
  bool jumps = false;           // whether a typed V jumps
  // The narrowest wall or gap of V where V is a table or has drawn walls [length].
  double narrowest = std::numeric_limits<double>::infinity();
  // The largest |ψ|² beside a jump of such a V, by the peak of |ψ|², when the packet or the wall was new.
  double touching = 0;
  double fastest = 0;     // of ψ now: √(⟨k²⟩ + 3 standard deviations of k²)
  double near_limit = 0;  // probability of momenta of ψ, now, within a tenth of the grid's limit
  double layer = 0;       // width of an absorbing layer
  double missed = 0;      // share of a packet that it does not take
  // A domain's length whose layers take it, where `missed` is more than kMostMissed.
  double absorbing_length = std::numeric_limits<double>::infinity();
};

// Codes, each once; of several packets the first one that has it:
//   packet_outside_domain          a packet, or its path in the oscillator, does not fit into the domain
//   packet_touches_potential       (note) it starts on the potential: its reflection is not a scattering's
//   momentum_beyond_nyquist        its momenta (including the potential's contribution) exceed π/dx, or ψ comes near it
//   potential_unresolved           (note) a wall, slit, or core is only a few samples wide
//   potential_outside_domain       the potential is wider than the domain
//   time_step_potential            the potential's phase VΔt is too large for the splitting
//   time_step_kinetic              so is the kinetic phase k²Δt/2 of a packet, or of ψ now
//   splitting_feeds_high_momenta   (note) the grid's highest kinetic phase exceeds π: jumps of V couple to aliases
//   absorbing_edges_reflect        the absorbing edges send more than 1e-3 of a packet back
//   wrap_around                    probability reaches an edge that does not absorb
//   screen_outside_domain          (note) the screen is beyond the edge
std::vector<Finding> findingsFor(const Parameters& p, const Measured& measured);

}  // namespace simscope::schrodinger2d
