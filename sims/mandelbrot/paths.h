// Lines over the pictures, in the axes' units: x and y of each point, NaN where there is none. Any thread.
#pragma once

#include <vector>

namespace simscope::mandelbrot {

inline constexpr int kOutlinePoints = 361, kOrbitPoints = 128;

// The boundaries of the main cardioid, c = e^iθ/2 - e^2iθ/4, and of the disc of period 2, |c + 1| = 1/4: exact. None
// where the axes show offsets, which float32 could not resolve.
std::vector<float> outlines(bool offsets);
// 0, c, c² + c, … under the map of the Julia set of c, until it escapes.
std::vector<float> orbitOfZero(double julia_x, double julia_y);

}  // namespace simscope::mandelbrot
