#include "sims/eigenstates2d/solver.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "sims/eigenstates2d/ritz.h"

namespace simscope::eigenstates2d {
namespace {

// Levels nearer than this, relative to 1 + |E|, are one that is degenerate: the pair of a deep double well, too, whose
// states then are even and odd.
constexpr double kDegenerate = 1e-7;
constexpr double kGain = 3.3;  // of the filter: the lowest state gains exp(2 kGain)/2 on the highest of the block
constexpr int kFewest = 8, kMost = 600;

}  // namespace

Solver::Solver(compute::DevicePtr device, const Parameters& parameters)
    : device_(std::move(device)), p_(parameters), states_wanted_(p_.states), block_(p_.block()) {
  const Grid grid = gridOf(p_);
  base_ = potentialOn(p_, grid);
  drawn_.resize(grid.size());
  landscape_ = landscapeOf(p_, base_, drawn_, block_);
  const std::size_t all = static_cast<std::size_t>(block_) * grid.size();
  states_ = compute::Buffer<double>(device_, all);
  other_ = compute::Buffer<double>(device_, all);
  diagonal_ = compute::Buffer<double>(device_, grid.size());
  potential_ = compute::Buffer<double>(device_, grid.size());
  energies_.resize(static_cast<std::size_t>(block_));
  residuals_.resize(static_cast<std::size_t>(states_wanted_));
  upload();
}

Operator Solver::hamiltonian() const {
  return {landscape_.grid.points, landscape_.near, landscape_.far, diagonal_.data()};
}

void Solver::upload() {
  diagonal_.upload(landscape_.diagonal);
  potential_.upload(landscape_.v);
  altered_ = std::any_of(drawn_.begin(), drawn_.end(), [](double each) { return each != 0; });
}

bool Solver::pose(const Parameters& parameters) {
  Base base = potentialOn(parameters, gridOf(parameters));
  Landscape next = landscapeOf(parameters, base, drawn_, block_);
  const bool same = next.diagonal == landscape_.diagonal && next.near == landscape_.near;
  const bool stricter = parameters.tolerance < p_.tolerance;
  p_ = parameters;
  base_ = std::move(base);
  if (same) {
    if (stricter && progress_.converged) progress_.converged = convergedStates() == states_wanted_;
    return false;
  }
  landscape_ = std::move(next);
  upload();
  restart(true);
  return true;
}

void Solver::setDrawn(std::vector<double> drawn) {
  if (drawn == drawn_) return;
  landscape_ = landscapeOf(p_, base_, drawn, block_);
  drawn_ = std::move(drawn);
  upload();
  restart(true);
}

void Solver::takeDrawn(std::vector<double> drawn) {
  landscape_ = landscapeOf(p_, base_, drawn, block_);
  drawn_ = std::move(drawn);
  upload();
  ++version_;
}

void Solver::start(std::uint64_t seed) {
  seed_ = seed;
  progress_ = {};
  fillRandom(*device_, hamiltonian(), 0, block_, seed_, 0, states_.data());
  restart(false);
}

// The present states belong to another potential; guards are drawn anew, for a symmetry that the old one had may keep
// levels of the new one out of all old states. Within the block H is diagonalised at once.
void Solver::restart(bool with_guards) {
  const Operator h = hamiltonian();
  if (with_guards) {
    ++progress_.restarts;
    fillRandom(*device_, h, states_wanted_, block_, seed_, static_cast<std::uint32_t>(progress_.restarts),
               states_.data());
    // What was inside the walls may be outside now.
    device_->copy(other_.data(), states_.data(), states_.bytes());
    applyTerm(*device_, h, block_, {0, 0, -1, nullptr}, other_.data(), states_.data(), states_.data());
  }
  progress_.fresh = true;
  progress_.converged = false;
  progress_.iterations = 0;
  residual_history_.clear();
  energy_history_.clear();
  rayleighRitz();
  measure();
}

int Solver::chosenDegree(double low, double edge) const {
  if (p_.degree > 0) return p_.degree;
  const double chosen = kGain * std::sqrt((landscape_.bound - edge) / (edge - low));
  return std::clamp(static_cast<int>(std::ceil(chosen)), kFewest, kMost);
}

// Scaled so that `low` keeps its size: σ and τ as in the paper's algorithm 4.3.
void Solver::filter(double low, double edge) {
  const Operator h = hamiltonian();
  const double half = 0.5 * (landscape_.bound - edge), centre = 0.5 * (landscape_.bound + edge);
  double sigma = half / (low - centre);
  const double tau = 2 / sigma;
  std::vector<Term> terms = {{sigma / half, centre, 0, nullptr}};
  for (int i = 1; i < progress_.degree; ++i) {
    const double next = 1 / (tau - sigma);
    terms.push_back({2 * next / half, centre, sigma * next, nullptr});
    sigma = next;
  }
  applyTerms(*device_, h, block_, terms, states_.data(), other_.data());
  if (terms.size() % 2 == 1) std::swap(states_, other_);
}

void Solver::rayleighRitz() {
  constexpr int kTries = 5;
  const Operator h = hamiltonian();
  const std::size_t points = landscape_.grid.size();
  Ritz ritz;
  for (int tries = 0; tries < kTries; ++tries) {
    applyTerm(*device_, h, block_, {}, states_.data(), states_.data(), other_.data());
    const std::vector<double> b = gramOf(device_, points, block_, states_.data(), states_.data());
    const std::vector<double> a = gramOf(device_, points, block_, states_.data(), other_.data());
    ritz = ritzOf(a, b, block_);
    if (ritz.dependent.empty()) break;
    // Two that have become one, or what a file held: chance makes others.
    ++progress_.restarts;
    for (const int k : ritz.dependent) {
      fillRandom(*device_, h, k, k + 1, seed_, static_cast<std::uint32_t>(progress_.restarts), states_.data());
    }
  }
  if (!ritz.dependent.empty()) {
    throw Error("The states are no longer linearly independent. Reset the run, or choose fewer states.");
  }
  energies_ = ritz.energies;
  rotate(device_, points, block_, states_.data(), ritz.rotation, other_.data());
  std::swap(states_, other_);
  ++version_;
}

// ‖Hφ - Eφ‖, of products with H that are made anew.
void Solver::measure() {
  const compute::Buffer<double> centres(device_, std::span<const double>(energies_));
  applyTerm(*device_, hamiltonian(), states_wanted_, {1, 0, 0, centres.data()}, states_.data(), states_.data(),
            other_.data());
  residuals_ = squaresOf(device_, landscape_.grid.size(), states_wanted_, other_.data());
  for (double& each : residuals_) each = std::sqrt(each);
  if (remembered() >= kRemembered) return;
  residual_history_.insert(residual_history_.end(), residuals_.begin(), residuals_.end());
  energy_history_.insert(energy_history_.end(), energies_.begin(), energies_.begin() + states_wanted_);
}

double Solver::usedTolerance() const {
  return std::max(p_.tolerance, rounding());
}

int Solver::convergedStates() const {
  const double least = usedTolerance();
  const auto first = std::find_if_not(residuals_.begin(), residuals_.end(), [&](double r) { return r <= least; });
  return static_cast<int>(first - residuals_.begin());
}

void Solver::iterate() {
  if (progress_.converged) return;
  const auto start = std::chrono::steady_clock::now();
  double low = energies_.front(), edge = energies_.back();
  const double top = landscape_.bound, room = 1e-6 * (top - landscape_.lowest);
  if (progress_.fresh || !(low + room < edge) || !(edge + room < top)) low = landscape_.lowest, edge = landscape_.edge;
  progress_.fresh = false;
  edge = std::min(edge, top - 0.1 * (top - low));
  progress_.degree = chosenDegree(low, edge);
  filter(low, edge);
  rayleighRitz();
  measure();
  ++progress_.iterations;
  if (convergedStates() == states_wanted_) {
    progress_.converged = true;
    settle();
  }
  milliseconds_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void Solver::settle() {
  const auto n = static_cast<std::size_t>(block_);
  const int side = landscape_.grid.points;
  std::vector<double> q(n * n);
  for (std::size_t i = 0; i < n; ++i) q[i * n + i] = 1;
  for (int from = 0, to; from < states_wanted_; from = to) {
    to = from + 1;
    const auto level = [&](int k) { return energies_[static_cast<std::size_t>(k)]; };
    while (to < block_ && level(to) - level(to - 1) < kDegenerate * (1 + std::abs(level(to)))) ++to;
    const int size = to - from;
    if (size == 1) continue;
    std::vector<Pair> pairs;
    for (int a = from; a < to; ++a) {
      for (int b = from; b < to; ++b) pairs.push_back({a, b});
    }
    // The kinetic energy in units of the level's own, and small beside the parities.
    const double cell = landscape_.grid.h * landscape_.grid.h;
    const double kinetic = 0.1 / (2 * cell * std::max(std::abs(level(from) - landscape_.lowest), 1e-6));
    std::vector<double> a = distinctions(device_, side, pairs, states_.data(), kinetic);
    const auto width = static_cast<std::size_t>(size);
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        a[i * width + j] = a[j * width + i] = 0.5 * (a[i * width + j] + a[j * width + i]);
      }
    }
    const std::vector<double> vectors = symmetricVectors(a, size);
    for (std::size_t k = 0; k < width; ++k) {
      for (std::size_t i = 0; i < width; ++i) {
        q[(static_cast<std::size_t>(from) + k) * n + static_cast<std::size_t>(from) + i] = vectors[k * width + i];
      }
    }
  }
  rotate(device_, landscape_.grid.size(), block_, states_.data(), q, other_.data());
  std::swap(states_, other_);
  // What a plane wave of an odd direction has of a state is next to never 0: it is made positive.
  std::vector<Complex<double>> lines;
  for (const double steepness : {1.7, 1.1}) {
    for (int i = 0; i < side; ++i) {
      lines.push_back({std::exp(steepness * landscape_.grid.x(i) / std::max(0.25 * p_.length, 1e-9)), 0});
    }
  }
  const compute::Buffer<Complex<double>> held(device_, std::span<const Complex<double>>(lines));
  const std::vector<Complex<double>> parts = overlapsOf(device_, side, states_wanted_, states_.data(), held.data());
  std::fill(q.begin(), q.end(), 0.0);
  for (std::size_t i = 0; i < n; ++i) q[i * n + i] = i < parts.size() && parts[i].re < 0 ? -1 : 1;
  rotate(device_, landscape_.grid.size(), block_, states_.data(), q, other_.data());
  std::swap(states_, other_);
  ++version_;
}

double Solver::orthonormality() const {
  const std::vector<double> gram =
      gramOf(device_, landscape_.grid.size(), states_wanted_, states_.data(), states_.data());
  const auto n = static_cast<std::size_t>(states_wanted_);
  double worst = 0;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) worst = std::max(worst, std::abs(gram[a * n + b] - (a == b)));
  }
  return worst;
}

std::vector<double> Solver::history() const {
  const std::size_t each = static_cast<std::size_t>(states_wanted_) * kRemembered;
  std::vector<double> all = residual_history_;
  all.resize(each);
  all.insert(all.end(), energy_history_.begin(), energy_history_.end());
  all.resize(2 * each);
  return all;
}

void Solver::takeHistory(const std::vector<double>& history) {
  const auto half = static_cast<std::ptrdiff_t>(history.size() / 2);
  const auto known = std::min<std::ptrdiff_t>(half, std::ptrdiff_t{progress_.iterations + 1} * states_wanted_);
  residual_history_.assign(history.begin(), history.begin() + known);
  energy_history_.assign(history.begin() + half, history.begin() + half + known);
  ++version_;
}

}  // namespace simscope::eigenstates2d
