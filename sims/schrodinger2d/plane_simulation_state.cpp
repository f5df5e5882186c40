// The table of the state, and what follows from it.
#include <limits>

#include "sims/core/archive.h"
#include "sims/schrodinger2d/plane_simulation.h"

namespace simscope::schrodinger2d {

template <class T>
void PlaneSimulation<T>::visit(Archive& archive) {
  constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
  constexpr double kMostGain = 1e-5;  // away from 1
  const auto n = static_cast<std::size_t>(grid_.points);
  archive.buffer("psi", "ψ at the grid's points, row by row [1/length]", {n, n}, psi_, device_);
  archive.buffer("absorbed", "probability taken at the edges, by band of rows and column", {n / kTakenBand, n}, taken_,
                 device_, {0}, WhenMissing::Zero);
  archive.buffer("walls", "heights of the walls that the mouse has drawn [energy]", {n, n}, walls_, device_, {0},
                 WhenMissing::Empty);
  // The packet on its way, what is known of its past, and what makes up for rounding.
  archive.number("x", start_.x);
  archive.number("y", start_.y);
  archive.number("kx", start_.kx);
  archive.number("ky", start_.ky);
  archive.number("width", start_.width, {kSmallest});
  archive.number("start_time", start_time_);
  archive.number("followed", followed_);
  archive.number("closed_norm", closed_norm_, {0});
  archive.number("gain", gain_, {1 - kMostGain, 1 + kMostGain});
}

template <class T>
void PlaneSimulation<T>::loaded(const State& state) {
  wall_points_ = walls_.empty() ? 0 : countWalls(*device_, walls_.data(), grid_);
  if (!hasWalls()) dropWalls();
  time_ = state.time;
  phi_fresh_ = false;
  measured_.edge_probability = 0;
  if (state.find("run")) {
    gain_time_step_ = 0;
  } else {
    // A wave from elsewhere: nothing is known of its past.
    start_ = packetOf(p_);
    start_time_ = time_;
    followed_ = false;
    closed_norm_ = norm();
  }
  refreshLandscape();
  useTimeStep();
}

template void PlaneSimulation<float>::visit(Archive&);
template void PlaneSimulation<double>::visit(Archive&);
template void PlaneSimulation<float>::loaded(const State&);
template void PlaneSimulation<double>::loaded(const State&);

}  // namespace simscope::schrodinger2d
