// The limits of a device, to which shares are relative. All limits are measured.
//
// Plain data; measured by Bench (lesson.h).
#pragma once

#include <array>
#include <cstddef>

namespace simscope::lab {

// Of the numbers that are multiplied; TF32 and float16 by tensor cores, which accumulate in float32.
enum class Format { Float32, Float64, Tf32, Float16 };
inline constexpr std::array<const char*, 4> kFormatNames = {"float32", "float64", "TF32", "float16"};
inline const char* nameOf(Format format) {
  return kFormatNames[static_cast<std::size_t>(format)];
}

// The rates at which a device copies within its memory, and executes independent instructions in registers (a fused
// multiply-add is one).
struct Limits {
  double bytes_per_second = 0;              // read and written
  double operations_per_second = 0;         // summed over lanes, in single precision
  double double_operations_per_second = 0;  // in double precision
  double arithmetic = 2;                    // additions and products per instruction: 1 without fused ones

  // FLOP/s.
  double single() const { return arithmetic * operations_per_second; }
  double twice() const { return arithmetic * double_operations_per_second; }
};

// FLOP/s of cuBLAS's product of large matrices, for formats only available in tensor cores. 0: there are none, or no
// cuBLAS.
struct ProductLimits {
  double float64 = 0, tf32 = 0, float16 = 0;
  int rows = 0;  // of the largest of these matrices
};

}  // namespace simscope::lab
