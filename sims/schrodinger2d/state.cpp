// The whole state as host arrays, and back.
#include <array>
#include <limits>
#include <span>

#include "sims/core/state_reader.h"
#include "sims/schrodinger2d/plane_simulation.h"

namespace simscope::schrodinger2d {
namespace {

// The array "run": the packet on its way, what is known of its past, and what makes up for rounding.
enum RunValue { kX, kY, kKx, kKy, kWidth, kStartTime, kFollowed, kClosedNorm, kGain, kRunValues };

constexpr double kMostGain = 1e-5;  // away from 1

std::array<StateField, kRunValues> runFields() {
  constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
  return {{{"x"},
           {"y"},
           {"kx"},
           {"ky"},
           {"width", {kSmallest}},
           {"start_time"},
           {"followed", kYesOrNo, true},
           {"closed_norm", {0}},
           {"gain", {1 - kMostGain, 1 + kMostGain}}}};
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
  state.arrays.push_back(arrayOf("absorbed", "<f8", {n / kTakenBand, n}, taken_.toHost()));
  if (hasWalls()) state.arrays.push_back(arrayOf("walls", "<f4", {n, n}, walls_.toHost()));
  return state;
}

template <class T>
void PlaneSimulation<T>::load(const State& state) {
  const auto n = static_cast<std::size_t>(grid_.points);
  const StateReader reader(description().id, state);
  const StateArray& psi = reader.array<Complex<T>>("psi", {n, n});
  std::vector<float> painted;
  if (reader.has("walls")) painted = reader.values<float>("walls", {n, n}, {0});
  std::vector<double> taken(taken_.size());
  if (reader.has("absorbed")) taken = reader.values<double>("absorbed", {n / kTakenBand, n}, {0});
  std::vector<double> values;
  if (reader.has("run")) values = reader.fields("run", runFields());

  compute::Buffer<float> map;
  if (!painted.empty()) map = compute::Buffer<float>(device_, std::span<const float>(painted));
  device_->upload(psi_.data(), psi.bytes.data(), psi_.bytes());
  taken_.upload(taken);
  walls_ = std::move(map);
  wall_points_ = walls_.empty() ? 0 : countWalls(*device_, walls_.data(), grid_);
  if (!hasWalls()) dropWalls();
  seed_ = state.seed;
  steps_ = state.steps;
  time_ = state.time;
  phi_fresh_ = false;
  measured_.edge_probability = 0;
  if (!values.empty()) {
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
