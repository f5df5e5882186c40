// The ranges that colours and axes cover, from parameters and the packets' starts alone: an animation does not flicker,
// and a window and a file agree. Plain host functions, any thread.
#pragma once

#include "sims/schrodinger2d/packets.h"

namespace simscope::schrodinger2d {

// |ψ| at full brightness. What is scattered is thinner than what came; packets that lie apart are thinner than
// one, and crests where they meet go beyond.
double brightestAmplitude(const Numbers& p, const Packets& packets);
// The highest |ψ|² along the screen that its axis shows: of packets as wide as they are on arrival there, or of what
// slits leave of them.
double screenHigh(const Numbers& p, const Packets& packets);
// The highest ∫|ψ|²dy, above which what a wall throws back meets what still arrives.
double marginalHigh(const Numbers& p, const Packets& packets);
// How many momenta along each side of the momentum view are shown, a power of two: enough for twice `largest`.
int momentaShown(const Grid& grid, double largest);

}  // namespace simscope::schrodinger2d
