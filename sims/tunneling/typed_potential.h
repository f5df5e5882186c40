// A potential typed as a formula of x, read by sims/formula, sampled on the grid, with its properties: where it begins
// and ends, its jumps, and the pieces that plane waves cross.
//
// Plain host code, any thread; a result is never changed. UsageError names the formula, the column of the fault and
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
  // V at the samples; where it jumps within a sample's cell, its mean over the cell, as in potentialAt(). All jumps
  // are found, to 1e-7 dx.
  std::vector<double> samples;
  double lowest, highest;
  bool jumps;
  // The smallest distance between two jumps, or the width of the sharpest bend, 2√2·√(ΔV/|V″|), which is 4/q for a
  // ripple sin(qx); the domain's length where V has neither. A bend narrower than dx may be missed.
  double narrowest;
  // V is constant in the outer eighth on either side, to 1e-4 of its range, so that a wave can come in and leave.
  bool flat;
  double left, right;  // V there, at the first and the last sample
  Edges edges;         // within which V differs from them by more than 1e-3 of its range; both 0 unless flat
  // Pieces from the first to the last place that differs from the ends by more than 1e-9; empty unless flat.
  std::vector<Segment> segments;
  double segments_from = 0;

  // At the sample nearest to x; the domain is periodic.
  double at(double x) const;
};

// Null unless the parameters choose a typed potential. `former`: returned if it still applies.
std::shared_ptr<const TypedPotential> typedOf(const Parameters& p, std::shared_ptr<const TypedPotential> former = {});

// V at all samples. `typed` is that of these parameters, or null if they have none.
std::vector<double> potentialTable(const Parameters& p, const TypedPotential* typed);
// The edges of either kind of potential.
Edges edgesOf(const Parameters& p, const TypedPotential* typed);

}  // namespace simscope::tunneling
