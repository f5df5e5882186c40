// The ranges that colours and axes cover, from parameters and the packet's start alone: an animation does not flicker,
// and a window and a file agree. Plain host functions, any thread.
#pragma once

#include "sims/schrodinger2d/physics.h"

namespace simscope::schrodinger2d {

// |ψ| at full brightness. What is scattered is thinner than what came.
double brightestAmplitude(const Numbers& p, const Packet& start);
// The highest |ψ|² along the screen that its axis shows: of the packet as wide as it is on arrival there, or of what
// slits leave of it.
double screenHigh(const Numbers& p, const Packet& start);
// The highest ∫|ψ|²dy, above which what a wall throws back meets what still arrives.
double marginalHigh(const Numbers& p, const Packet& start);
// How many momenta along each side of the momentum view are shown, a power of two: enough for twice `largest`.
int momentaShown(const Grid& grid, double largest);

}  // namespace simscope::schrodinger2d
