#include "sims/live/device_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

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
struct Brain {
  std::uint16_t bits;
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
SIMSCOPE_HD inline float single(Brain upper) {  // bfloat16: the upper half of single precision
  const unsigned bits = static_cast<unsigned>(upper.bits) << 16;
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
    // In double precision no square is too large or too small.
    const double re = values[components * i], im = components == 2 ? values[2 * i + 1] : 0;
    const auto value = static_cast<float>(components == 2 ? sqrt(re * re + im * im) : re);
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

// Of real and imaginary part.
template <class T>
struct Extremes {
  T low[2], high[2];
  unsigned long long beyond, finite;
};

template <class T, int components>
struct ExtremesOf {
  const T* from;
  Layout layout;
  int width;

  SIMSCOPE_HD Extremes<T> operator()(std::size_t i) const {
    const auto row = static_cast<std::int64_t>(i) / width, column = static_cast<std::int64_t>(i) % width;
    const std::int64_t at = layout.first + row * layout.row_step + column * layout.column_step;
    constexpr float kLargest = 3.402823466e38f;
    Extremes<T> found{};
    bool kept = true, finite = true;
    for (int part = 0; part < components; ++part) {
      const T value = from[components * at + part];
      const float shown = static_cast<float>(value);
      kept = kept && (shown < 0 ? -shown : shown) <= kLargest;  // false for NaN
      finite = finite && value - value == 0;
      found.low[part] = found.high[part] = value;
    }
    found.beyond = finite && !kept;
    found.finite = kept;
    return found;
  }
};

struct Widest {
  template <class T>
  SIMSCOPE_HD Extremes<T> operator()(const Extremes<T>& a, const Extremes<T>& b) const {
    Extremes<T> both = a.finite ? a : b;
    if (a.finite && b.finite) {
      for (int part = 0; part < 2; ++part) {
        if (b.low[part] < both.low[part]) both.low[part] = b.low[part];
        if (b.high[part] > both.high[part]) both.high[part] = b.high[part];
      }
    }
    both.finite = a.finite + b.finite;
    both.beyond = a.beyond + b.beyond;
    return both;
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

template <class T, int components = 1>
Lost lostAs(compute::Device& device, const void* from, const Layout& layout, int width, int height) {
  const auto elements = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  const functors::Extremes<T> found = compute::reduce(
      device, elements, functors::Extremes<T>{},
      functors::ExtremesOf<T, components>{static_cast<const T*>(from), layout, width}, functors::Widest{});
  double spread[components] = {}, widest = 0;
  for (int part = 0; part < components && found.finite > 0; ++part) {
    // Whole numbers are subtracted exactly: as such of 64 bits without a sign.
    using Difference = std::conditional_t<std::is_integral_v<T>, std::uint64_t, double>;
    const Difference difference = static_cast<Difference>(found.high[part]) - static_cast<Difference>(found.low[part]);
    spread[part] = static_cast<double>(difference);
    widest = std::max(widest, spread[part]);
  }
  Lost lost{0, found.beyond};
  for (int part = 0; part < components; ++part) {
    const double magnitude =
        std::max(std::abs(static_cast<double>(found.low[part])), std::abs(static_cast<double>(found.high[part])));
    if (spread[part] > 0 && isNarrow(widest, magnitude)) lost.spread = widest;
  }
  return lost;
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
    case ElementType::BFloat16:
      return gatherAs<functors::Brain>(device, from, layout, width, height, to);
  }
}

Lost lost(compute::Device& device, const void* from, ElementType type, const Layout& layout, int width, int height) {
  switch (type) {
    case ElementType::Float64:
      return lostAs<double>(device, from, layout, width, height);
    case ElementType::Int32:
      return lostAs<std::int32_t>(device, from, layout, width, height);
    case ElementType::Int64:
      return lostAs<std::int64_t>(device, from, layout, width, height);
    case ElementType::UInt32:
      return lostAs<std::uint32_t>(device, from, layout, width, height);
    case ElementType::UInt64:
      return lostAs<std::uint64_t>(device, from, layout, width, height);
    case ElementType::Complex128:
      return lostAs<double, 2>(device, from, layout, width, height);
    default:
      return {};
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
