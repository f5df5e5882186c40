#include "sims/schrodinger2d/simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sims/compute/fourier/transform_gain.h"
#include "sims/schrodinger2d/exact.h"
#include "sims/schrodinger2d/formula.h"
#include "sims/schrodinger2d/image_potential.h"
#include "sims/schrodinger2d/plane_simulation.h"

namespace simscope::schrodinger2d {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr int kTakenEvery = 16;  // steps: a wave crosses an absorbing layer in some hundreds

bool isTable(Potential potential) {
  return potential == Potential::Image || potential == Potential::Formula;
}

}  // namespace

template <class T>
PlaneSimulation<T>::PlaneSimulation(compute::DevicePtr device, const ParameterSet& parameters, Route route)
    : Simulation(schrodinger2d::description(), std::move(device), parameters),
      p_(binding().read(parameters)),
      grid_(gridOf(p_)),
      psi_(device_, grid_.size()),
      phi_(device_, grid_.size()),
      half_(device_, grid_.size()),
      potential_(device_, grid_.size()),
      lines_(device_, 2 * static_cast<std::size_t>(grid_.points)),
      theory_(device_, static_cast<std::size_t>(grid_.points)),
      rates_(device_, static_cast<std::size_t>(grid_.points)),
      taken_(device_, grid_.size() / kTakenBand),
      scratch_(device_, grid_),
      fft_(device_, {.dimensions = {grid_.points, grid_.points}}),
      propagator_(makePropagator<T>(device_, grid_.points, route)) {
  const std::vector<T> table = tableFor(p_);
  start_ = packetOf(p_);
  measureGain();
  usePotential(table);
  useTimeStep();
  begin(start_);
}

// Image and formula as a table on the host; empty for the other potentials.
template <class T>
std::vector<T> PlaneSimulation<T>::tableFor(const Parameters& p) {
  if (p.potential == Potential::Formula) {
    return forParameter("formula", [&] { return formulaPotential<T>(p.formula, gridOf(p)); });
  }
  if (p.potential != Potential::Image) return {};
  if (p.image_file.empty()) {
    throw ParameterError(
        "image_file", "potential = image needs a picture: set image_file to the path of one (PNG, JPEG, BMP, PGM, …)");
  }
  if (!picture_ || picture_file_ != p.image_file) {
    picture_ = forParameter("image_file", [&] { return image::readGreyImage(p.image_file); });
    picture_file_ = p.image_file;
  }
  return imagePotential<T>(*picture_, gridOf(p), p.image_height);
}

template <class T>
void PlaneSimulation<T>::usePotential(const std::vector<T>& table) {
  if (!table.empty()) {
    potential_.upload(table);
  } else if (!isTable(p_.potential)) {
    fillPotential(*device_, potential_.data(), static_cast<const Numbers&>(p_));
  }
  refreshLandscape();
}

// What follows from V and its walls but the phase factors.
template <class T>
void PlaneSimulation<T>::refreshLandscape() {
  measured_.potential = rangeOf(*device_, potential_.data(), walls(), p_);
  measured_.walls = hasWalls();
  const auto wrapped = [this](double at) {
    return static_cast<std::size_t>(grid_.nearest(std::remainder(at, grid_.length)));
  };
  const std::size_t n = static_cast<std::size_t>(grid_.points);
  measured_.start_potential = valueAt(*device_, potential_.data(), wrapped(start_.y) * n + wrapped(start_.x));
  start_energy_ = startEnergy();
  refreshScreen();
}

// Of the packet as it started, in the present potential.
template <class T>
double PlaneSimulation<T>::startEnergy() {
  if (p_.absorbing_edges) return kNaN;  // of what is left it is another
  fill(phi_.data(), start_);
  phi_fresh_ = false;
  const PositionSums s = positionSums(*device_, phi_.data(), potential_.data(), walls(), nullptr, p_);
  return start_.kineticEnergy() + s.v / s.norm;
}

template <class T>
void PlaneSimulation<T>::refreshScreen() {
  const double x = grid_.x(grid_.nearest(p_.screen_x));
  has_theory_ = hasSlits(p_) && !hasWalls() && x * start_.x < 0.0;
  if (!has_theory_) return;
  std::vector<float> theory(static_cast<std::size_t>(grid_.points));
  for (int j = 0; j < grid_.points; ++j) {
    theory[static_cast<std::size_t>(j)] = static_cast<float>(slitDensity(p_, start_, x, grid_.x(j)));
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
  std::vector<double> rates(static_cast<std::size_t>(grid_.points));
  for (int i = 0; i < grid_.points; ++i) rates[static_cast<std::size_t>(i)] = absorptionAt(p_, grid_.x(i));
  rates_.upload(rates);
}

template <class T>
void PlaneSimulation<T>::makeFactors(const CellRange& box) {
  fillFactors(*device_, half_.data(), potential_.data(), walls(), p_, gain_, box);
}

// On the packet itself. The gain is part of the state, so that a loaded one continues as it would have.
template <class T>
void PlaneSimulation<T>::measureGain() {
  if constexpr (sizeof(T) == sizeof(float)) {
    setKinetic(p_.time_step);
    fillConstant(*device_, half_.data(), half_.size(), Complex<T>{1, 0});  // until makeFactors()
    fill(phi_.data(), packetOf(p_));
    const auto norm = [this] { return momentumSums(*device_, phi_.data(), grid_).norm; };
    gain_ = compute::transformGain(4, norm, [this](int n) { propagator_->advance(phi_.data(), half_.data(), n); });
  }
  gain_time_step_ = p_.time_step;
}

template <class T>
void PlaneSimulation<T>::fill(Complex<T>* psi, const Packet& packet) {
  const auto n = static_cast<std::size_t>(grid_.points);
  std::vector<Complex<double>> lines(2 * n);
  const auto line = [&](std::size_t first, double at, double momentum) {
    // Relative to the sample nearest to the centre, so that a packet far narrower than dx does not underflow.
    const auto away = [&](std::size_t i) { return std::remainder(grid_.x(static_cast<int>(i)) - at, grid_.length); };
    double nearest = grid_.length, sum = 0;
    for (std::size_t i = 0; i < n; ++i) nearest = std::min(nearest, std::fabs(away(i)));
    for (std::size_t i = 0; i < n; ++i) {
      const double d = away(i);
      const double envelope = std::exp((nearest * nearest - d * d) / (4.0 * packet.width * packet.width));
      const double phase = momentum * (at + d);
      lines[first + i] = {envelope * std::cos(phase), envelope * std::sin(phase)};
      sum += envelope * envelope;
    }
    for (std::size_t i = 0; i < n; ++i) lines[first + i] = (1.0 / std::sqrt(sum * grid_.dx)) * lines[first + i];
  };
  line(0, packet.x, packet.kx);
  line(n, packet.y, packet.ky);
  lines_.upload(lines);
  fillProduct(*device_, psi, lines_.data(), grid_);
}

template <class T>
void PlaneSimulation<T>::begin(const Packet& packet) {
  fill(psi_.data(), packet);
  phi_fresh_ = false;
  start_ = packet;
  start_time_ = time_;
  followed_ = true;
  closed_norm_ = 1;
  taken_.zero();
  measured_.edge_probability = 0;
}

template <class T>
void PlaneSimulation<T>::reset(std::uint64_t seed) {
  seed_ = seed;  // nothing is drawn at random
  steps_ = 0;
  time_ = 0;
  start_ = packetOf(p_);
  const bool other_gain = gain_time_step_ != p_.time_step;
  if (other_gain) measureGain();
  if (hasWalls() || other_gain) {
    dropWalls();
    useTimeStep();
  }
  refreshLandscape();
  begin(start_);
}

template <class T>
void PlaneSimulation<T>::change(const ParameterSet& parameters) {
  const Parameters p = binding().read(parameters);
  Parameters elsewhere = p;  // where the screen is changes nothing else
  elsewhere.screen_x = p_.screen_x;
  const bool new_table = p.potential != p_.potential || p.formula != p_.formula || p.image_file != p_.image_file ||
                         p.image_height != p_.image_height;
  const std::vector<T> table = new_table ? tableFor(p) : std::vector<T>();  // throws before anything has changed

  if (p.absorbing_edges != p_.absorbing_edges && p_.absorbing_edges) closed_norm_ = norm();
  const bool other_omega = p.omega != p_.omega && parameters.matters(parameters.find("omega"));
  const bool other_motion = p.potential != p_.potential || other_omega || p.absorbing_edges != p_.absorbing_edges;
  if (other_motion && time_ > start_time_) followed_ = false;
  const bool only_screen = elsewhere == p_;
  p_ = p;
  if (only_screen) {
    refreshScreen();
  } else {
    usePotential(table);
    useTimeStep();
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
      addTaken(*device_, taken_.data(), psi_.data(), rates_.data(), grid_, kTakenEvery * p_.time_step);
    }
  }
}

template <class T>
bool PlaneSimulation<T>::exactNow() const {
  return followed_ && !hasWalls() && exactHolds(p_, start_, time_ - start_time_);
}

// The exact packet where there is one, else that of the start.
template <class T>
GaussianPacket PlaneSimulation<T>::expectedPacket() const {
  return exactPacket(p_, start_, exactNow() ? time_ - start_time_ : 0.0);
}

template <class T>
const Complex<T>* PlaneSimulation<T>::momenta() {
  if (!phi_fresh_) {
    device_->copy(phi_.data(), psi_.data(), psi_.bytes());
    fft_.forward(phi_.data());
    phi_fresh_ = true;
  }
  return phi_.data();
}

template <class T>
double PlaneSimulation<T>::norm() {
  return positionSums(*device_, psi_.data(), potential_.data(), walls(), nullptr, p_).norm * grid_.dx * grid_.dx;
}

template <class T>
void PlaneSimulation<T>::present(Frame& frame) {
  Presented<T> what{};
  what.psi = psi_.data();
  what.phi = frame.wants("momentum") ? momenta() : nullptr;
  what.potential = potential_.data();
  what.walls = walls();
  what.theory = has_theory_ ? theory_.data() : nullptr;
  what.range = measured_.potential;
  what.energy = start_.kineticEnergy() + measured_.start_potential;
  what.start = start_;
  what.expected = expectedPacket();
  what.exact_holds = exactNow();
  presentPlane(frame, p_, what, scratch_);
}

template <class T>
void PlaneSimulation<T>::diagnostics(std::span<double> values) {
  const bool exact = exactNow();
  const GaussianPacket expected = expectedPacket();
  if (exact) fillLines(*device_, lines_.data(), expected, grid_);
  const PositionSums s =
      positionSums(*device_, psi_.data(), potential_.data(), walls(), exact ? lines_.data() : nullptr, p_);
  const MomentumSums m = momentumSums(*device_, momenta(), grid_);
  const double cell = grid_.dx * grid_.dx;
  const bool from_right = std::remainder(start_.x, grid_.length) > 0.0;
  const auto spread = [&](double mean, double squares) {
    return std::sqrt(std::max(0.0, squares / s.norm - mean * mean));
  };
  const double norm = s.norm * cell, x = s.x / s.norm, y = s.y / s.norm;
  values[kNorm] = norm;
  values[kEnergy] = 0.5 * m.kk / m.norm + s.v / s.norm;
  const double absorbed = 1.0 - (p_.absorbing_edges ? norm : closed_norm_);
  // What was absorbed counts where that happened; what was so before anybody looked, where the packet came from.
  const Sides taken = takenOn(*device_, taken_.data(), grid_, edgesOf(p_));
  const double all_taken = taken.left + taken.between + taken.right;
  const double far = from_right ? taken.left : taken.right, near = from_right ? taken.right : taken.left;
  const double far_share = all_taken > 0.0 ? far / all_taken : 0.0,
               near_share = all_taken > 0.0 ? near / all_taken : 1.0;
  values[kTransmitted] = (from_right ? s.left : s.right) * cell + far_share * absorbed;
  values[kReflected] = (from_right ? s.right : s.left) * cell + near_share * absorbed;
  values[kAbsorbed] = absorbed;
  values[kMeanX] = x;
  values[kMeanXExact] = exact ? expected.x.centre : kNaN;
  values[kMeanY] = y;
  values[kMeanYExact] = exact ? expected.y.centre : kNaN;
  values[kWidthX] = spread(x, s.xx);
  values[kWidthXExact] = exact ? expected.x.width() : kNaN;
  values[kWidthY] = spread(y, s.yy);
  values[kWidthYExact] = exact ? expected.y.width() : kNaN;
  values[kError] = exact ? std::sqrt(s.error / s.exact) : kNaN;
  values[kNormDrift] = p_.absorbing_edges ? kNaN : norm - closed_norm_;
  values[kEnergyDrift] = followed_ ? (values[kEnergy] - start_energy_) / start_.kineticEnergy() : kNaN;
  measured_.edge_probability = s.edge * cell;
}

template <class T>
std::vector<Finding> PlaneSimulation<T>::check(std::span<const double>) const {
  return findingsFor(p_, measured_);
}

template <class T>
bool PlaneSimulation<T>::finite() {
  return allFinite(*device_, psi_.data(), grid_);
}

template <class T>
std::string PlaneSimulation<T>::likelyCauseOfNaN() const {
  return "Every step multiplies ψ by phases and cannot make a NaN by itself: the state was loaded with one, or the "
         "device's memory failed. Reset the run, or try --device cpu.";
}

template <class T>
Throughput PlaneSimulation<T>::throughput() const {
  const double points = static_cast<double>(grid_.size());
  const double transforms = 2.0 * 5.0 * points * std::log2(points);
  // At the least, ψ is read and written once along the rows and once along the columns, and the potential's factors are
  // read.
  const double bytes = 5.0 * points * sizeof(Complex<T>);
  return {
      .unit = "points/s", .work_per_step = points, .bytes_per_step = bytes, .flops_per_step = transforms + 18 * points};
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

double memoryNeeded(const ParameterSet& parameters, compute::Backend backend) {
  const Parameters p = binding().read(parameters);
  const double n = p.grid_points, points = n * n;
  const double real = p.precision == Precision::Double ? 8 : 4;
  // ψ, φ, the factors, V, walls, sums of bands, to show and of what was absorbed; cuFFT's work area, or on the CPU a
  // table from the host.
  double bytes = points * (3 * 2 * real + real + 4 + 4.0 / PresentScratch::kBand + 8.0 / kTakenBand);
  bytes += backend == compute::Backend::Cuda ? points * 2 * real : points * real;
  const auto side = [&](int most) { return std::min(n, static_cast<double>(most)); };
  const double frame =
      4 * (5 * side(kPresented) * side(kPresented) + side(kPresentedMomentum) * side(kPresentedMomentum) +
           2 * side(kPresentedCurrent) * side(kPresentedCurrent) + 5 * n);
  return bytes + 3 * frame + 256 * n + (1 << 20);
}

}  // namespace simscope::schrodinger2d
