#include "sims/mandelbrot/plane.h"

#include <algorithm>

#include "sims/compute/lanes/flush_denormals.h"
#include "sims/compute/loops/detail/cpu_blocks.h"
#include "sims/mandelbrot/lane_kernels.h"

namespace simscope::mandelbrot {
namespace {

struct Tiles {
  const Iteration& iteration;
  LaneKernels kernels;

  int across() const { return (iteration.width - 1) / kTileColumns + 1; }
  int down() const { return (iteration.height - 1) / kTileRows + 1; }
  static void run(const void* context, std::size_t block) {
    const Tiles& self = *static_cast<const Tiles*>(context);
    const compute::FlushDenormals flush;
    const int x = static_cast<int>(block) % self.across() * kTileColumns;
    const int y = static_cast<int>(block) / self.across() * kTileRows;
    self.kernels.tile(self.iteration, x, std::min(x + kTileColumns, self.iteration.width), y,
                      std::min(y + kTileRows, self.iteration.height));
  }
};

}  // namespace

Plane::Plane(const compute::DevicePtr& device, int across, int down) : width(across), height(down) {
  const std::size_t n = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  z = compute::Buffer<double>(device, 2 * n);
  derivative = compute::Buffer<double>(device, 2 * n);
  count = compute::Buffer<int>(device, n);
  index = compute::Buffer<int>(device, n);
  glitches = compute::Buffer<int>(device, n);
  z.zero(), derivative.zero(), count.zero(), index.zero(), glitches.zero();
}

Cells Plane::cells() {
  const std::size_t n = pixels();
  return {z.data(),     z.data() + n, derivative.data(), derivative.data() + n,
          count.data(), index.data(), glitches.data()};
}

void iterate(compute::Device& device, const Iteration& iteration) {
  if (device.isCuda()) return iterateByPixel(device, iteration);
  const Tiles tiles{iteration, supportedLaneKernels().widest()};
  device.countLaunches();
  const auto blocks = static_cast<std::size_t>(tiles.across()) * static_cast<std::size_t>(tiles.down());
  compute::detail::runBlocks(device, blocks, &Tiles::run, &tiles);
}

std::string iterationMethod(const compute::Device& device) {
  return device.isCuda() ? "one thread per pixel" : supportedLaneKernels().widest().name;
}

}  // namespace simscope::mandelbrot
