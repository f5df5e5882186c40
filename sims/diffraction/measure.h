// Measurements of a pattern.
//
// Patterns are slabs of N × N intensities with the centre at cell (N/2, N/2). Thread: inside Device::run; these wait,
// and all ranks call them together. The functions of a row are plain.
#pragma once

#include <span>

#include "sims/compute/device.h"
#include "sims/compute/ranks/slab.h"

namespace simscope::diffraction {

double totalOf(compute::Device& device, const float* pattern, const compute::Slab& slab);
// The light within `radius` cells around the centre; cells on the rim count by their share. There is no error of second
// order if the pattern is dark along the rim; NaN where the disc leaves the plane.
double lightWithin(compute::Device& device, const float* pattern, const compute::Slab& slab, double radius);

// Cells from the middle of a row, along its second half, to the first minimum, by trigonometric interpolation; NaN
// where there is none.
double firstMinimum(std::span<const float> row);

}  // namespace simscope::diffraction
