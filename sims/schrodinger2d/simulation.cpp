#include "sims/schrodinger2d/simulation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "sims/compute/fourier/transform_gain.h"
#include "sims/core/timeline/stepper.h"
#include "sims/image/shared_image.h"
#include "sims/schrodinger2d/exact.h"
#include "sims/schrodinger2d/formula.h"
#include "sims/schrodinger2d/image_potential.h"
#include "sims/schrodinger2d/plane_simulation.h"

namespace simscope::schrodinger2d {
namespace {

constexpr int kTakenEvery = 16;  // steps: a wave crosses an absorbing layer in some hundreds

}  // namespace

template <class T>
PlaneSimulation<T>::PlaneSimulation(compute::DevicePtr device, const ParameterSet& parameters, Route route)
    : Simulation(schrodinger2d::description(), std::move(device), parameters),
      p_(binding().read(parameters)),
      grid_(gridOf(p_)),
      slab_(compute::slabOf(*device_, grid_.points, haloOf(grid_.points))),
      psi_(device_, slab_.cells()),
      phi_(device_, slab_.cells()),
      half_(device_, slab_.cells()),
      potential_(device_, slab_.cells()),
      lines_(device_, 2 * kMostPackets * static_cast<std::size_t>(grid_.points)),
      theory_(device_, static_cast<std::size_t>(grid_.points)),
      rates_(device_, static_cast<std::size_t>(grid_.points)),
      taken_(device_,
             static_cast<std::size_t>(bandsOf(*device_, slab_).count) * static_cast<std::size_t>(grid_.points)),
      scratch_(device_, slab_),
      propagator_(makePropagator<T>(device_, slab_, route)) {
  if (device_->ranks()) {
    slabs_ = static_cast<SlabPropagator<T>*>(propagator_.get());
  } else {
    fft_.emplace(device_, compute::FftShape{.dimensions = {grid_.points, grid_.points}});
  }
  const std::vector<T> table = tableFor(p_, table_);
  packets_ = packetsOf(p_);
  measureGain();
  usePotential(table);
  useTimeStep();
  begin(packets_);
  noteTouching(psi_.data(), wholePlane(grid_));
}

// Image and formula as a table of this rank's rows on the host; empty for the other potentials.
template <class T>
std::vector<T> PlaneSimulation<T>::tableFor(const Parameters& p, TableNotes& notes) {
  notes = {};
  if (p.potential == Potential::Formula) {
    return forParameter("formula",
                        [&] { return formulaPotential<T>(p.formula, gridOf(p), slab_, device_.get(), &notes); });
  }
  if (p.potential != Potential::Image) return {};
  if (!picture_ || picture_file_ != p.image_file) {
    picture_ = forParameter("image_file", [&] { return image::readSharedImage(*device_, p.image_file); });
    picture_file_ = p.image_file;
  }
  notes = {.jumps = true, .narrowest = textureOf(*picture_, gridOf(p))};
  return imagePotential<T>(*picture_, gridOf(p), slab_, p.image_height);
}

template <class T>
void PlaneSimulation<T>::usePotential(const std::vector<T>& table) {
  if (!table.empty()) {
    device_->upload(potential_.data() + slab_.at(0, slab_.first), table.data(), table.size() * sizeof(T));
  } else if (!isTable(p_.potential)) {
    fillPotential(*device_, potential_.data(), static_cast<const Numbers&>(p_), slab_);
  }
  refreshLandscape();
  fitLayer();
}

// What follows from V and its walls but the phase factors.
template <class T>
void PlaneSimulation<T>::refreshLandscape() {
  measured_.potential = rangeOf(*device_, potential_.data(), walls(), p_, slab_);
  measured_.walls = hasWalls();
  measured_.jumps = table_.jumps;
  measured_.begun = begunAs(p_, packets_);
  outline_energy_ = -std::numeric_limits<double>::infinity();
  for (Begun& each : measured_.begun) {
    each.potential = potentialAtPlace(each.packet.x, each.packet.y);
    outline_energy_ = std::max(outline_energy_, each.packet.kineticEnergy() + each.potential);
  }
  landscape_seen_ = false;
  start_energy_ = startEnergy();
  refreshScreen();
}

// The waves with which a packet comes to the edges that it reaches first: those of one axis, from the potential where
// it began to that in the middle of either edge. A slow packet spreads to all of them. What is four times as slow as
// the packet does not come in time.
template <class T>
std::vector<Outgoing> PlaneSimulation<T>::outgoing() {
  std::vector<Outgoing> all;
  if (!p_.absorbing_edges) return all;
  const double half = 0.5 * grid_.length, middle = 0.9 * half;
  std::array<std::optional<double>, 4> known;
  const auto edge = [&](std::size_t which) {
    const double at = which % 2 ? middle : -middle;
    if (!known[which]) known[which] = which < 2 ? potentialAtPlace(at, 0) : potentialAtPlace(0, at);
    return *known[which];
  };
  for (const Begun& each : measured_.begun) {
    const Packet& packet = each.packet;
    const double spread = packet.momentumWidth();
    const auto arrival = [half](double x, double k) {
      return k != 0.0 ? (half - (k > 0.0 ? x : -x)) / std::fabs(k) : std::numeric_limits<double>::infinity();
    };
    const auto add = [&](double k, std::size_t first) {
      k = std::fabs(k);
      const Outgoing waves = k < spread ? Outgoing{{spread, 1.0}} : absorbing::wavesOf(k, spread);
      for (std::size_t i = first; i < first + 2; ++i) {
        Outgoing arriving;
        for (const absorbing::Wave& wave : waves) {
          const double square = wave.k * wave.k + 2.0 * (each.potential - edge(i));
          if (wave.k > 0.25 * k && square > 0.0) arriving.push_back({std::sqrt(square), wave.share});
        }
        if (!arriving.empty()) all.push_back(arriving);
      }
    };
    const bool slow = packet.momentum() < spread,
               along_x = arrival(packet.x, packet.kx) <= arrival(packet.y, packet.ky);
    if (slow || along_x) add(packet.kx, 0);
    if (slow || !along_x) add(packet.ky, 2);
  }
  return all;
}

template <class T>
void PlaneSimulation<T>::fitLayer() {
  const std::vector<Outgoing> waves = outgoing();
  const absorbing::Layer layer = layerFor(p_, measured_.begun, waves);
  measured_.layer = layer.width;
  measured_.missed = p_.absorbing_edges ? missedOf(layer, waves) : 0.0;
  measured_.absorbing_length = measured_.missed > kMostMissed ? lengthThatAbsorbs(p_, measured_.begun, waves) : 0.0;
  if (layer.width == layer_.width && layer.wave_number == layer_.wave_number && !layer_is_new_) return;
  layer_ = layer;
  layer_is_new_ = true;
  std::vector<double> rates(static_cast<std::size_t>(grid_.points));
  for (int i = 0; i < grid_.points; ++i) {
    rates[static_cast<std::size_t>(i)] = absorptionAt(layer_, grid_.x(i), grid_.length);
  }
  rates_.upload(rates);
}

// When a packet or a wall is new, the largest density on a jump, by the peak of ψ.
template <class T>
void PlaneSimulation<T>::noteTouching(const Complex<T>* psi, const CellRange& box) {
  const double least = kJumpShare * leastEnergy(measured_.begun);
  if (!seesTable() || !(least > 0.0)) return;
  const double density = densityOnJumps(*device_, psi, potential_.data(), walls(), p_, least, box, slab_);
  measured_.touching = std::max(measured_.touching, density);
}

// V without walls.
template <class T>
double PlaneSimulation<T>::potentialAtPlace(double x, double y) {
  const auto wrapped = [this](double at) { return grid_.nearest(std::remainder(at, grid_.length)); };
  return valueAt(*device_, potential_.data(), wrapped(x), wrapped(y), slab_);
}

template <class T>
void PlaneSimulation<T>::refreshScreen() {
  const double x = grid_.x(grid_.nearest(p_.screen_x));
  has_theory_ = hasSlits(p_) && !hasWalls() && packets_.count == 1 && x * packets_.first().x < 0.0 &&
                slitTheoryIsShort(p_, packets_.first());
  if (!has_theory_) return;
  std::vector<float> theory(static_cast<std::size_t>(grid_.points));
  for (int j = 0; j < grid_.points; ++j) {
    theory[static_cast<std::size_t>(j)] = static_cast<float>(slitDensity(p_, packets_.first(), x, grid_.x(j)));
  }
  theory_.upload(theory);
}

template <class T>
void PlaneSimulation<T>::setKinetic(double time_step) {
  const double magnitude = 1.0 / grid_.points;  // of a pair of transforms along one axis
  std::vector<Complex<T>> factors;
  for (int j = 0; j < grid_.points; ++j) {
    const double k = grid_.k(j), phase = -0.5 * k * k * time_step;
    factors.push_back({static_cast<T>(magnitude * std::cos(phase)), static_cast<T>(magnitude * std::sin(phase))});
  }
  propagator_->setKinetic(factors, factors);
}

template <class T>
void PlaneSimulation<T>::useTimeStep() {
  setKinetic(p_.time_step);
  makeFactors(wholePlane(grid_));
}

template <class T>
void PlaneSimulation<T>::makeFactors(const CellRange& box) {
  fillFactors(*device_, half_.data(), potential_.data(), walls(), rates_.data(), p_, gain_,
              layer_is_new_ ? wholePlane(grid_) : box, slab_);
  layer_is_new_ = false;
}

// On the packet itself. The gain is part of the state, so that a loaded one continues as it would have.
template <class T>
void PlaneSimulation<T>::measureGain() {
  if constexpr (sizeof(T) == sizeof(float)) {
    setKinetic(p_.time_step);
    fillConstant(*device_, half_.data(), half_.size(), Complex<T>{1, 0});  // until makeFactors()
    fill(phi_.data(), packetsOf(p_));
    const auto norm = [this] { return normOf(*device_, phi_.data(), slab_); };
    gain_ = compute::transformGain(4, norm, [this](int n) { propagator_->advance(phi_.data(), half_.data(), n); });
  }
  gain_time_step_ = p_.time_step;
}

template <class T>
void PlaneSimulation<T>::reset(std::uint64_t seed) {
  seed_ = seed;  // nothing is drawn at random
  steps_ = 0;
  time_ = 0;
  packets_ = packetsOf(p_);
  const bool other_gain = gain_time_step_ != p_.time_step;
  if (other_gain) measureGain();
  if (hasWalls() || other_gain) {
    dropWalls();
    useTimeStep();
  }
  past_known_ = true;
  refreshLandscape();
  fitLayer();
  if (layer_is_new_) makeFactors(wholePlane(grid_));
  begin(packets_);
  noteTouching(psi_.data(), wholePlane(grid_));
}

template <class T>
void PlaneSimulation<T>::change(const ParameterSet& parameters) {
  const Parameters p = binding().read(parameters);
  Parameters elsewhere = p;  // where the screen is changes nothing else
  elsewhere.screen_x = p_.screen_x;
  const auto changed = [&](const char* key, bool differs) {
    return differs && parameters.matters(parameters.find(key));
  };
  const bool new_table = p.potential != p_.potential || changed("formula", p.formula != p_.formula) ||
                         changed("image_file", p.image_file != p_.image_file) ||
                         changed("image_height", p.image_height != p_.image_height);
  TableNotes notes = table_;
  const std::vector<T> table = new_table ? tableFor(p, notes) : std::vector<T>();  // throws before anything has changed

  if (p.absorbing_edges != p_.absorbing_edges && p_.absorbing_edges) closed_norm_ = norm(psi_.data());
  const bool other_omega = changed("omega", p.omega != p_.omega);
  const bool other_motion = p.potential != p_.potential || other_omega || p.absorbing_edges != p_.absorbing_edges;
  if (other_motion && time_ > packets_.each[0].since) followed_ = false;
  const bool only_screen = elsewhere == p_;
  const bool other_jumps = new_table || (hasWalls() && p.barrier_height != p_.barrier_height);
  p_ = p;
  table_ = notes;
  if (only_screen) {
    refreshScreen();
  } else {
    usePotential(table);
    useTimeStep();
    if (other_jumps) {
      measured_.touching = 0;
      noteTouching(psi_.data(), wholePlane(grid_));
    }
  }
}

template <class T>
void PlaneSimulation<T>::step(int n) {
  if (n <= 0) return;
  phi_fresh_ = false;
  for (int i = 0; i < n; ++i) time_ += p_.time_step;  // the same bits however a run is cut into batches
  while (n > 0) {
    const auto left = static_cast<int>(kTakenEvery - steps_ % kTakenEvery);
    const int now = p_.absorbing_edges ? std::min(n, left) : n;
    propagator_->advance(psi_.data(), half_.data(), now);
    steps_ += now;
    n -= now;
    if (p_.absorbing_edges && now == left) {
      addTaken(*device_, taken_.data(), psi_.data(), rates_.data(), grid_, slab_, kTakenEvery * p_.time_step);
    }
  }
}

template class PlaneSimulation<float>;
template class PlaneSimulation<double>;

std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters, Route route) {
  if (binding().read(parameters).precision == Precision::Double) {
    return std::make_unique<PlaneSimulation<double>>(std::move(device), parameters, route);
  }
  return std::make_unique<PlaneSimulation<float>>(std::move(device), parameters, route);
}

std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters) {
  return create(std::move(device), parameters, Route::Fastest);
}

namespace {

// Three frames, and what lies along lines.
double bytesToShow(const Parameters& p) {
  const double n = p.grid_points;
  const auto side = [&](int most) { return std::min(n, static_cast<double>(most)); };
  const double frame =
      4 * (5 * side(kPresented) * side(kPresented) + side(kPresentedMomentum) * side(kPresentedMomentum) +
           2 * side(kPresentedCurrent) * side(kPresentedCurrent) + 5 * n);
  return 3 * frame + (256 + 2 * kMostPackets * 16) * n + (1 << 20);
}

}  // namespace

int mostRanks(const ParameterSet& parameters) {
  const int n = binding().read(parameters).grid_points;
  return std::min(compute::mostSlabs(n, haloOf(n)), compute::mostTransformRanks(n));
}

double memoryOfRank(const ParameterSet& parameters, int ranks) {
  const Parameters p = binding().read(parameters);
  const double n = p.grid_points, element = p.precision == Precision::Double ? 16 : 8;
  const double rows = compute::largestSlab(p.grid_points, ranks) + 2.0 * haloOf(p.grid_points);
  const double transform = p.precision == Precision::Double ? compute::SlabFft<double>::bytes(p.grid_points, ranks)
                                                            : compute::SlabFft<float>::bytes(p.grid_points, ranks);
  // ψ, φ, the factors, V, walls; the transform with what cuFFT takes for a piece; the copy of the watch; sums of bands;
  // and of the frames all, as rank 0 has them.
  // V in double precision while its features are searched.
  const double landscape = rows * n * 8;
  const double slabs = rows * n * (3 * element + element / 2 + 4);
  const double piece = n * n / compute::restsFor(p.grid_points, ranks) * element;
  const double watched = n * n * element <= static_cast<double>(Stepper::kWatchedBytes) ? rows * n * element : 0;
  return slabs + landscape + transform + 2 * piece + watched + 12 * n * (rows / kBand + 2) + bytesToShow(p);
}

double memoryNeeded(const ParameterSet& parameters, compute::Backend backend) {
  const Parameters p = binding().read(parameters);
  const double n = p.grid_points, points = n * n;
  const double real = p.precision == Precision::Double ? 8 : 4;
  // ψ, φ, the factors, V, walls, sums of bands, to show and of what was absorbed; cuFFT's work area, or on the CPU a
  // table from the host.
  double bytes = points * (3 * 2 * real + real + 4 + 4.0 / kBand + 8.0 / kBand);
  bytes += backend == compute::Backend::Cuda ? points * 2 * real : points * real;
  return bytes + bytesToShow(p);
}

}  // namespace simscope::schrodinger2d
