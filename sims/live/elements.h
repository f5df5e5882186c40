// The layout of numbers in another program's memory: their types, the place of each element of an array, and what
// single precision, in which they are shown, loses of them. Pure; any thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace simscope::live {

// The values are those in messages (app/live/message.h).
enum class ElementType : std::uint32_t {
  Float16 = 1,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Bool,
  Complex64,
  Complex128,
  BFloat16
};

constexpr bool isComplex(ElementType type) noexcept {
  return type == ElementType::Complex64 || type == ElementType::Complex128;
}

// Whether single precision has each of its numbers.
constexpr bool isExactInSingle(ElementType type) noexcept {
  switch (type) {
    case ElementType::Float64:
    case ElementType::Int32:
    case ElementType::Int64:
    case ElementType::UInt32:
    case ElementType::UInt64:
    case ElementType::Complex128:
      return false;
    default:
      return true;
  }
}

constexpr std::size_t bytesOf(ElementType type) noexcept {
  switch (type) {
    case ElementType::Int8:
    case ElementType::UInt8:
    case ElementType::Bool:
      return 1;
    case ElementType::Float16:
    case ElementType::BFloat16:
    case ElementType::Int16:
    case ElementType::UInt16:
      return 2;
    case ElementType::Float32:
    case ElementType::Int32:
    case ElementType::UInt32:
      return 4;
    case ElementType::Complex128:
      return 16;
    default:
      return 8;
  }
}

// What single precision loses.
struct Lost {
  double spread = 0;  // largest difference of two elements, if it is narrow; else 0. Of complex ones, of their parts
  std::uint64_t beyond = 0;  // finite elements that become infinite
};

// The distance of neighbours in single precision at this magnitude, but no less than the smallest number that has all
// digits: graphics cards may take smaller ones for 0.
inline double stepOfSingle(double magnitude) noexcept {
  constexpr double kLeast = 0x1p-126;
  constexpr int kDigits = 23;
  return magnitude > kLeast ? std::max(std::ldexp(1.0, std::ilogb(magnitude) - kDigits), kLeast) : kLeast;
}

// Whether single precision has so few steps for this difference that a field shows fewer colours than it could. (For
// arrays on the host the script finds that: app/python/simscope/_precision.py.)
inline bool isNarrow(double difference, double magnitude) noexcept {
  constexpr double kLevels = 256;
  return difference < kLevels * stepOfSingle(magnitude);
}

// Element (row, column) is number first + row · row_step + column · column_step; steps may be negative, or 0.
struct Layout {
  std::int64_t first = 0, row_step = 0, column_step = 1;
};

// Whether every element of height × width lies within `count` elements. Any values of a layout are allowed.
bool fits(const Layout& layout, std::int64_t width, std::int64_t height, std::int64_t count) noexcept;

}  // namespace simscope::live
