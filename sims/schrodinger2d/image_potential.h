// A potential from a picture: black is a wall, white is free, grey lies between. The picture's longer side is as long
// as the domain, its middle is the origin, its top is at large y; space outside the picture is free.
//
// Plain host functions, any thread.
#pragma once

#include <vector>

#include "sims/compute/ranks/slab.h"
#include "sims/image/image.h"
#include "sims/schrodinger2d/physics.h"

namespace simscope::schrodinger2d {

// V at every point of the slab's own rows: `height` · (1 - grey), interpolated by tent functions as wide as the coarser
// of the pixels and the points, so that large pictures are averaged and small ones are interpolated linearly.
template <class T>  // float or double
std::vector<T> imagePotential(const image::GreyImage& picture, const Grid& grid, const compute::Slab& slab,
                              double height);
template <class T>
std::vector<T> imagePotential(const image::GreyImage& picture, const Grid& grid, double height) {
  return imagePotential<T>(picture, grid, compute::wholeSlab(grid.points), height);
}

}  // namespace simscope::schrodinger2d
