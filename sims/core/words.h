// Counts and near names, for texts that people read. Plain functions; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace simscope {

// "1 frame", "0 frames", "12 frames"; `many` where it is not `one` with an s: "3 boxes".
inline std::string counted(std::int64_t count, std::string_view one, std::string_view many = {}) {
  std::string text = std::to_string(count) + " ";
  if (count == 1 || many.empty()) text += one;
  if (count != 1) text += many.empty() ? std::string_view("s") : many;
  return text;
}

// "; did you mean 'X'?" with the closest of `names` (closestName(), sims/core/parameters.h); `otherwise` without one.
std::string didYouMean(std::string_view name, std::span<const std::string> names, std::string_view otherwise = {});

}  // namespace simscope
