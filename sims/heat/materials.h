// The materials of a plate at the start, as strokes of the brush: walls, rods, fins, and sources of heat and cold.
//
//   house  insulated walls with an open window, an iron beam through a wall, and a stove, in the cold
//   maze   insulating walls around one path from a hot corner to a cold one; the seed decides
//   rooms  four rooms with open doors, one of them hot
//   rods   three insulated rods from a hot to a cold plate: a conductor, plain material, one half of each
//   fins   a hot chip under a conducting base with fins, in the cold
//
// Plain functions; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "sims/heat/operations.h"
#include "sims/heat/parameters.h"

namespace simscope::heat {

// From (x0, y0) to (x1, y1), in edges of the field from its middle: -0.5 to 0.5.
struct MaterialDab {
  Paint paint;
  double x0, y0, x1, y1;
  double radius;           // likewise
  double temperature = 0;  // relative to the spots': painted by Heat and Source
};
std::vector<MaterialDab> materialDabs(Material material, std::uint64_t seed);

}  // namespace simscope::heat
