#include "sims/eigenstates/simulation.h"

#include <algorithm>
#include <cmath>

#include "sims/core/archive.h"
#include "sims/eigenstates/potential.h"

namespace simscope::eigenstates {

using superposition::Kind;
namespace {

constexpr double kAnything = 1e-9;  // less of a state is nothing

// Whether one of these differs among parameters that matter now or did.
bool anyDiffers(const ParameterSet& a, const ParameterSet& b, const std::vector<std::string>& keys) {
  return std::any_of(keys.begin(), keys.end(), [&](const std::string& key) {
    const std::size_t i = a.find(key);
    return a[i] != b[i] && (a.matters(i) || b.matters(i));
  });
}

}  // namespace

EigenstatesSimulation::EigenstatesSimulation(compute::DevicePtr device, const ParameterSet& parameters)
    : Simulation(eigenstates::description(), std::move(device), parameters),
      problem_(device_, binding().read(parameters)),
      coefficients_(count()),
      psi_(device_, static_cast<std::size_t>(p().grid_points)),
      exact_psi_(device_, psi_.size()) {}

void EigenstatesSimulation::reset(std::uint64_t seed) {
  seed_ = seed;  // nothing is drawn at random
  steps_ = 0;
  by_hand_ = superposed_ = false;
  problem_.setDrawn(std::vector<double>(problem_.drawn().size()));
  evolve();
}

void EigenstatesSimulation::change(const ParameterSet& parameters) {
  const Parameters next = binding().read(parameters);
  problem_.pose(next);
  std::vector<std::string> keys = superposition::keys();
  keys.insert(keys.end(), {"packet_x", "packet_k", "packet_width"});
  if (next.superposition == Kind::Single || next.superposition == Kind::Two) keys.push_back("state");
  if (anyDiffers(parameters, parameters_, keys)) by_hand_ = superposed_ = false;
  if (!problem_.solved()) superposed_ = false;
  carpet_time_ = 0;
  psi_steps_ = -1;
}

void EigenstatesSimulation::solve() {
  problem_.solve();
  if (superposed_) return;
  superposed_ = true;
  carpet_time_ = 0;
  psi_steps_ = -1;
  packet_kept_ = 1;
  if (by_hand_) return;
  coefficients_ = superposition::coefficientsOf(p(), p().states);
  if (!p().packet()) return;
  const std::vector<Complex<double>> packet = packetOn(p(), problem_.grid());
  const Wave held(device_, std::span<const Complex<double>>(packet));
  coefficients_ = overlaps(device_, problem_.states(), held);
  double sum = 0, whole = 0;
  for (const Complex<double>& c : coefficients_) sum += norm2(c);
  for (const Complex<double>& each : packet) whole += norm2(each) * problem_.grid().h;
  // Beyond the walls there is nothing to hold; a packet that stands there is not held at all.
  packet_kept_ = sum / std::max(1.0, whole);
  if (!(sum > 1e-12)) {
    coefficients_.assign(count(), {});
    coefficients_[0] = {1, 0};
    return;
  }
  for (Complex<double>& c : coefficients_) c = (1 / std::sqrt(sum)) * c;
}

void EigenstatesSimulation::evolve() {
  solve();
  if (psi_steps_ == steps_) return;
  superpose(problem_.states(), turned(coefficients_, problem_.energies(), time()), psi_);
  psi_steps_ = steps_;
}

// Every step is evaluated for itself, from the phases at its time: n of them are the last one.
void EigenstatesSimulation::step(int count) {
  for (int i = 0; i < count; ++i) {
    ++steps_;
    evolve();
  }
}

bool EigenstatesSimulation::packetHolds() const {
  return p().packet() && !by_hand_ && packet_kept_ > 0.999;
}

const Wave* EigenstatesSimulation::exactWave() {
  const States* states = problem_.exactStates();
  if (!states) return nullptr;
  for (std::size_t n = problem_.exactLevels().size(); n < count(); ++n) {
    if (norm2(coefficients_[n]) > kAnything) return nullptr;
  }
  superpose(*states, turned(coefficients_, problem_.exactLevels(), time()), exact_psi_);
  return &exact_psi_;
}

double EigenstatesSimulation::meanPositionExact() {
  // Ehrenfest: ⟨x⟩ of any packet moves in an oscillator as a particle would.
  if (p().potential == Potential::Harmonic && p().tilt == 0 && !problem_.altered() && packetHolds()) {
    const double angle = p().omega * time();
    return p().packet_x * std::cos(angle) + p().packet_k / p().omega * std::sin(angle);
  }
  const Wave* const exact = exactWave();
  if (!exact) return NAN;
  const WaveSums sums = sumsOf(*exact, problem_.hamiltonian(), problem_.grid());
  return sums.x / sums.norm;
}

// |⟨ψ(0)|ψ(t)⟩|²: 1 where everything is as it was.
double EigenstatesSimulation::autocorrelation() const {
  double re = 0, im = 0;
  for (std::size_t n = 0; n < count(); ++n) {
    const double weight = norm2(coefficients_[n]), phase = -problem_.energies()[n] * time();
    re += weight * std::cos(phase);
    im += weight * std::sin(phase);
  }
  return re * re + im * im;
}

void EigenstatesSimulation::diagnostics(std::span<double> values) {
  evolve();
  const WaveSums sums = sumsOf(psi_, problem_.hamiltonian(), problem_.grid());
  const std::vector<double>&energies = problem_.energies(), &exact = problem_.exactLevels();
  const auto state = static_cast<std::size_t>(std::min(p().state, p().states - 1));
  double mean = 0, whole = 0, worst = exact.empty() ? NAN : 0;
  for (std::size_t n = 0; n < count(); ++n) {
    whole += norm2(coefficients_[n]);
    mean += norm2(coefficients_[n]) * energies[n];
  }
  const auto drawn = static_cast<std::size_t>(problem_.drawnStates());
  for (std::size_t n = 0; n < std::min(drawn, exact.size()); ++n) {
    worst = std::max(worst, std::abs(energies[n] - exact[n]));
  }
  const std::vector<double>& residuals = problem_.residuals();
  values[kNorm] = sums.norm;
  values[kEnergy] = sums.energy / sums.norm;
  values[kEnergyDrift] = values[kEnergy] - mean / whole;
  values[kMeanPosition] = sums.x / sums.norm;
  values[kMeanPositionExact] = meanPositionExact();
  values[kReturn] = autocorrelation();
  values[kRevivalTime] = p().potential == Potential::Box ? boxRevival(p().length) : NAN;
  values[kLevel] = energies[state];
  values[kLevelExact] = state < exact.size() ? exact[state] : NAN;
  values[kLevelsError] = worst;
  values[kSplitting] = problem_.splitting();
  values[kOrthonormality] = problem_.orthonormality();
  values[kResidual] = *std::max_element(residuals.begin(), residuals.end());
  values[kPacketKept] = p().packet() && !by_hand_ ? packet_kept_ : NAN;
  findings_ = findingsFor(p(), problem_.grid(),
                          {problem_.potential(), energies, drawn, coefficients_, by_hand_ ? 1 : packet_kept_,
                           problem_.splitting(), problem_.coarser(), exact});
}

std::vector<Finding> EigenstatesSimulation::check(std::span<const double>) const {
  return findings_;
}

bool EigenstatesSimulation::finite() {
  evolve();
  const WaveSums sums = sumsOf(psi_, problem_.hamiltonian(), problem_.grid());
  return std::isfinite(sums.norm + sums.x + sums.energy);
}

std::string EigenstatesSimulation::likelyCauseOfNaN() const {
  return "The solver only produces finite numbers. The loaded state contained one that is not finite, or the device's "
         "memory failed. Reset the run, or try --device cpu.";
}

Throughput EigenstatesSimulation::throughput() const {
  const double n = p().grid_points, k = p().states;
  return {"points/s", n, n * (8 * k + 16), 4 * n * k};
}

void EigenstatesSimulation::visit(Archive& archive) {
  const auto points = static_cast<std::size_t>(p().grid_points);
  archive.buffer("states", "φ_n at the grid's points, state by state [length^-1/2]", {count(), points}, problem_.phi(),
                 device_, {-1e4, 1e4});
  archive.values<double>(
      "energies", "their energies [ħ²/(m·length²)], ascending", {count()}, [this] { return problem_.energies(); },
      [this](std::vector<double> energies) { problem_.take(std::move(energies)); }, {-1e12, 1e12});
  archive.values<Complex<double>>(
      "coefficients", "c_n of the superposition at t = 0", {count()}, [this] { return coefficients_; },
      [this](std::vector<Complex<double>> c) { coefficients_ = std::move(c); }, {-1e3, 1e3});
  archive.values<double>(
      "drawn", "potential that the mouse has added to V at the grid's points [ħ²/(m·length²)]", {points},
      [this] { return problem_.drawn(); },
      [this](std::vector<double> drawn) {
        // The states that come with it are solved already.
        const std::vector<double> energies = problem_.energies();
        problem_.setDrawn(std::move(drawn));
        problem_.take(energies);
      },
      {-4 * kHighest, 4 * kHighest});
  archive.number("by_hand", by_hand_);
  archive.number("packet_kept", packet_kept_, {0, 1e6});
}

void EigenstatesSimulation::loaded(const State&) {
  superposed_ = true;
  carpet_time_ = 0;
  psi_steps_ = -1;
  findings_.clear();
}

std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters) {
  return std::make_unique<EigenstatesSimulation>(std::move(device), parameters);
}

}  // namespace simscope::eigenstates
