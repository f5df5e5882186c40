// The table of the state, and what follows from it.
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

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
  LaunchedPacket& first = packets_.each[0];
  // The packet on its way, what is known of its past, and what makes up for rounding.
  archive.number("x", first.start.x);
  archive.number("y", first.start.y);
  archive.number("kx", first.start.kx);
  archive.number("ky", first.start.ky);
  archive.number("width", first.start.width, {kSmallest});
  archive.number("start_time", first.since);
  archive.number("followed", followed_);
  archive.number("closed_norm", closed_norm_, {0});
  archive.number("gain", gain_, {1 - kMostGain, 1 + kMostGain});
  visitPackets(archive);
}

// Where they are more than one; states of earlier versions have none.
template <class T>
void PlaneSimulation<T>::visitPackets(Archive& archive) {
  constexpr std::size_t kNumbers = 8;
  if (archive.loading() ? !archive.has("packets") : packets_.count == 1) return;
  const std::size_t count =
      archive.extent("packets", 0, static_cast<std::size_t>(packets_.count), std::size_t{kMostPackets});
  archive.values<double>(
      "packets", "packets on their way: x, y, kx, ky, width, since, Re and Im of the weight", {count, kNumbers},
      [this] {
        std::vector<double> numbers;
        for (int i = 0; i < packets_.count; ++i) {
          const auto& [start, since, weight] = packets_.each[static_cast<std::size_t>(i)];
          numbers.insert(numbers.end(),
                         {start.x, start.y, start.kx, start.ky, start.width, since, weight.re, weight.im});
        }
        return numbers;
      },
      [this](const std::vector<double>& numbers) {
        packets_.count = static_cast<int>(numbers.size() / kNumbers);
        for (int i = 0; i < packets_.count; ++i) {
          const double* const n = numbers.data() + static_cast<std::size_t>(i) * kNumbers;
          const double width = std::fmax(std::fabs(n[4]), std::numeric_limits<double>::denorm_min());
          packets_.each[static_cast<std::size_t>(i)] = {{n[0], n[1], n[2], n[3], width}, n[5], {n[6], n[7]}};
        }
      });
}

template <class T>
void PlaneSimulation<T>::loaded(const State& state) {
  wall_points_ = walls_.empty() ? 0 : countWalls(*device_, walls_.data(), grid_);
  if (!hasWalls()) dropWalls();
  time_ = state.time;
  phi_fresh_ = false;
  measured_.edge_probability = 0;
  if (!state.find("packets")) {
    packets_.count = 1;
    packets_.each[0].weight = {1, 0};
  }
  if (state.find("run")) {
    gain_time_step_ = 0;
  } else {
    // A wave from elsewhere: nothing is known of its past.
    packets_ = packetsOf(p_, time_);
    followed_ = false;
    closed_norm_ = norm(psi_.data());
  }
  refreshLandscape();
  useTimeStep();
}

template void PlaneSimulation<float>::visit(Archive&);
template void PlaneSimulation<double>::visit(Archive&);
template void PlaneSimulation<float>::visitPackets(Archive&);
template void PlaneSimulation<double>::visitPackets(Archive&);
template void PlaneSimulation<float>::loaded(const State&);
template void PlaneSimulation<double>::loaded(const State&);

}  // namespace simscope::schrodinger2d
