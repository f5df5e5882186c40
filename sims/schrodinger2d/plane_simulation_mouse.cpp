// What the mouse does: walls drawn and erased, packets launched.
#include <algorithm>
#include <cmath>

#include "sims/schrodinger2d/plane_simulation.h"

namespace simscope::schrodinger2d {

template <class T>
bool PlaneSimulation<T>::stroke(const Brush& brush) {
  if (brush.tool == "packet") {
    launch(brush);
    return true;
  }
  const bool wall = brush.tool == "wall";
  if (!wall && brush.tool != "eraser") return false;
  constexpr double kHighest = 10;
  const double height = std::min(brush.strength, kHighest);
  if (wall ? !(height > 0.0) : !hasWalls()) return false;
  // A brush finer than the grid still meets the point under it.
  const double radius = std::max(brush.radius > 0.0 ? brush.radius : 0.01 * grid_.length, 0.75 * grid_.dx);
  paint({{brush.x - brush.dx, brush.y - brush.dy, brush.x, brush.y, radius}, wall ? static_cast<float>(height) : 0.0f});
  return true;
}

template <class T>
void PlaneSimulation<T>::paint(const Dab& stroke) {
  if (walls_.empty()) {
    walls_ = compute::Buffer<float>(device_, grid_.size());
    walls_.zero();
  }
  wall_points_ += paintWalls(*device_, walls_.data(), stroke, grid_);
  followed_ = false;
  makeFactors(boxOf(stroke, grid_));
  if (!hasWalls()) dropWalls();
  refreshLandscape();
}

template <class T>
void PlaneSimulation<T>::dropWalls() {
  walls_ = {};
  wall_points_ = 0;
}

// The drag is the way that the new packet will have gone in one unit of time: with m = 1 that is its momentum, times
// the strength.
template <class T>
void PlaneSimulation<T>::launch(const Brush& brush) {
  Packet packet{brush.x, brush.y, brush.strength * brush.dx, brush.strength * brush.dy, p_.packet_width};
  const double most = std::max(0.0, grid_.nyquist() - 5.0 * packet.momentumWidth());  // what the grid resolves
  if (packet.momentum() > most) {
    const double scale = most / packet.momentum();
    packet.kx *= scale;
    packet.ky *= scale;
  }
  begin(packet);
  refreshLandscape();
}

template bool PlaneSimulation<float>::stroke(const Brush&);
template bool PlaneSimulation<double>::stroke(const Brush&);
template void PlaneSimulation<float>::dropWalls();
template void PlaneSimulation<double>::dropWalls();

}  // namespace simscope::schrodinger2d
