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

// V at every point of the slab's own rows: the mean of `height` · (1 - grey) over the point's cell, or over the square
// of a pixel where that is larger, which interpolates small pictures linearly.
template <class T>  // float or double
std::vector<T> imagePotential(const image::GreyImage& picture, const Grid& grid, const compute::Slab& slab,
                              double height);
template <class T>
std::vector<T> imagePotential(const image::GreyImage& picture, const Grid& grid, double height) {
  return imagePotential<T>(picture, grid, compute::wholeSlab(grid.points), height);
}

// The width of a pixel [length] where the picture has a texture that is finer than the grid, so that only its mean is
// left: cells whose pixels differ, and their neighbours' on all sides, too. Otherwise infinite. Such a texture is
// looked for at 128² cells at most.
double textureOf(const image::GreyImage& picture, const Grid& grid);

}  // namespace simscope::schrodinger2d
