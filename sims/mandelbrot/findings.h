// Problems of a picture, and the value that cures each. Any thread.
#pragma once

#include <vector>

#include "sims/mandelbrot/iteration.h"
#include "sims/mandelbrot/mandelbrot.h"

namespace simscope::mandelbrot {

// From the diagnostics: pixels with glitches (NaN: none possible), the share that escaped in the last tenth, the
// largest count of an escaped pixel (0: none has), and the iterations a pixel; what is known to be inside has none.
struct Measured {
  double glitched, late, deepest, mean;
};
std::vector<Finding> findingsOf(const Parameters& parameters, Numbers numbers, int done, const Measured& measured);

}  // namespace simscope::mandelbrot
