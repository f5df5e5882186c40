// The absorbing edges of the plane: ψ decays there at the rate W(x) + W(y) [1/time], W that of sims/absorbing.
//
// A layer is a tenth of the domain wide and fitted to the wave of the fastest packet. Where it would miss more than
// 1e-4 of a packet, which happens to waves that are long beside it, it is fitted to what comes to it, and widened as
// far as packets and shapes leave room, to a fifth of the domain at most. Plain host functions, any thread. ħ = m = 1.
#pragma once

#include <cmath>
#include <vector>

#include "sims/absorbing/absorbing_layer.h"
#include "sims/schrodinger2d/parameters.h"

namespace simscope::schrodinger2d {

struct Begun;

// The waves of a packet that come to an edge, across it; their shares are of the packet's probability.
using Outgoing = std::vector<absorbing::Wave>;

// width 0: the edges do not absorb.
absorbing::Layer layerFor(const Numbers& p, const std::vector<Begun>& begun, const std::vector<Outgoing>& outgoing);

// W at a place of an axis from -length/2 to length/2.
double absorptionAt(const absorbing::Layer& layer, double x, double length);

// The largest share of a packet that the layer does not take: reflected, or let through to the other side. Where it is
// more than `enough`, any number above that.
double missedOf(const absorbing::Layer& layer, const std::vector<Outgoing>& outgoing, double enough = HUGE_VAL);

// More than this of a packet shows in what is transmitted and reflected.
inline constexpr double kMostMissed = 1e-3;
// The length of a domain whose layers miss less; infinite where a tenfold one would not do.
double lengthThatAbsorbs(Numbers p, const std::vector<Begun>& begun, const std::vector<Outgoing>& outgoing);

}  // namespace simscope::schrodinger2d
