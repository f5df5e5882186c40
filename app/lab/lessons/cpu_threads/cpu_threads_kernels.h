// The lesson's kernel in several widths: the number of lanes in one instruction. All give the same bits.
// Plain functions; any thread.
#pragma once

#include <cstddef>
#include <vector>

#include "sims/compute/lanes/instruction_sets.h"

namespace simscope::lab::cpu_threads {

// A chaotic map, x ← 1 − 1.9 x², so that any error grows and is detected.
inline constexpr int kRounds = 64, kOperations = 3 * kRounds;
inline constexpr std::size_t kStride = 128;  // the number of elements must be a multiple of it

struct Width {
  int lanes = 1;
  const char* title = "";
  void (*map)(const float* from, float* to, std::size_t n) = nullptr;  // kRounds of the map for each element
};

// The widths that this processor supports, the narrowest first.
std::vector<Width> widths();
Width widthOf(compute::Avx2);
Width widthOf(compute::Avx512);

}  // namespace simscope::lab::cpu_threads
