// A potential typed as a formula of x, read by sims/formula, as the grid has it, and what is told of it: where it
// begins and ends, its jumps, and the pieces that plane waves cross.
//
// Plain host code, any thread; what is made is never changed. UsageError names the formula, the column of the fault and
// what was expected there; or the point at which the formula gives no finite number.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sims/tunneling/exact.h"
#include "sims/tunneling/physics.h"

namespace simscope::tunneling {

struct TypedPotential {
  std::string formula;
  Grid grid;
  // V at the samples; where it jumps within a sample's cell, its mean over the cell, as potentialAt() has it. Jumps are
  // found by bisection, to 1e-7 dx.
  std::vector<double> samples;
  double lowest, highest;
  bool jumps;
  // The smallest distance between two jumps, or what the sharpest bend takes, 2√2·√(ΔV/|V″|): a ripple sin(qx) 4/q;
  // the domain's length where V has neither. What is narrower than dx may be missed.
  double narrowest;
  // V stays the same in the outer eighths on either side, to 1e-4 of its range: then a wave can come and go.
  bool flat;
  double left, right;  // that V; at the first and the last sample
  Edges edges;         // within which V differs from them by more than 1e-3 of its range; both 0 unless flat
  // From the first to the last place that is not as flat as that to 1e-9, constant pieces; empty unless flat.
  std::vector<Segment> segments;
  double segments_from = 0;

  // At the sample nearest to x; the domain is periodic.
  double at(double x) const;
};

// Null unless the parameters choose a typed potential. `former`: returned where it is still the one.
std::shared_ptr<const TypedPotential> typedOf(const Parameters& p, std::shared_ptr<const TypedPotential> former = {});

// V at all samples. `typed` is the one of these parameters, or null where they have none.
std::vector<double> potentialTable(const Parameters& p, const TypedPotential* typed);
// Of either kind of potential.
Edges edgesOf(const Parameters& p, const TypedPotential* typed);

}  // namespace simscope::tunneling
