#include "sims/mandelbrot/plane.h"

#include <limits>

#include "sims/compute/loops/parallel.h"
#include "sims/mandelbrot/colours.h"

namespace simscope::mandelbrot {

struct ColourOf {
  Cells cells;
  Shading shading;
  float* to;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const Light light = shaded(shading, cells.x[i], cells.y[i], cells.dx[i], cells.dy[i], cells.count[i]);
    to[3 * i] = light.r;
    to[3 * i + 1] = light.g;
    to[3 * i + 2] = light.b;
  }
};
struct SmoothCountOf {
  Cells cells;
  float none;
  float* to;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    to[i] = cells.count[i] > 0 ? smoothCount(cells.x[i], cells.y[i], cells.count[i]) : none;
  }
};

void colour(Plane& plane, const Shading& shading, compute::Buffer<float>& picture) {
  compute::parallelFor(plane.count.device(), plane.pixels(), ColourOf{plane.cells(), shading, picture.data()}, 4096);
}

void smoothCounts(Plane& plane, compute::Buffer<float>& values) {
  const SmoothCountOf each{plane.cells(), std::numeric_limits<float>::quiet_NaN(), values.data()};
  compute::parallelFor(plane.count.device(), plane.pixels(), each, 4096);
}

}  // namespace simscope::mandelbrot
