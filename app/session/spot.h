// A place of the simulation that the mouse points at. Plain data; any thread.
#pragma once

#include <cmath>

namespace simscope {

struct Spot {
  double x = 0, y = 0, z = 0;
  bool operator==(const Spot&) const = default;
};

inline bool isFinite(const Spot& spot) {
  return std::isfinite(spot.x) && std::isfinite(spot.y) && std::isfinite(spot.z);
}
inline double distance(const Spot& a, const Spot& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

}  // namespace simscope
