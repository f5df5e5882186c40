// Sums over the starts of the grid, in double precision. Thread: inside Device::run; waits.
#pragma once

#include "sims/descent/advance.h"

namespace simscope::descent {

struct Totals {
  double excess;        // Σ (f − f*) of those that have not diverged
  double best;          // the least f − f*
  double arrived;       // how many are within the tolerance of a minimum
  double lowest;        // of these, at a minimum of the lowest value
  double diverged;      // how many
  double last_arrival;  // the latest iteration at which one of them arrived
  double bad;           // how many have a NaN, witnesses included
};
// `same`: the number of minima as low as the lowest; they come first.
Totals measure(compute::Device& device, const Advance& what, int same);

}  // namespace simscope::descent
