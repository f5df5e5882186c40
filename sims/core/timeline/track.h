// A parameter that follows keyframes. Plain data; any thread. Timeline::check() refuses tracks that do not fit.
#pragma once

#include <string>
#include <vector>

namespace simscope {

enum class Easing { Linear, Smooth };  // Smooth: 3s² − 2s³, at rest at both ends

struct Keyframe {
  double time = 0;  // simulation time
  double value = 0;
  Easing easing = Easing::Linear;  // of the interval to the next one
  bool operator==(const Keyframe&) const = default;
};

// One Live parameter, Real or Integer (rounded), over time. Before the first and after the last keyframe it has their
// value.
struct Track {
  std::string key;                  // of the parameter
  std::vector<Keyframe> keyframes;  // times strictly ascending, at least one
  bool operator==(const Track&) const = default;

  double valueAt(double time) const;
};

}  // namespace simscope
