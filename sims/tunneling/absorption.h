// The absorbing edges of a run: which waves come to them, the layers fitted to these waves, and what the layers miss.
// Plain host functions, any thread.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "sims/absorbing/absorbing_layer.h"
#include "sims/tunneling/parameters.h"

namespace simscope::tunneling {

struct TypedPotential;  // typed_potential.h

// Waves that start where V is `height`; their shares sum up to 1.
struct StartingWaves {
  std::vector<absorbing::Wave> waves;
  double height = 0;
};
// Those of the packets of these parameters. V(x): at a sample. A second packet counts by its share of the probability.
using PotentialAt = std::function<double(double x)>;
std::vector<StartingWaves> startingWaves(const Parameters& p, const PotentialAt& potential);

// The waves that have the energy to come to the left and to the right edge, by their wave numbers there. Those that
// start less than a quarter as fast as the mean come late, if at all, and are left out.
using EdgeWaves = std::array<std::vector<absorbing::Wave>, 2>;
EdgeWaves edgeWaves(const Parameters& p, const std::vector<StartingWaves>& all, const PotentialAt& potential);

// The layer of either edge, the outer eighth of the domain: fitted to the mean wave number of the waves that come to
// one edge, whichever edge's or packet's leaves less of all of them. Absorbs nothing where no edges absorb.
absorbing::Layer layerOf(const Parameters& p, const PotentialAt& potential);
// What the layers miss of these waves, at the edge where that is more; 0 where no edges absorb.
double missedAtEdges(const Parameters& p, const absorbing::Layer& layer, const EdgeWaves& waves);

// The rate W(x) at which ψ decays [1/time].
double absorptionAt(const Parameters& p, const absorbing::Layer& layer, double x);

}  // namespace simscope::tunneling
