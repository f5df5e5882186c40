// The table of the state, and what follows from it.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "sims/compute/ranks/ranks.h"
#include "sims/core/slab_archive.h"
#include "sims/schrodinger2d/plane_simulation.h"

namespace simscope::schrodinger2d {

template <class T>
void PlaneSimulation<T>::visit(Archive& archive) {
  constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
  constexpr double kMostGain = 1e-5;  // away from 1
  const auto n = static_cast<std::size_t>(grid_.points);
  slabBuffer<Complex<T>>(archive, "psi", "ψ at the grid's points, row by row [1/length]", {n, n}, psi_, slab_, device_);
  visitTaken(archive);
  slabBuffer<float>(archive, "walls", "heights of the walls that the mouse has drawn [energy]", {n, n}, walls_, slab_,
                    device_, {0}, WhenMissing::Empty);
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
  visitTouching(archive);
}

// Where ψ was on a jump; most are not.
template <class T>
void PlaneSimulation<T>::visitTouching(Archive& archive) {
  constexpr const char* kName = "touching";
  if (archive.loading() ? !archive.has(kName) : !(measured_.touching > 0.0)) {
    archive.then([this] { measured_.touching = 0; });
    return;
  }
  archive.values<double>(
      kName, "the largest density on a jump of V when packet or wall were new, by the peak of the density", {1},
      [this] { return std::vector<double>{measured_.touching}; },
      [this](const std::vector<double>& values) { measured_.touching = values[0]; }, {0, 1});
}

// Bands of rows that two ranks have some of are one band of the whole plane.
template <class T>
void PlaneSimulation<T>::visitTaken(Archive& archive) {
  constexpr const char *kName = "absorbed", *kWhat = "probability absorbed at the edges, by band of rows and column";
  const auto n = static_cast<std::size_t>(grid_.points), bands = n / kBand;
  if (!device_->ranks() || archive.onDevice()) {
    archive.buffer(kName, kWhat, {bands, n}, taken_, device_, {0}, WhenMissing::Zero);
    return;
  }
  if (archive.loading() && !archive.has(kName)) {
    archive.then([this] { taken_.zero(); });
    return;
  }
  archive.values<double>(
      kName, kWhat, {bands, n},
      [this, n, bands] {
        const Bands own = bandsOf(*device_, slab_);
        const bool first = slab_.first == 0;
        std::vector<double> all = taken_.toHost();
        if (first) all.resize(static_cast<std::size_t>(own.cuts.back()) * n);
        compute::gatherRows(*device_, own.cuts, all.data(), n * sizeof(double));
        std::vector<double> whole(first ? bands * n : 0);
        // Every rank's first band is its former one's last, or the next.
        std::size_t band = 0, rank = 1;
        for (int i = 0; first && i < own.cuts.back(); ++i) {
          if (i == own.cuts[rank]) {
            const std::uint64_t row =
                compute::Ranks::shareOf(n, static_cast<int>(rank), device_->ranks()->size()).first;
            band = static_cast<std::size_t>(row) / kBand;
            ++rank;
          }
          for (std::size_t x = 0; x < n; ++x) whole[band * n + x] += all[static_cast<std::size_t>(i) * n + x];
          ++band;
        }
        return whole;
      },
      [this, n](const std::vector<double>& values) {
        // A band is the rank's that has its first row.
        const Bands own = bandsOf(*device_, slab_);
        std::vector<double> mine(taken_.size());
        for (int i = slab_.owns(own.first * kBand) ? 0 : 1; i < own.count; ++i) {
          const auto from = values.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(own.first + i) * n);
          std::copy_n(from, n, mine.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(i) * n));
        }
        taken_.upload(mine);
      },
      {0}, WhenMissing::Zero);
}

// Where they are more than one; states of earlier versions have none.
template <class T>
void PlaneSimulation<T>::visitPackets(Archive& archive) {
  constexpr std::size_t kNumbers = 8;
  if (archive.loading() ? !archive.has("packets") : packets_.count == 1) return;
  const std::size_t count =
      archive.extent("packets", 0, static_cast<std::size_t>(packets_.count), std::size_t{kMostPackets});
  archive.values<double>(
      "packets", "launched packets: x, y, kx, ky, width, since, Re and Im of the weight", {count, kNumbers},
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
  wall_points_ = walls_.empty() ? 0 : countWalls(*device_, walls_.data(), slab_);
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
    past_known_ = false;
    closed_norm_ = norm(psi_.data());
  }
  refreshLandscape();
  fitLayer();
  useTimeStep();
}

template void PlaneSimulation<float>::visit(Archive&);
template void PlaneSimulation<double>::visit(Archive&);
template void PlaneSimulation<float>::visitTaken(Archive&);
template void PlaneSimulation<double>::visitTaken(Archive&);
template void PlaneSimulation<float>::visitPackets(Archive&);
template void PlaneSimulation<double>::visitPackets(Archive&);
template void PlaneSimulation<float>::visitTouching(Archive&);
template void PlaneSimulation<double>::visitTouching(Archive&);
template void PlaneSimulation<float>::loaded(const State&);
template void PlaneSimulation<double>::loaded(const State&);

}  // namespace simscope::schrodinger2d
