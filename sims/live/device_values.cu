#include "sims/live/device_values.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "sims/compute/host_device.h"
#include "sims/compute/loops/parallel.h"

namespace simscope::live {
namespace functors {

// Half precision, and truth values, as bits.
struct Half {
  std::uint16_t bits;
};
struct Truth {
  std::uint8_t bits;
};

SIMSCOPE_HD inline float single(Half half) {
  const unsigned sign = (half.bits & 0x8000u) << 16, exponent = half.bits >> 10 & 31u, fraction = half.bits & 1023u;
  if (exponent == 0) {  // subnormal: a multiple of 2⁻²⁴
    const float value = static_cast<float>(fraction) * 5.9604644775390625e-8f;
    return sign ? -value : value;
  }
  const unsigned bits = sign | (exponent == 31 ? 0x7f800000u : (exponent + 112) << 23) | fraction << 13;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
SIMSCOPE_HD float single(T value) {
  return static_cast<float>(value);
}
SIMSCOPE_HD inline float single(Truth value) {
  return value.bits ? 1.0f : 0.0f;
}

template <class T, int components>
struct Gather {
  const T* from;
  Layout layout;
  float* to;

  SIMSCOPE_HD void operator()(int x, int y, std::size_t i) const {
    const std::int64_t at = layout.first + y * layout.row_step + x * layout.column_step;
    for (int part = 0; part < components; ++part) to[components * i + part] = single(from[components * at + part]);
  }
};

struct Sums {
  float low, high;
  double sum;
  unsigned long long not_finite;
};

struct MeasureOf {
  const float* values;
  int components;

  SIMSCOPE_HD Sums operator()(std::size_t i) const {
    const float re = values[components * i], im = components == 2 ? values[2 * i + 1] : 0;
    const float value = components == 2 ? sqrtf(re * re + im * im) : re;
    constexpr float kLargest = 3.402823466e38f;
    const bool good = (value < 0 ? -value : value) <= kLargest;  // false for NaN
    return {good ? value : kLargest, good ? value : -kLargest, good ? value : 0.0, good ? 0u : 1u};
  }
};

struct Both {
  SIMSCOPE_HD Sums operator()(const Sums& a, const Sums& b) const {
    return {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high, a.sum + b.sum,
            a.not_finite + b.not_finite};
  }
};

struct Wave {
  const float* psi;
  WaveParts parts;

  SIMSCOPE_HD void operator()(std::size_t i) const {
    const float re = psi[2 * i], im = psi[2 * i + 1];
    if (parts.density) parts.density[i] = re * re + im * im;
    if (parts.phase) parts.phase[i] = atan2f(im, re);
    if (parts.real) parts.real[i] = re;
    if (parts.imaginary) parts.imaginary[i] = im;
  }
};

}  // namespace functors

namespace {

template <class T, int components = 1>
void gatherAs(compute::Device& device, const void* from, const Layout& layout, int width, int height, float* to) {
  compute::parallelFor2d(device, width, height,
                         functors::Gather<T, components>{static_cast<const T*>(from), layout, to});
}

}  // namespace

void gather(compute::Device& device, const void* from, ElementType type, const Layout& layout, int width, int height,
            float* to) {
  switch (type) {
    case ElementType::Float16:
      return gatherAs<functors::Half>(device, from, layout, width, height, to);
    case ElementType::Float32:
      return gatherAs<float>(device, from, layout, width, height, to);
    case ElementType::Float64:
      return gatherAs<double>(device, from, layout, width, height, to);
    case ElementType::Int8:
      return gatherAs<std::int8_t>(device, from, layout, width, height, to);
    case ElementType::Int16:
      return gatherAs<std::int16_t>(device, from, layout, width, height, to);
    case ElementType::Int32:
      return gatherAs<std::int32_t>(device, from, layout, width, height, to);
    case ElementType::Int64:
      return gatherAs<std::int64_t>(device, from, layout, width, height, to);
    case ElementType::UInt8:
      return gatherAs<std::uint8_t>(device, from, layout, width, height, to);
    case ElementType::UInt16:
      return gatherAs<std::uint16_t>(device, from, layout, width, height, to);
    case ElementType::UInt32:
      return gatherAs<std::uint32_t>(device, from, layout, width, height, to);
    case ElementType::UInt64:
      return gatherAs<std::uint64_t>(device, from, layout, width, height, to);
    case ElementType::Bool:
      return gatherAs<functors::Truth>(device, from, layout, width, height, to);
    case ElementType::Complex64:
      return gatherAs<float, 2>(device, from, layout, width, height, to);
    case ElementType::Complex128:
      return gatherAs<double, 2>(device, from, layout, width, height, to);
  }
}

Measured measure(compute::Device& device, const float* values, std::int64_t elements, int components) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  const functors::Sums found =
      compute::reduce(device, static_cast<std::size_t>(elements), functors::Sums{kLargest, -kLargest, 0, 0},
                      functors::MeasureOf{values, components}, functors::Both{});
  Measured measured;
  measured.not_finite = found.not_finite;
  const double count = static_cast<double>(elements) - static_cast<double>(found.not_finite);
  measured.mean = count > 0 ? found.sum / count : std::numeric_limits<double>::quiet_NaN();
  measured.low = count > 0 ? found.low : 0;
  measured.high = count > 0 ? found.high : 1;
  return measured;
}

void wave(compute::Device& device, const float* psi, std::int64_t elements, const WaveParts& parts) {
  compute::parallelFor(device, static_cast<std::size_t>(elements), functors::Wave{psi, parts});
}

}  // namespace simscope::live
