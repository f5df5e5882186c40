// What the mouse does: walls drawn and erased, packets launched.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sims/core/region.h"
#include "sims/schrodinger2d/plane_simulation.h"

namespace simscope::schrodinger2d {

template <class T>
bool PlaneSimulation<T>::stroke(const Brush& brush) {
  if (brush.tool == "packet") {
    launch(brush);
    return true;
  }
  if (brush.tool == "add") return add(brush);
  const bool wall = brush.tool == "wall";
  if (!wall && brush.tool != "eraser") return false;
  constexpr double kHighest = 10;
  const double height = std::min(brush.strength, kHighest);
  if (wall ? !(height > 0.0) : !hasWalls()) return false;
  // A brush finer than the grid still meets the point under it.
  const double radius = std::max(brush.radius > 0.0 ? brush.radius : 0.01 * grid_.length, 0.75 * grid_.dx);
  const float leaves = wall ? static_cast<float>(height) : 0.0f;
  if (brush.shape == BrushShape::Region) {
    paint(regionOf(brush, leaves));
  } else {
    paint({{brush.covered(radius, grid_.dx), leaves}});
  }
  return true;
}

// A wall fills what is bounded by walls at least half as high as the highest; the eraser takes away the walls that hang
// together.
template <class T>
std::vector<Dab> PlaneSimulation<T>::regionOf(const Brush& brush, float height) {
  std::vector<std::uint8_t> kinds(grid_.size());
  if (hasWalls()) {
    // A region may wind through all of the plane: every rank looks at all of it, a byte a point.
    const auto line = static_cast<std::size_t>(slab_.n), own = static_cast<std::size_t>(slab_.count) * line;
    std::vector<float> heights(own);
    device_->download(heights.data(), walls_.data() + slab_.at(0, slab_.first), own * sizeof(float));
    float highest = *std::max_element(heights.begin(), heights.end());
    for (const float each : compute::fromAll(*device_, highest)) highest = std::max(highest, each);
    const float bound = height > 0 ? 0.5f * highest : 0.0f;
    const auto isWall = [bound](float each) { return static_cast<std::uint8_t>(each > bound ? 1 : 0); };
    const auto first = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(slab_.first) * line);
    std::transform(heights.begin(), heights.end(), kinds.begin() + first, isWall);
    compute::shareRows(*device_, compute::cutsOf(*device_, slab_.n, 0, slab_.n), kinds.data(), line);
  }
  std::vector<Dab> dabs;
  const int n = grid_.points, column = grid_.nearest(brush.x), row = grid_.nearest(brush.y);
  const auto border = [&](int i) { return grid_.x(i) - 0.5 * grid_.dx; };
  for (const CellBlock& each : regionAround(n, n, kinds, column, row)) {
    dabs.push_back(
        {{border(each.left), border(each.top), border(each.right), border(each.bottom), 0, compute::Outline::Rectangle},
         height});
  }
  return dabs;
}

template <class T>
void PlaneSimulation<T>::paint(const std::vector<Dab>& strokes) {
  if (strokes.empty()) return;
  if (walls_.empty()) {
    walls_ = compute::Buffer<float>(device_, slab_.cells());
    walls_.zero();
  }
  CellRange changed = boxOf(strokes.front(), grid_);
  for (const Dab& stroke : strokes) {
    const CellRange box = boxOf(stroke, grid_);
    changed = {std::min(changed.left, box.left), std::min(changed.bottom, box.bottom),
               std::max(changed.right, box.right), std::max(changed.top, box.top)};
    wall_points_ += paintWalls(*device_, walls_.data(), stroke, grid_, slab_);
  }
  followed_ = false;
  makeFactors(changed);
  if (!hasWalls()) dropWalls();
  refreshLandscape();
  noteTouching(psi_.data(), changed);
}

template <class T>
void PlaneSimulation<T>::dropWalls() {
  walls_ = {};
  wall_points_ = 0;
}

template bool PlaneSimulation<float>::stroke(const Brush&);
template bool PlaneSimulation<double>::stroke(const Brush&);
template void PlaneSimulation<float>::dropWalls();
template void PlaneSimulation<double>::dropWalls();

}  // namespace simscope::schrodinger2d
