#include "sims/eigenstates2d/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sims/core/archive.h"
#include "sims/eigenstates2d/exact.h"

namespace simscope::eigenstates2d {
namespace {

bool anyOfDiffers(const ParameterSet& a, const ParameterSet& b, const std::vector<std::string>& keys) {
  return std::any_of(keys.begin(), keys.end(), [&](const std::string& key) {
    const std::size_t i = a.find(key);
    return a[i] != b[i] && (a.matters(i) || b.matters(i));
  });
}

}  // namespace

PlaneStates::PlaneStates(compute::DevicePtr device, const ParameterSet& parameters)
    : Simulation(eigenstates2d::description(), std::move(device), parameters),
      p_(binding().read(parameters)),
      solver_(device_, p_),
      by_hand_c_(count()),
      psi_(device_, solver_.grid().size()),
      scratch_(device_, solver_.grid().size()) {}

void PlaneStates::reset(std::uint64_t seed) {
  seed_ = seed;
  steps_ = 0;
  by_hand_ = false;
  picked_ = -1;
  by_hand_c_.assign(count(), {});
  solver_.takeDrawn(std::vector<double>(solver_.drawn().size()));
  solver_.start(seed);
  exact_.reset();
}

void PlaneStates::step(int count) {
  for (int i = 0; i < count; ++i) {
    ++steps_;
    solver_.iterate();
  }
}

void PlaneStates::change(const ParameterSet& parameters) {
  const Parameters next = binding().read(parameters);
  solver_.pose(next);
  p_ = next;
  std::vector<std::string> keys = superposition::keys();
  keys.insert(keys.end(), {"state", "packet_x", "packet_y", "packet_kx", "packet_ky", "packet_width"});
  if (anyOfDiffers(parameters, parameters_, keys)) {
    by_hand_ = false;
    picked_ = -1;
    by_hand_c_.assign(count(), {});
  }
  exact_.reset();
  coefficients_version_ = psi_version_ = peak_version_ = 0;
}

int PlaneStates::shownState() const {
  return std::min(picked_ >= 0 ? picked_ : p_.state, p_.states - 1);
}

const std::vector<double>& PlaneStates::exact() {
  if (!exact_) exact_ = solver_.altered() ? std::vector<double>{} : exactLevels(p_, p_.states);
  return *exact_;
}

const std::vector<Complex<double>>& PlaneStates::coefficients() {
  if (by_hand_) return by_hand_c_;
  if (coefficients_version_ == solver_.version()) return coefficients_;
  coefficients_version_ = solver_.version();
  packet_kept_ = 1;
  coefficients_ = superposition::coefficientsOf(p_, p_.states);
  if (p_.packet()) {
    const std::vector<Complex<double>> lines = packetLines(p_, solver_.grid());
    const Wave held(device_, std::span<const Complex<double>>(lines));
    coefficients_ = overlapsOf(device_, p_.grid_points, p_.states, solver_.states().data(), held.data());
    double kept = 0, across = 0, down = 0;
    for (const Complex<double>& c : coefficients_) kept += norm2(c);
    for (std::size_t i = 0; i < lines.size(); ++i) (2 * i < lines.size() ? across : down) += norm2(lines[i]);
    packet_kept_ = kept / std::max(1.0, across * down);
    superposition::normalise(coefficients_);
  }
  return coefficients_;
}

const Wave& PlaneStates::psi() {
  const std::vector<Complex<double>>& c = coefficients();
  if (psi_version_ != solver_.version() || psi_steps_ != steps_) {
    superpose(solver_.states(), turned(c, solver_.energies(), time()), psi_);
    psi_version_ = solver_.version();
    psi_steps_ = steps_;
  }
  return psi_;
}

double PlaneStates::meanEnergy() {
  double mean = 0;
  const std::vector<Complex<double>>& c = coefficients();
  for (std::size_t n = 0; n < count(); ++n) mean += norm2(c[n]) * solver_.energies()[n];
  return mean;
}

double PlaneStates::gap() const {
  const double gap = solver_.energies()[1] - solver_.energies()[0];
  return gap > solver_.rounding() ? gap : NAN;
}

const std::vector<superposition::Coarser>& PlaneStates::coarser() {
  if (p_.potential != Potential::Formula || solver_.altered() || !solver_.converged()) {
    coarser_version_ = 0;
    coarser_.clear();
  } else if (coarser_version_ != solver_.version()) {
    coarser_version_ = solver_.version();
    coarser_.clear();
    const auto levels = static_cast<std::ptrdiff_t>(p_.states);
    for (int points = p_.grid_points, i = 0; i < 2; ++i) {
      points = superposition::halfOf(points);
      Parameters fewer = p_;
      fewer.grid_points = points;
      const double top = solver_.energies()[count() - 1] - solver_.landscape().lowest;
      fewer.tolerance = std::max(p_.tolerance, 1e-3 * std::max(top, 0.0));  // levels are exact to its square
      if (points * points < 2 * p_.block()) break;
      try {
        Solver solver(device_, fewer);
        solver.start(seed_);
        constexpr int kPatience = 20;
        for (int pass = 0; pass < kPatience && !solver.converged(); ++pass) solver.iterate();
        coarser_.push_back({points, {solver.energies().begin(), solver.energies().begin() + levels}});
      } catch (const UsageError&) {  // a pole on one of its points, or too few of them inside
        break;
      }
    }
  }
  return coarser_;
}

Walls PlaneStates::walls() const {
  const double top = p_.billiard() ? *std::max_element(solver_.landscape().v.begin(), solver_.landscape().v.end())
                                   : std::numeric_limits<double>::infinity();
  return {solver_.devicePotential().data(), top};
}

void PlaneStates::diagnostics(std::span<double> values) {
  const WaveSums sums = sumsOf(psi(), solver_.grid());
  const std::vector<double>&energies = solver_.energies(), &levels = exact(), &residuals = solver_.residuals();
  const auto shown = static_cast<std::size_t>(shownState());
  double worst = levels.empty() ? NAN : 0, degenerate = 0;
  for (std::size_t n = 0; n < levels.size(); ++n) worst = std::max(worst, std::abs(energies[n] - levels[n]));
  for (std::size_t n = 0; n < count(); ++n) {
    degenerate += std::abs(energies[n] - energies[shown]) < 1e-3 * (energies[shown] - solver_.landscape().lowest);
  }
  const bool shaped = p_.billiard() || p_.potential == Potential::Box;
  const bool packet = p_.packet();
  coefficients();
  const bool holds = packet && !by_hand_ && packet_kept_ > 0.999 && p_.potential == Potential::Harmonic &&
                     !solver_.altered() && solver_.converged();
  const auto swing = [&](double x, double k, double omega) {
    return x * std::cos(omega * time()) + k / omega * std::sin(omega * time());
  };
  values[kEnergy] = energies[shown];
  values[kEnergyExact] = shown < levels.size() ? levels[shown] : NAN;
  values[kLevelsError] = worst;
  values[kResidual] = *std::max_element(residuals.begin(), residuals.end());
  values[kConverged] = solver_.convergedStates();
  values[kIterations] = solver_.iterations();
  values[kOrthonormality] = solver_.orthonormality();
  values[kGap] = gap();
  coarser();
  values[kDegeneracy] = degenerate;
  values[kWeyl] = shaped && !solver_.altered() ? weylCount(p_, energies[count() - 1]) : NAN;
  values[kNorm] = sums.norm;
  values[kMeanX] = sums.x / sums.norm;
  values[kMeanXExact] = holds ? swing(p_.packet_x, p_.packet_kx, p_.omega_x) : NAN;
  values[kMeanY] = sums.y / sums.norm;
  values[kMeanYExact] = holds ? swing(p_.packet_y, p_.packet_ky, p_.omega_y) : NAN;
  values[kPacketKept] = packet && !by_hand_ ? packet_kept_ : NAN;
}

std::vector<Finding> PlaneStates::check(std::span<const double> values) const {
  return findingsFor(p_, solver_, values[kPacketKept], values[kGap], coarser_);
}

bool PlaneStates::finite() {
  const auto sound = [](double each) { return std::isfinite(each); };
  const WaveSums sums = sumsOf(psi(), solver_.grid());
  return std::all_of(solver_.energies().begin(), solver_.energies().end(), sound) &&
         std::all_of(solver_.residuals().begin(), solver_.residuals().end(), sound) && std::isfinite(sums.norm);
}

std::string PlaneStates::likelyCauseOfNaN() const {
  return "The solver only produces finite numbers. The loaded state contained one that is not finite, or the device's "
         "memory failed. Reset the run, or try --device cpu.";
}

Throughput PlaneStates::throughput() const {
  const double n = p_.grid_points, block = p_.block(), degree = std::max(solver_.degree(), 16);
  const double points = n * n * block;
  return {.unit = "points/s",
          .work_per_step = points * degree,
          .bytes_per_step = points * degree * 3 * sizeof(double),
          .flops_per_step = points * (degree * 17 + 6 * block),
          .comes_to_rest = true};
}

std::string PlaneStates::method() const {
  const std::string name = solver_.degree() > 0
                               ? fmt::format("Chebyshev filter of degree {}, {} states", solver_.degree(), p_.block())
                               : fmt::format("Chebyshev filter, {} states", p_.block());
  if (solver_.converged()) return fmt::format("{}: {} iterations, converged", name, solver_.iterations());
  return solver_.milliseconds() > 0 ? fmt::format("{}: {:.3g} ms", name, solver_.milliseconds()) : name;
}

void PlaneStates::visit(Archive& archive) {
  const auto side = static_cast<std::size_t>(p_.grid_points), block = static_cast<std::size_t>(p_.block());
  archive.buffer("states", "φ_n at the grid's points, Σφ² = 1, state by state, guards last; rows of x",
                 {block, side, side}, solver_.states(), device_, {-10, 10});
  archive.values<double>(
      "drawn", "potential that the mouse has added to V at the grid's points [ħ²/(m·length²)]; rows of x", {side, side},
      [this] { return solver_.drawn(); }, [this](std::vector<double> drawn) { solver_.takeDrawn(std::move(drawn)); },
      {-1e5, 1e5});
  archive.values<double>(
      "energies", "energies of the states and guards [ħ²/(m·length²)]", {block}, [this] { return solver_.energies(); },
      [this](std::vector<double> energies) { solver_.takeEnergies(std::move(energies)); }, {-1e12, 1e12});
  archive.values<double>(
      "residuals", "‖Hφ - Eφ‖ of the states [ħ²/(m·length²)]", {count()}, [this] { return solver_.residuals(); },
      [this](std::vector<double> residuals) { solver_.takeResiduals(std::move(residuals)); }, {0, 1e12});
  archive.values<Complex<double>>(
      "by_hand", "c_n at t = 0, if a tool has set them", {count()}, [this] { return by_hand_c_; },
      [this](std::vector<Complex<double>> c) { by_hand_c_ = std::move(c); }, {-1e3, 1e3});
  Solver::Progress& progress = solver_.progress();
  archive.number("fresh", progress.fresh);
  archive.number("converged", progress.converged);
  archive.number("iterations", progress.iterations, {0, 1e9});
  archive.number("restarts", progress.restarts, {0, 1e9});
  archive.number("degree", progress.degree, {0, 1000});
  archive.number("chosen_by_hand", by_hand_);
  archive.number("picked", picked_, {-1, kMostStates - 1});
  // After the number of iterations, which says how many of them there are.
  archive.values<double>(
      "history", "residuals, then energies, after each of the first iterations; 0 for those to come",
      {2, std::size_t{kRemembered}, count()}, [this] { return solver_.history(); },
      [this](std::vector<double> history) { solver_.takeHistory(history); }, {-1e12, 1e12});
}

void PlaneStates::loaded(const State&) {
  solver_.setSeed(seed_);
  exact_.reset();
  coefficients_version_ = psi_version_ = largest_version_ = peak_version_ = 0;
}

std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters) {
  return std::make_unique<PlaneStates>(std::move(device), parameters);
}

}  // namespace simscope::eigenstates2d
