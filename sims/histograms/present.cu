#include "sims/histograms/present.h"

#include <cmath>

#include "sims/compute/loops/parallel.h"

namespace simscope::histograms {
namespace {

struct CopyCounts {
  const std::uint64_t* counts;
  float scale;
  bool decades;
  float* values;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const float value = scale * static_cast<float>(counts[i]);
    values[i] = !decades ? value : value > 1.0f ? std::log10(value) : 0.0f;
  }
};

struct CopyLine {
  const std::uint64_t* counts;
  float scale;
  float* values;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    // Element i is at the left edge of bin i/2, or in its middle.
    const std::size_t bin = i / 2, before = i % 2 == 1 || bin == 0 ? bin : bin - 1;
    values[i] = scale * 0.5f * static_cast<float>(counts[bin] + counts[before]);
  }
};

struct CopyPlane {
  const std::uint64_t* counts;
  float scale;
  int width, beyond;
  float* values;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const int x = static_cast<int>(i % static_cast<std::size_t>(width));
    const bool within = x >= beyond && x < width - beyond;
    values[i] = within ? scale * static_cast<float>(counts[i]) : static_cast<float>(NAN);
  }
};

struct CopyNothing {
  float *points, *values;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    for (std::size_t k = 0; k < 4; ++k) points[4 * i + k] = 0;
    values[i] = 0;
  }
};

}  // namespace

void copyCounts(compute::Device& device, const std::uint64_t* counts, float scale, bool decades, float* values,
                std::size_t n) {
  compute::parallelFor(device, n, CopyCounts{counts, scale, decades, values});
}
void copyLine(compute::Device& device, const std::uint64_t* counts, float scale, float* values, std::size_t n) {
  compute::parallelFor(device, n, CopyLine{counts, scale, values});
}
void copyPlane(compute::Device& device, const std::uint64_t* counts, float scale, int width, int beyond, float* values,
               std::size_t n) {
  compute::parallelFor(device, n, CopyPlane{counts, scale, width, beyond, values});
}
void copyNothing(compute::Device& device, float* points, float* values, std::size_t n) {
  compute::parallelFor(device, n, CopyNothing{points, values});
}

}  // namespace simscope::histograms
