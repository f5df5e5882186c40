// Shared parts of the plane's functors. For device sources.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sims/schrodinger2d/propagation/operations.h"

namespace simscope::schrodinger2d::functors {

// ψ of lines at a point.
struct WaveOf {
  PacketLines lines;
  int points;
  SIMSCOPE_HD Complex<double> operator()(int column, int row) const {
    Complex<double> sum{0, 0};
    const Complex<double>* line = lines.data;
    for (int i = 0; i < lines.count; ++i, line += 2 * points) sum = sum + line[column] * line[points + row];
    return sum;
  }
};

// V with the walls, at a point.
template <class T>
struct Total {
  const T* potential;
  const float* walls;
  double height;
  SIMSCOPE_HD double operator()(std::size_t i) const {
    return static_cast<double>(potential[i]) + (walls ? height * static_cast<double>(walls[i]) : 0.0);
  }
};

}  // namespace simscope::schrodinger2d::functors
