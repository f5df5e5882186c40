// Advice about parameters before a result goes wrong: what is exceeded, and the value of one parameter that cures it.
// Plain host function, any thread, cheap.
#pragma once

#include <vector>

#include "sims/core/description.h"
#include "sims/tunneling/parameters.h"
#include "sims/tunneling/typed_potential.h"

namespace simscope::tunneling {

// `edge_probability`: of being within 2 % of the domain's length of either edge, now. `energy_drift`: by how much the
// energy has changed since the start, NaN where it is unknown. `typed`: the typed potential of these parameters, or
// null; its energies count where the packet comes. Codes:
//   packet_outside_domain          the packet, or its path in the oscillator, does not fit between the edges
//   packet_touches_potential       it starts on the potential: reflection and transmission are not a scattering's
//   momentum_beyond_nyquist        its momenta (including the potential's contribution) exceed π/dx
//   potential_unresolved           a barrier, a gap, or a ripple of a typed V is only a few samples wide
//   potential_outside_domain       the potential is wider than the domain
//   time_step_potential            the potential's phase V₀Δt is too large for the splitting
//   time_step_kinetic              so is the packet's own kinetic phase k²Δt/2
//   splitting_feeds_high_momenta   the grid's highest kinetic phase exceeds 2π: jumps of V couple the packet to momenta
//                                  a full turn ahead; a note, and a warning once the energy is seen to change by 1 %
//   wrap_around                    probability reaches an edge that does not absorb
std::vector<Finding> findingsFor(const Parameters& p, double edge_probability, double energy_drift = 0,
                                 const TypedPotential* typed = nullptr);

}  // namespace simscope::tunneling
