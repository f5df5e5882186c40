// Marks that read a view of a field in the window: a probe (the value at a place, over time), a line cut (the values
// along a line, now), and a ruler (a distance). Marks only observe: neither the run nor its pictures depend on them.
// Plain data, part of the scene; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace simscope {

struct FieldMark {
  enum class Kind { Probe, Cut, Ruler };
  Kind kind = Kind::Probe;
  std::string view = {};  // key of a view of a field
  int number = 1;         // among those of its kind: the probe P1
  // The ends, in the axes' units. A probe lies at the first one.
  double x = 0, y = 0;
  double to_x = 0, to_y = 0;
  bool operator==(const FieldMark&) const = default;
};

inline constexpr std::size_t kMostMarks = 32;
inline constexpr int kLargestMarkNumber = 9999;

// The names of the kinds in a scene, in the order of the enumeration.
const std::vector<std::string>& markKindNames();

}  // namespace simscope
