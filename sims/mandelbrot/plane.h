// A picture's pixels on a device: iterated, counted, and coloured. Enqueued, except countOf(), which waits.
// Owner: the simulation. Thread and errors: as sims/compute/device.h.
#pragma once

#include <string>

#include "sims/compute/buffer.h"
#include "sims/mandelbrot/iteration.h"
#include "sims/mandelbrot/mandelbrot.h"

namespace simscope::mandelbrot {

struct Plane {
  int width = 0, height = 0;
  compute::Buffer<double> z, derivative;  // x of all pixels, then y
  compute::Buffer<int> count, index, glitches;

  Plane() = default;
  Plane(const compute::DevicePtr& device, int width, int height);  // all zero
  std::size_t pixels() const { return count.size(); }
  Cells cells();
};
inline constexpr double kPixelBytes = 44;

// On the CPU by the widest lanes of the processor, on CUDA by a thread for each pixel.
void iterate(compute::Device& device, const Iteration& iteration);
// One pixel at a time on either backend: the reference of the lanes' tests.
void iterateByPixel(compute::Device& device, const Iteration& iteration);
std::string iterationMethod(const compute::Device& device);

struct Totals {
  double inside;      // pixels that have not escaped
  double iterations;  // made for all pixels except those known to be inside
  double deepest;     // the largest count of a pixel that has escaped; 0: none has
  double late;        // pixels that escaped in the last tenth of the iterations
  double glitched, glitches;
};
// `done`: iterations that the pixels have had.
Totals totalsOf(Plane& plane, int done);

// How pixels are coloured. Colours are linear light; the palette is cyclic.
inline constexpr int kPaletteColours = 6;
struct Shading {
  Colouring colouring;
  float colours[kPaletteColours][3];
  float density, shift, light_x, light_y;
};
Shading shadingOf(const Parameters& parameters);
void colour(Plane& plane, const Shading& shading, compute::Buffer<float>& picture);  // 3 components
void smoothCounts(Plane& plane, compute::Buffer<float>& values);                     // NaN: not escaped

}  // namespace simscope::mandelbrot
