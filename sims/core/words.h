// Counts, sizes, times, rounded numbers, and near names, for texts that people read. Plain functions; any thread.
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

std::string bytesText(double bytes);      // "999 B", "1.0 kB", "2.5 MB", "120 GB"; powers of ten
std::string secondsText(double seconds);  // "850 ms", "2.1 s", "3 min 20 s", "2 h 5 min"
std::string shortText(double value);      // three digits: "0.0123"

// To the nearest number of so many digits.
double rounded(double value, int digits);
// Not above, and not below `value`, as a person would type it; numbers of so many digits are unchanged. 0 for values
// that are not positive or not finite.
double roundedDown(double value, int digits = 2);
double roundedUp(double value, int digits = 2);

// "; did you mean 'X'?" with the closest of `names` (closestName(), sims/core/parameters.h); `otherwise` without one.
std::string didYouMean(std::string_view name, std::span<const std::string> names, std::string_view otherwise = {});

}  // namespace simscope
