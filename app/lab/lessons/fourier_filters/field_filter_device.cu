#include <cmath>

#include "app/lab/lessons/fourier_filters/field_filter_waves.h"
#include "sims/compute/loops/parallel.h"

namespace simscope::lab::fourier_filters {

using compute::Complex;

struct TakeField {
  const float* field;
  int components;
  Complex<float>* waves;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const float* const cell = field + i * static_cast<std::size_t>(components);
    float re = cell[0], im = components == 2 ? cell[1] : 0.0f;
    if (components == 3) re = 0.2126f * cell[0] + 0.7152f * cell[1] + 0.0722f * cell[2];
    if (!(re - re == 0.0f)) re = 0.0f;
    if (!(im - im == 0.0f)) im = 0.0f;
    waves[i] = {re, im};
  }
};

struct WeighWaves {
  const float* factors;
  Complex<float>* waves;
  SIMSCOPE_HD void operator()(std::size_t i) const { waves[i] = {factors[i] * waves[i].re, factors[i] * waves[i].im}; }
};

struct PutSpectrum {
  const Complex<float>* waves;
  float* to;
  int width, height;
  float scale;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const int x = static_cast<int>(i % static_cast<std::size_t>(width));
    const int y = static_cast<int>(i / static_cast<std::size_t>(width));
    const int kx = (x + width - width / 2) % width, ky = (y + height - height / 2) % height;
    const Complex<float> wave = waves[static_cast<std::size_t>(ky) * static_cast<std::size_t>(width) + kx];
    const float re = scale * wave.re, im = scale * wave.im;
    to[i] = 0.5f * log10f(re * re + im * im + 1e-36f);
  }
};

struct PutField {
  const Complex<float>* waves;
  const float* field;
  int components;
  float* to;
  float scale;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const float first = field[i * static_cast<std::size_t>(components)];
    const float gap = first - first == 0.0f ? 0.0f : first - first;  // a missing value stays one
    if (components == 2) {
      to[2 * i] = scale * waves[i].re + gap;
      to[2 * i + 1] = scale * waves[i].im + gap;
    } else {
      to[i] = scale * waves[i].re + gap;
    }
  }
};

void takeField(compute::Device& device, const FieldShape& shape, const float* field, Complex<float>* waves) {
  compute::parallelFor(device, shape.cells(), TakeField{field, shape.components, waves});
}

void weighWaves(compute::Device& device, std::size_t n, const float* factors, Complex<float>* waves) {
  compute::parallelFor(device, n, WeighWaves{factors, waves});
}

void putSpectrum(compute::Device& device, const FieldShape& shape, const Complex<float>* waves, float* to) {
  const float scale = 1.0f / static_cast<float>(shape.cells());
  compute::parallelFor(device, shape.cells(), PutSpectrum{waves, to, shape.width, shape.height, scale});
}

void putField(compute::Device& device, const FieldShape& shape, const Complex<float>* waves, const float* field,
              float* to) {
  const float scale = 1.0f / static_cast<float>(shape.cells());  // neither direction of the transform is normalised
  compute::parallelFor(device, shape.cells(), PutField{waves, field, shape.components, to, scale});
}

}  // namespace simscope::lab::fourier_filters
