#include <memory>

#include "app/lab/lessons/fourier_filters/fourier_filters.h"
#include "sims/compute/buffer.h"
#include "sims/compute/fourier/fft.h"
#include "sims/compute/loops/parallel.h"

namespace simscope::lab::fourier_filters {

using compute::Complex;

// A pixel's neighbours with their weights; side is a power of two.
struct Convolve {
  const float *from, *weights;
  float* to;
  int side, reach;
  SIMSCOPE_HD void operator()(int x, int y, std::size_t i) const {
    const int last = side - 1;
    const float* weight = weights;
    float sum = 0;
    for (int dy = -reach; dy <= reach; ++dy) {
      const float* const row = from + static_cast<std::size_t>((y - dy) & last) * static_cast<std::size_t>(side);
      for (int dx = -reach; dx <= reach; ++dx) sum += *weight++ * row[(x - dx) & last];
    }
    to[i] = sum;
  }
};

struct Widen {
  const float* from;
  Complex<float>* to;
  SIMSCOPE_HD void operator()(std::size_t i) const { to[i] = {from[i], 0.0f}; }
};
struct Multiply {
  Complex<float>* values;
  const Complex<float>* factors;
  SIMSCOPE_HD void operator()(std::size_t i) const { values[i] = values[i] * factors[i]; }
};
struct Narrow {
  const Complex<float>* from;
  float* to;
  float scale;  // neither direction of the transform is normalised
  SIMSCOPE_HD void operator()(std::size_t i) const { to[i] = scale * from[i].re; }
};

namespace {

constexpr std::size_t kGrain = 1024;  // pixels per CPU task: a direct one needs many operations

struct FilterBuffers {
  compute::DevicePtr device;
  int side, reach = 0;
  compute::Buffer<float> picture, out, weights;
  compute::Buffer<Complex<float>> waves, factors;
  compute::Fft<float> fft;
  std::size_t pixels() const { return picture.size(); }
};

}  // namespace

PictureFilter onDevice(const compute::DevicePtr& device, const Grey& picture) {
  const std::size_t n = picture.values.size();
  const auto buffers =
      std::make_shared<FilterBuffers>(FilterBuffers{.device = device,
                                                    .side = picture.side,
                                                    .picture = {device, picture.values},
                                                    .out = {device, n},
                                                    .weights = {},
                                                    .waves = {device, n},
                                                    .factors = {device, n},
                                                    .fft = {device, {{picture.side, picture.side}, 1}}});
  return {.direct_of =
              [buffers](const Window& window) {
                buffers->weights = compute::Buffer<float>(buffers->device, window.weights);
                buffers->reach = window.reach;
              },
          .transformed_of =
              [buffers](const Window& window) {
                const auto* const pairs = reinterpret_cast<const Complex<float>*>(window.factors.data());
                buffers->factors.upload({pairs, buffers->pixels()});
              },
          .direct =
              [buffers] {
                const Convolve convolve{buffers->picture.data(), buffers->weights.data(), buffers->out.data(),
                                        buffers->side, buffers->reach};
                compute::parallelFor2d(*buffers->device, buffers->side, buffers->side, convolve, kGrain);
              },
          .transformed =
              [buffers] {
                compute::Device& on = *buffers->device;
                const std::size_t pixels = buffers->pixels();
                Complex<float>* const waves = buffers->waves.data();
                compute::parallelFor(on, pixels, Widen{buffers->picture.data(), waves});
                buffers->fft.forward(waves);
                compute::parallelFor(on, pixels, Multiply{waves, buffers->factors.data()});
                buffers->fft.inverse(waves);
                compute::parallelFor(on, pixels, Narrow{waves, buffers->out.data(), 1.0f / static_cast<float>(pixels)});
              },
          .result = [buffers] { return buffers->out.toHost(); }};
}

}  // namespace simscope::lab::fourier_filters
