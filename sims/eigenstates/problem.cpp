#include "sims/eigenstates/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

#include "sims/compute/elementary.h"

namespace simscope::eigenstates {
namespace {

constexpr double kDigits = 1e3;  // times the rounding of two levels: with less their difference has few digits

// (-1)^j / sin²(πj/(2(N+1))), Operator::table.
std::vector<double> sineTable(int n) {
  std::vector<double> table = {0};
  for (int j = 1; j < 2 * n + 2; ++j) {
    const double sine = compute::sine(std::numbers::pi * j / (2.0 * (n + 1)));
    table.push_back((j % 2 == 0 ? 1 : -1) / (sine * sine));
  }
  return table;
}

}  // namespace

Problem::Problem(compute::DevicePtr device, const Parameters& parameters)
    : device_(std::move(device)), p_(parameters), grid_(gridOf(parameters)) {
  const auto points = static_cast<std::size_t>(p_.grid_points);
  if (p_.method == Method::Dense) {
    dense_ = makeDenseSolver(*device_);
    if (p_.usedBasis() == Basis::Sine) {
      const std::vector<double> table = sineTable(p_.grid_points);
      table_ = compute::Buffer<double>(device_, std::span<const double>(table));
    }
  }
  drawn_.resize(points);
  potential_ = compute::Buffer<double>(device_, points);
  diagonal_held_ = compute::Buffer<double>(device_, points);
  states_.count = p_.states;
  states_.points = p_.grid_points;
  states_.phi = compute::Buffer<double>(device_, static_cast<std::size_t>(p_.states) * points);
  energies_.resize(static_cast<std::size_t>(p_.states));
  pose(p_);
}

void Problem::pose(const Parameters& parameters) {
  const Grid grid = gridOf(parameters);
  OnGrid base = potentialOn(parameters, grid);
  const bool same = base.diagonal == base_.diagonal && base.v == base_.v && grid.length == grid_.length &&
                    grid.left == grid_.left && solved_;
  p_ = parameters;
  grid_ = grid;
  base_ = std::move(base);
  upload();
  if (same) {  // what is drawn and compared may be other than before
    exact_levels_.reset(), largest_.reset();
  } else {
    forget();
    solved_ = false;
  }
}

void Problem::setDrawn(std::vector<double> drawn) {
  if (drawn == drawn_) return;
  drawn_ = std::move(drawn);
  upload();
  forget();
  solved_ = false;
}

void Problem::take(std::vector<double> energies) {
  energies_ = std::move(energies);
  forget();
  solved_ = true;
}

void Problem::upload() {
  v_ = base_.v;
  diagonal_ = base_.diagonal;
  altered_ = false;
  for (std::size_t i = 0; i < v_.size(); ++i) {
    altered_ = altered_ || drawn_[i] != 0;
    v_[i] = std::clamp(v_[i] + drawn_[i], -2 * kHighest, 2 * kHighest);
    diagonal_[i] += drawn_[i];
  }
  potential_.upload(v_);
  diagonal_held_.upload(diagonal_);
  states_.h = grid_.h;
}

void Problem::forget() {
  exact_levels_.reset(), residuals_.reset(), estimates_.reset();
  orthonormality_.reset(), largest_.reset(), splitting_.reset();
  coarser_.reset();
}

Operator Problem::hamiltonian() const {
  const Basis basis = p_.usedBasis();
  const double length = grid_.length, pi = std::numbers::pi;
  const double scale = basis == Basis::Sine ? pi * pi / (4 * length * length) : 1 / (grid_.h * grid_.h);
  return {basis, p_.grid_points, scale, diagonal_held_.data(), table_.data()};
}

void Problem::solve() {
  if (solved_) return;
  const auto start = std::chrono::steady_clock::now();
  if (p_.method == Method::Dense) {
    solveDense();
  } else {
    solveTridiagonal();
  }
  device_->synchronize();
  milliseconds_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  solved_ = true;
}

bool Problem::symmetric() const {
  return std::equal(diagonal_.begin(), diagonal_.end(), diagonal_.rbegin());
}

void Problem::solveTridiagonal() {
  const Operator h = hamiltonian();
  const compute::Buffer<double> diagonal = diagonalOf(h, device_);
  const auto [low, high] = std::minmax_element(diagonal_.begin(), diagonal_.end());
  // Gershgorin's discs; the kinetic energy is positive.
  const double margin = 1e-9 * (1 + std::abs(*low) + std::abs(*high) + 2 * h.scale);
  const Tridiagonal matrix{diagonal.data(), h.n, -0.5 * h.scale, *low - margin, *high + 2 * h.scale + margin};
  energies_ = lowestEigenvalues(*device_, matrix, p_.states);
  inverseIteration(device_, matrix, energies_, symmetric(), states_);
  orthonormalise(device_, states_);
}

void Problem::solveDense() {
  const auto points = static_cast<std::size_t>(p_.grid_points);
  compute::Buffer<double> matrix(device_, points * points);
  fillMatrix(*device_, hamiltonian(), matrix);
  const std::vector<double> all = dense_->solve(matrix, p_.grid_points);
  energies_.assign(all.begin(), all.begin() + p_.states);
  device_->copy(states_.phi.data(), matrix.data(), states_.phi.bytes());
  normalise(*device_, states_);
  separatePairs();
}

// Any mixture of two states whose levels differ by rounding solves the equation; which one a library finds depends on
// its threads and on the kind of the processor. Their mirror images tell them apart.
void Problem::separatePairs() {
  if (!symmetric()) return;
  const auto points = static_cast<std::size_t>(p_.grid_points);
  for (std::size_t n = 0; n + 1 < energies_.size(); ++n) {
    if (energies_[n + 1] - energies_[n] > kDigits * levelsRounding()) continue;
    std::vector<double> two(2 * points);
    double* const at = states_.phi.data() + n * points;
    device_->download(two.data(), at, two.size() * sizeof(double));
    double *const a = two.data(), *const b = a + points;
    double aa = 0, ab = 0, bb = 0;
    for (std::size_t i = 0; i < points; ++i) {
      aa += a[i] * a[points - 1 - i], ab += a[i] * b[points - 1 - i], bb += b[i] * b[points - 1 - i];
    }
    // The even one belongs to the larger eigenvalue of that matrix; states are even and odd in turn.
    const double turn = 0.5 * (compute::arcTangent2(2 * ab, aa - bb) + (n % 2 == 0 ? 0 : std::numbers::pi));
    const auto [s, c] = compute::sineAndCosine(turn);
    for (std::size_t i = 0; i < points; ++i) {
      const double first = a[i], second = b[i];
      a[i] = c * first + s * second;
      b[i] = c * second - s * first;
    }
    device_->upload(at, two.data(), two.size() * sizeof(double));
    ++n;
  }
  normalise(*device_, states_);
}

const std::vector<double>& Problem::exactLevels() {
  if (!exact_levels_) {
    exact_levels_ = altered_ ? std::vector<double>{} : eigenstates::exactLevels(p_, p_.states);
    exact_states_ = {};
  }
  return *exact_levels_;
}

const States* Problem::exactStates() {
  const std::vector<double>& levels = exactLevels();
  if (levels.empty() || !exactStatesKnown(p_)) return nullptr;
  if (exact_states_.count == 0) {
    std::vector<ExactState> shapes;
    for (std::size_t n = 0; n < levels.size(); ++n) shapes.push_back(exactState(p_, static_cast<int>(n), levels[n]));
    exact_states_ = {static_cast<int>(levels.size()), p_.grid_points, grid_.h,
                     compute::Buffer<double>(device_, levels.size() * v_.size())};
    eigenstates::exactStates(device_, shapes, grid_, exact_states_);
  }
  return &exact_states_;
}

double Problem::orthonormality() {
  if (!orthonormality_) orthonormality_ = eigenstates::orthonormality(device_, states_);
  return *orthonormality_;
}

// Of H's elements: what bisection and LAPACK leave of a level.
double Problem::levelsRounding() const {
  const auto [low, high] = std::minmax_element(diagonal_.begin(), diagonal_.end());
  return 8 * std::numeric_limits<double>::epsilon() *
         (4 / (grid_.h * grid_.h) + std::max(std::abs(*low), std::abs(*high)));
}

double Problem::splitting() {
  if (splitting_) return *splitting_;
  splitting_ = energies_[1] - energies_[0];
  if (*splitting_ > kDigits * levelsRounding()) return *splitting_;
  if (p_.method != Method::Tridiagonal || !symmetric()) {  // the states have no parity
    if (!(*splitting_ > levelsRounding())) splitting_ = NAN;
    return *splitting_;
  }
  // Of two solutions of the difference equation: (E₁ - E₀) Σ φ₀φ₁ over the points from m on is what is left of the
  // kinetic energy there, (φ₁(m) φ₀(m-1) - φ₀(m) φ₁(m-1))/2h². In the middle nothing cancels, because one of the states
  // is even and the other one is odd.
  const auto points = static_cast<std::size_t>(p_.grid_points), middle = (points + 1) / 2;
  std::vector<double> two(2 * points);
  device_->download(two.data(), states_.phi.data(), 2 * points * sizeof(double));
  const double *const even = two.data(), *const odd = two.data() + points;
  double overlap = 0;
  for (std::size_t i = middle; i < points; ++i) overlap += even[i] * odd[i];
  const double flow = odd[middle] * even[middle - 1] - even[middle] * odd[middle - 1];
  splitting_ = std::abs(flow / (2 * grid_.h * grid_.h * overlap));
  return *splitting_;
}

const std::vector<superposition::Coarser>& Problem::coarser() {
  if (coarser_) return *coarser_;
  coarser_.emplace();
  if (p_.potential != Potential::Formula || altered_) return *coarser_;
  for (int points = p_.grid_points, i = 0; i < 2; ++i) {
    points = superposition::halfOf(points);
    Parameters fewer = p_;
    fewer.grid_points = points;
    fewer.states = std::max(2, drawnStates());
    if (points < 2 * fewer.states) break;
    try {
      Problem problem(device_, fewer);
      problem.solve();
      coarser_->push_back({points, problem.energies()});
    } catch (const UsageError&) {  // a pole on one of its points
      break;
    }
  }
  return *coarser_;
}

const std::vector<double>& Problem::residuals() {
  if (!residuals_) residuals_ = eigenstates::residuals(device_, hamiltonian(), energies_, states_);
  return *residuals_;
}

const std::vector<double>& Problem::estimates() {
  if (!estimates_) {
    estimates_.emplace();
    if (p_.usedBasis() == Basis::ThreePoint) {
      *estimates_ = kineticSquares(device_, hamiltonian(), energies_, states_);
      for (double& each : *estimates_) each *= grid_.h * grid_.h / 6;
    }
  }
  return *estimates_;
}

int Problem::drawnStates() const {
  return std::min(p_.drawn_states, p_.states);
}

double Problem::largestValue() {
  if (!largest_) largest_ = largestOf(device_, states_, drawnStates());
  return *largest_;
}

std::string Problem::method() const {
  const std::string name = dense_ ? dense_->name() : "bisection, inverse iteration";
  return milliseconds_ > 0 ? fmt::format("{}: {:.3g} ms", name, milliseconds_) : name;
}

}  // namespace simscope::eigenstates
