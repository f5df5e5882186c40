// Drawings over the surface, made on the host: the path of the watched start, contours, and marks at the minima. Any
// thread. Points are x, y pairs; NaN: a gap.
#pragma once

#include <vector>

#include "sims/descent/minima.h"

namespace simscope::descent {

inline constexpr int kMostWatched = 2048;  // iterations of the watched start that are known

// Its places and values from iteration 0 on, with these parameters throughout; fewer than requested where it diverges.
struct Watched {
  std::vector<double> x, y, f;
};
Watched watch(const SurfaceData& surface, const Rule& rule, double x, double y, int iterations);

// The surface in its picture: kSurfaceCells squared, row by row, in the middle of cells.
inline constexpr int kSurfaceCells = 320;
struct Picture {
  std::vector<float> values;
  double low, high;  // the range of its colours
};
Picture pictureOf(const Parameters& p, const SurfaceData& surface, const Minima& minima);

// Decimal logarithm of the largest f − f* where starts are.
double topLoss(const Parameters& p, const SurfaceData& surface, const Minima& minima);

// Level lines of the picture, as pieces of a straight line, three points each with the gap.
inline constexpr int kMostContourPoints = 60'000;
std::vector<float> contoursOf(const Parameters& p, const Picture& picture);

// A cross at each minimum, kCrossPoints points each.
inline constexpr int kCrossPoints = 5;
std::vector<float> crossesOf(const Parameters& p, const Minima& minima);

}  // namespace simscope::descent
