// The layout of numbers in another program's memory: their types, and the place of each element of an array.
// Pure; any thread.
#pragma once

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
  Complex128
};

constexpr bool isComplex(ElementType type) noexcept {
  return type == ElementType::Complex64 || type == ElementType::Complex128;
}

constexpr std::size_t bytesOf(ElementType type) noexcept {
  switch (type) {
    case ElementType::Int8:
    case ElementType::UInt8:
    case ElementType::Bool:
      return 1;
    case ElementType::Float16:
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

// Element (row, column) is number first + row · row_step + column · column_step; steps may be negative, or 0.
struct Layout {
  std::int64_t first = 0, row_step = 0, column_step = 1;
};

// Whether every element of height × width lies within `count` elements. Any values of a layout are allowed.
bool fits(const Layout& layout, std::int64_t width, std::int64_t height, std::int64_t count) noexcept;

}  // namespace simscope::live
