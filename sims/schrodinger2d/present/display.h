// The ranges of colours and axes, from parameters and the packets' starts alone, so that an animation does not flicker,
// and a window and a file agree. Plain host functions, any thread.
#pragma once

#include "sims/schrodinger2d/packets.h"

namespace simscope::schrodinger2d {

// |ψ| at full brightness. A scattered wave is weaker than the incoming one; separate packets are weaker than a single
// one, and their interference maxima exceed this.
double brightestAmplitude(const Numbers& p, const Packets& packets);
// The highest |ψ|² along the screen that its axis shows: that of packets with their width on arrival, or of their waves
// after the slits.
double screenHigh(const Numbers& p, const Packets& packets);
// The highest ∫|ψ|²dy; only the interference of a reflected with the incoming wave exceeds it.
double marginalHigh(const Numbers& p, const Packets& packets);
// How many momenta along each side of the momentum view are shown, a power of two: enough for twice `largest`.
int momentaShown(const Grid& grid, double largest);

}  // namespace simscope::schrodinger2d
