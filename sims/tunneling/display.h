// The ranges that the figure's axes cover, from the parameters alone: an animation does not flicker, and a window and a
// file agree. Plain host functions, any thread.
#pragma once

#include "sims/tunneling/parameters.h"
#include "sims/tunneling/typed_potential.h"

namespace simscope::tunneling {

struct DisplayRange {
  double low;
  double high;
};

// |ψ|²: from 0 to what the incoming wave and its reflection reach together, peak·(1 + √R)² with R = 1 - T; a little
// above the peak where nothing reflects, more where waves build up between two barriers. `transmission_exact` is
// packetTransmission(p).
DisplayRange densityRange(const Parameters& p, double transmission_exact);
// Re ψ and Im ψ: the square root of the density's.
DisplayRange amplitudeRange(const Parameters& p, double transmission_exact);
// V, and ⟨H⟩ beside it: a round number above twice the packet's energy, so that a barrier moves with its height and
// shows whether the packet is above it or below; a higher one only where V would not fit. A typed V may leave the
// figure beyond ten times the energy.
DisplayRange potentialRange(const Parameters& p, const TypedPotential* typed = nullptr);

}  // namespace simscope::tunneling
