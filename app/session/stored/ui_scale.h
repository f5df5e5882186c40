// The sizes of letters and controls that the window offers. Pure; any thread.
#pragma once

#include <array>

namespace simscope {

inline constexpr std::array<double, 9> kUiScales = {0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4};

// The next larger (`direction` 1) or smaller (−1) size; at the end of the list, the last size.
inline double nextScale(double now, int direction) {
  constexpr double kNear = 0.01;  // a monitor's scale may lie between two sizes
  double next = direction > 0 ? kUiScales.back() : kUiScales.front();
  for (const double each : kUiScales) {
    if (direction > 0 && each > now + kNear && each < next) next = each;
    if (direction < 0 && each < now - kNear && each > next) next = each;
  }
  return next;
}

}  // namespace simscope
