// Lines over the pictures in the plane: field lines, the loss cone, and the exact orbit. Host data; any thread.
#pragma once

#include <utility>
#include <vector>

#include "sims/lorentz/parameters.h"

namespace simscope::lorentz {

inline constexpr int kPathPoints = 256;
inline constexpr int kForceLines = 5, kConeLines = 2, kOrbitLines = 2;

using PathPoints = std::vector<std::pair<float, float>>;  // path after path, kPathPoints each; NaN: a gap

// In the plane of distance from the z-axis, and z: field lines, or the surfaces that contain them; planet and wall.
PathPoints forceLines(const Parameters& parameters);
// In the plane of velocities along and across B, at the weakest point of the field line.
PathPoints coneLines(const Parameters& parameters);

}  // namespace simscope::lorentz
