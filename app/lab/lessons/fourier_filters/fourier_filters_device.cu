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

struct There {
  compute::DevicePtr device;
  int side, reach = 0;
  compute::Buffer<float> picture, out, weights;
  compute::Buffer<Complex<float>> waves, factors;
  compute::Fft<float> fft;
  std::size_t pixels() const { return picture.size(); }
};

}  // namespace

Way onDevice(const compute::DevicePtr& device, const Grey& picture) {
  const std::size_t n = picture.values.size();
  const auto there = std::make_shared<There>(There{device,
                                                   picture.side,
                                                   0,
                                                   {device, picture.values},
                                                   {device, n},
                                                   {},
                                                   {device, n},
                                                   {device, n},
                                                   {device, {{picture.side, picture.side}, 1}}});
  return {[there](const Window& window) {
            there->weights = compute::Buffer<float>(there->device, window.weights);
            there->reach = window.reach;
          },
          [there](const Window& window) {
            const auto* const pairs = reinterpret_cast<const Complex<float>*>(window.factors.data());
            there->factors.upload({pairs, there->pixels()});
          },
          [there] {
            const Convolve convolve{there->picture.data(), there->weights.data(), there->out.data(), there->side,
                                    there->reach};
            compute::parallelFor2d(*there->device, there->side, there->side, convolve, kGrain);
          },
          [there] {
            compute::Device& on = *there->device;
            const std::size_t pixels = there->pixels();
            Complex<float>* const waves = there->waves.data();
            compute::parallelFor(on, pixels, Widen{there->picture.data(), waves});
            there->fft.forward(waves);
            compute::parallelFor(on, pixels, Multiply{waves, there->factors.data()});
            there->fft.inverse(waves);
            compute::parallelFor(on, pixels, Narrow{waves, there->out.data(), 1.0f / static_cast<float>(pixels)});
          },
          [there] { return there->out.toHost(); }};
}

}  // namespace simscope::lab::fourier_filters
