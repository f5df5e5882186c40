// The ranges of the figure's axes, from the parameters alone, so that an animation does not flicker, and a window and a
// file agree. Plain host functions, any thread.
#pragma once

#include "sims/tunneling/parameters.h"
#include "sims/tunneling/typed_potential.h"

namespace simscope::tunneling {

struct DisplayRange {
  double low;
  double high;
};

// |ψ|²: from 0 to the maximum of the incoming wave plus its reflection, peak·(1 + √R)² with R = 1 - T; a little above
// the peak without reflection, more where waves build up between two barriers. `transmission_exact` is
// packetTransmission(p).
DisplayRange densityRange(const Parameters& p, double transmission_exact);
// Re ψ and Im ψ: the square root of the density's.
DisplayRange amplitudeRange(const Parameters& p, double transmission_exact);
// V, and ⟨H⟩ beside it: a round number above twice the packet's energy, so that a change of the barrier's height is
// visible, and whether the packet is above or below it; a higher one only where V would not fit. A typed V may exceed
// the figure beyond ten times the energy.
DisplayRange potentialRange(const Parameters& p, const TypedPotential* typed = nullptr);

}  // namespace simscope::tunneling
