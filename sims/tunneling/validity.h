// Advice about parameters before a result goes wrong: what is exceeded, and the value of one parameter that cures it.
// Plain host function, any thread, cheap.
#pragma once

#include <optional>
#include <vector>

#include "sims/core/description.h"
#include "sims/tunneling/parameters.h"
#include "sims/tunneling/spectrum.h"
#include "sims/tunneling/typed_potential.h"

namespace simscope::tunneling {

// What the edges miss of the waves that come to them (absorption.h), and the shortest domain whose edges miss less than
// 0.1 %, or 0.
struct EdgeAdvice {
  double missed = 0, length = 0;
};
EdgeAdvice edgeAdvice(const Parameters& p, const Kicked* kicked, const TypedPotential* typed);

// What is known of the state besides the parameters.
struct Observed {
  double edge_probability = 0;  // of being within 2 % of the domain's length of either edge
  double energy_drift = 0;      // by how much the energy has changed since the start, NaN where it is unknown
  double norm_drift = 0;        // by how much norm and absorbed probability have changed
  double next_to_nyquist = 0;   // share of the momenta beyond 7/8 π/dx, now or after a kick
  std::optional<Kicked> kicked = std::nullopt;     // by the last kick
  std::optional<EdgeAdvice> edges = std::nullopt;  // as edgeAdvice() says; computed where it is missing
  bool met_another_potential = false;              // the potential changed after waves had met it
  double exact_excess = 0;                         // PacketTransmission::excess
  double transmission_off = 0;                     // what was transmitted, less the exact value; 0 before it settles
};

// Whether the packets have met the potential, all but their momenta beyond three standard deviations, and nothing has
// come around a domain whose edges do not absorb.
bool haveMet(const Parameters& p, double time, const TypedPotential* typed);
inline constexpr double kTransmissionError = 6e-3;  // what the description promises

// `typed`: the typed potential of these parameters, or null; its energies count where the packet comes. Codes:
//   packet_outside_domain          the packet, or its path in the oscillator, does not fit between the edges
//   packet_touches_potential       it starts on the potential: reflection and transmission are not a scattering's
//   momentum_beyond_nyquist        its momenta (including the potential's contribution) exceed π/dx, or the state's do
//   potential_unresolved           a barrier, a gap, or a ripple of a typed V is only a few samples wide
//   potential_outside_domain       the potential is wider than the domain
//   time_step_potential            the potential's phase V₀Δt is too large for the splitting
//   time_step_kinetic              so is the packet's own kinetic phase k²Δt/2, after a kick the state's
//   splitting_feeds_high_momenta   the grid's highest kinetic phase exceeds 2π: jumps of V couple the packet to momenta
//                                  a full turn ahead; a note, and a warning once the energy is seen to change by 1 %
//   energy_changed                 the energy has changed by 1 %, by an earlier time step
//   norm_drifts                    single precision has changed the norm by 5e-4
//   wrap_around                    probability reaches an edge that does not absorb
//   edges_reflect                  absorbing edges miss 0.1 % or more of the waves that come to them
//   met_another_potential          the exact transmission is not that of the waves that met the former potential
//   exact_takes_too_long           the exact transmission has no value
//   transmission_off               it is missed by more than promised, and nothing above says why
std::vector<Finding> findingsFor(const Parameters& p, const Observed& seen = {}, const TypedPotential* typed = nullptr);

}  // namespace simscope::tunneling
