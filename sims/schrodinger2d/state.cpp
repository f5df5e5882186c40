// The whole state as host arrays, and back.
#include <cmath>
#include <span>

#include "sims/schrodinger2d/plane_simulation.h"

namespace simscope::schrodinger2d {
namespace {

// The array "run": the packet on its way, what is known of its past, and what makes up for rounding.
enum RunValue { kX, kY, kKx, kKy, kWidth, kStartTime, kFollowed, kClosedNorm, kGain, kRunValues };

void requireShape(const StateArray& array, const std::string& dtype, const std::vector<std::size_t>& shape,
                  std::size_t each) {
  std::size_t bytes = each;
  std::string wanted;
  for (const std::size_t side : shape) {
    bytes *= side;
    wanted += (wanted.empty() ? "" : " × ") + std::to_string(side);
  }
  if (array.dtype == dtype && array.shape == shape && array.bytes.size() == bytes) return;
  throw UsageError("schrodinger2d: the state's array '" + array.name + "' is not " + wanted + " values of type " +
                   dtype + ": set grid_points and precision as they were when it was saved");
}

}  // namespace

template <class T>
State PlaneSimulation<T>::save() {
  const auto n = static_cast<std::size_t>(grid_.points);
  State state;
  state.simulation = description().id;
  state.parameters = parameters_;
  state.seed = seed_;
  state.steps = steps_;
  state.time = time_;
  StateArray psi{"psi", dtype(), {n, n}, {}};
  psi.bytes.resize(psi_.bytes());
  device_->download(psi.bytes.data(), psi_.data(), psi_.bytes());
  state.arrays.push_back(std::move(psi));
  std::vector<double> run(kRunValues);
  run[kX] = start_.x;
  run[kY] = start_.y;
  run[kKx] = start_.kx;
  run[kKy] = start_.ky;
  run[kWidth] = start_.width;
  run[kStartTime] = start_time_;
  run[kFollowed] = followed_ ? 1 : 0;
  run[kClosedNorm] = closed_norm_;
  run[kGain] = gain_;
  state.arrays.push_back(arrayOf("run", "<f8", {kRunValues}, run));
  if (hasWalls()) state.arrays.push_back(arrayOf("walls", "<f4", {n, n}, walls_.toHost()));
  return state;
}

template <class T>
void PlaneSimulation<T>::load(const State& state) {
  const auto n = static_cast<std::size_t>(grid_.points);
  const StateArray* const psi = state.find("psi");
  const StateArray* const walls = state.find("walls");
  const StateArray* const run = state.find("run");
  if (state.simulation != description().id || !psi) {
    throw UsageError("the state is one of '" + state.simulation + "' and holds no ψ for schrodinger2d");
  }
  requireShape(*psi, dtype(), {n, n}, sizeof(Complex<T>));
  if (walls) requireShape(*walls, "<f4", {n, n}, sizeof(float));
  if (run) requireShape(*run, "<f8", {kRunValues}, sizeof(double));

  compute::Buffer<float> map;
  if (walls) map = compute::Buffer<float>(device_, std::span<const float>(valuesOf<float>(*walls)));
  device_->upload(psi_.data(), psi->bytes.data(), psi_.bytes());
  walls_ = std::move(map);
  wall_points_ = walls_.empty() ? 0 : countWalls(*device_, walls_.data(), grid_);
  if (!hasWalls()) dropWalls();
  seed_ = state.seed;
  steps_ = state.steps;
  time_ = state.time;
  phi_fresh_ = false;
  measured_.edge_probability = 0;
  const std::vector<double> values = run ? valuesOf<double>(*run) : std::vector<double>();
  if (run && values[kWidth] > 0.0 && std::fabs(values[kGain] - 1.0) < 1e-5) {
    start_ = {values[kX], values[kY], values[kKx], values[kKy], values[kWidth]};
    start_time_ = values[kStartTime];
    followed_ = values[kFollowed] != 0.0;
    closed_norm_ = values[kClosedNorm];
    gain_ = values[kGain];
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

template State PlaneSimulation<float>::save();
template State PlaneSimulation<double>::save();
template void PlaneSimulation<float>::load(const State&);
template void PlaneSimulation<double>::load(const State&);

}  // namespace simscope::schrodinger2d
