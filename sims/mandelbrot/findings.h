// Problems of a picture, and the value that cures each. Any thread.
#pragma once

#include <vector>

#include "sims/mandelbrot/iteration.h"
#include "sims/mandelbrot/mandelbrot.h"

namespace simscope::mandelbrot {

// From the diagnostics: pixels with glitches (NaN: none possible), and the share that escaped in the last tenth.
struct Measured {
  double glitched, late;
};
std::vector<Finding> findingsOf(const Parameters& parameters, Numbers numbers, int done, const Measured& measured);

}  // namespace simscope::mandelbrot
