// What a run shows and tells: frames, diagnostics, findings, and what is exact beside them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sims/schrodinger2d/plane_simulation.h"

namespace simscope::schrodinger2d {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace

template <class T>
bool PlaneSimulation<T>::exactNow() const {
  return followed_ && !hasWalls() && exactHolds(p_, packets_, time_, openHalf());
}

// What is exact where that is known, else what there was when the last packet had started.
template <class T>
ExactWave PlaneSimulation<T>::expectedWave() const {
  return exactWave(p_, packets_, exactNow() ? time_ : packets_.newest());
}

template <class T>
Momenta<T> PlaneSimulation<T>::momenta() {
  if (phi_fresh_) return momenta_;
  if (slabs_) {
    momenta_ = slabs_->momenta(psi_.data());
  } else {
    device_->copy(phi_.data(), psi_.data(), psi_.bytes());
    fft_->forward(phi_.data());
    momenta_ = {phi_.data()};
  }
  phi_fresh_ = true;
  return momenta_;
}

template <class T>
double PlaneSimulation<T>::norm(const Complex<T>* psi) {
  return positionSums(*device_, psi, potential_.data(), walls(), {}, p_, slab_).norm * grid_.dx * grid_.dx;
}

// When the last packet had started, in the present potential. What those before it had become by then is exact.
template <class T>
double PlaneSimulation<T>::startEnergy() {
  start_kinetic_ = packets_.count == 1 ? packets_.first().kineticEnergy()
                                       : expectationsOf(exactWave(p_, packets_, packets_.newest())).kinetic;
  if (p_.absorbing_edges) return kNaN;  // of what is left it is another
  if (packets_.together()) {
    fill(phi_.data(), packets_);
  } else {
    superpose<T>(*device_, phi_.data(), nullptr, 0.0, linesOf(exactWave(p_, packets_, packets_.newest())), grid_,
                 slab_);
  }
  phi_fresh_ = false;
  const PositionSums s = positionSums(*device_, phi_.data(), potential_.data(), walls(), {}, p_, slab_);
  return start_kinetic_ + s.v / s.norm;
}

template <class T>
void PlaneSimulation<T>::present(Frame& frame) {
  Presented<T> what{};
  what.slab = slab_;
  what.psi = psi_.data();
  if (frame.wants("momentum")) what.momenta = momenta();
  what.potential = potential_.data();
  what.walls = walls();
  what.theory = has_theory_ ? theory_.data() : nullptr;
  what.range = measured_.potential;
  what.energy = outline_energy_;
  what.packets = packets_;
  what.expected = expectedWave();
  what.exact_holds = exactNow();
  presentPlane(frame, p_, what, scratch_);
}

template <class T>
void PlaneSimulation<T>::diagnostics(std::span<double> values) {
  const bool exact = exactNow();
  const ExactWave wave = expectedWave();
  const Expectations expected = exact ? expectationsOf(wave) : Expectations{kNaN, kNaN, kNaN, kNaN, kNaN};
  const PositionSums s =
      positionSums(*device_, psi_.data(), potential_.data(), walls(), exact ? linesOf(wave) : PacketLines{}, p_, slab_);
  const MomentumSums m = momentumSums(*device_, momenta(), grid_);
  const double cell = grid_.dx * grid_.dx;
  const bool from_right = std::remainder(packets_.first().x, grid_.length) > 0.0;
  const auto spread = [&](double mean, double squares) {
    return std::sqrt(std::max(0.0, squares / s.norm - mean * mean));
  };
  const double norm = s.norm * cell, x = s.x / s.norm, y = s.y / s.norm;
  values[kNorm] = norm;
  values[kEnergy] = 0.5 * m.kk / m.norm + s.v / s.norm;
  const double absorbed = 1.0 - (p_.absorbing_edges ? norm : closed_norm_);
  // What was absorbed counts where that happened; what was so before anybody looked, where the packet came from.
  const Sides taken = takenOn(*device_, taken_.data(), grid_, slab_, edgesOf(p_));
  const double all_taken = taken.left + taken.between + taken.right;
  const double far = from_right ? taken.left : taken.right, near = from_right ? taken.right : taken.left;
  const double far_share = all_taken > 0.0 ? far / all_taken : 0.0,
               near_share = all_taken > 0.0 ? near / all_taken : 1.0;
  values[kTransmitted] = (from_right ? s.left : s.right) * cell + far_share * absorbed;
  values[kReflected] = (from_right ? s.right : s.left) * cell + near_share * absorbed;
  values[kAbsorbed] = absorbed;
  values[kMeanX] = x;
  values[kMeanXExact] = expected.x;
  values[kMeanY] = y;
  values[kMeanYExact] = expected.y;
  values[kWidthX] = spread(x, s.xx);
  values[kWidthXExact] = expected.width_x;
  values[kWidthY] = spread(y, s.yy);
  values[kWidthYExact] = expected.width_y;
  values[kError] = exact ? std::sqrt(s.error / s.exact) : kNaN;
  values[kNormDrift] = p_.absorbing_edges ? kNaN : norm - closed_norm_;
  values[kEnergyDrift] = followed_ ? (values[kEnergy] - start_energy_) / start_kinetic_ : kNaN;
  measured_.edge_probability = s.edge * cell;
  const double kk = m.kk / m.norm;
  // When nearly all is absorbed, what is left is rounding.
  constexpr double kLeft = 0.01;
  const double fast = std::sqrt(kk + 3.0 * std::sqrt(std::max(0.0, m.kkkk / m.norm - kk * kk)));
  measured_.fastest = norm > kLeft ? fast : 0.0;
  measured_.near_limit = norm * (m.near_limit / m.norm);
  if (landscape_seen_) return;
  landscape_seen_ = true;
  measured_.narrowest = std::numeric_limits<double>::infinity();
  if (!seesTable()) return;
  const double least = kFeatureShare * (past_known_ ? leastEnergy(measured_.begun) : 0.5 * kk);
  measured_.narrowest =
      std::min(table_.narrowest, narrowestFeature(*device_, potential_.data(), walls(), p_, least, slab_));
}

template <class T>
std::vector<Finding> PlaneSimulation<T>::check(std::span<const double>) const {
  if (past_known_) return findingsFor(p_, measured_);
  Measured measured = measured_;
  measured.begun.clear();
  return findingsFor(p_, measured);
}

template <class T>
bool PlaneSimulation<T>::finite() {
  return allFinite(*device_, psi_.data(), slab_);
}

template <class T>
std::string PlaneSimulation<T>::likelyCauseOfNaN() const {
  return "A step only multiplies ψ by phases and cannot produce a NaN. The loaded state contained one, or the device's "
         "memory failed. Reset the run, or try --device cpu.";
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

template bool PlaneSimulation<float>::exactNow() const;
template bool PlaneSimulation<double>::exactNow() const;
template ExactWave PlaneSimulation<float>::expectedWave() const;
template ExactWave PlaneSimulation<double>::expectedWave() const;
template Momenta<float> PlaneSimulation<float>::momenta();
template Momenta<double> PlaneSimulation<double>::momenta();
template double PlaneSimulation<float>::norm(const Complex<float>*);
template double PlaneSimulation<double>::norm(const Complex<double>*);
template double PlaneSimulation<float>::startEnergy();
template double PlaneSimulation<double>::startEnergy();
template void PlaneSimulation<float>::present(Frame&);
template void PlaneSimulation<double>::present(Frame&);
template void PlaneSimulation<float>::diagnostics(std::span<double>);
template void PlaneSimulation<double>::diagnostics(std::span<double>);
template std::vector<Finding> PlaneSimulation<float>::check(std::span<const double>) const;
template std::vector<Finding> PlaneSimulation<double>::check(std::span<const double>) const;
template bool PlaneSimulation<float>::finite();
template bool PlaneSimulation<double>::finite();
template std::string PlaneSimulation<float>::likelyCauseOfNaN() const;
template std::string PlaneSimulation<double>::likelyCauseOfNaN() const;
template Throughput PlaneSimulation<float>::throughput() const;
template Throughput PlaneSimulation<double>::throughput() const;

}  // namespace simscope::schrodinger2d
