#include <algorithm>
#include <array>
#include <cmath>

#include "sims/eigenstates/potential.h"
#include "sims/eigenstates/simulation.h"

namespace simscope::eigenstates {
namespace {

constexpr int kSamples = 1024;  // of a drawn curve
constexpr int kCarpetColumns = 384, kCarpetRows = 384;
constexpr double kFloor = -15;  // of errors' decades: rounding

double decades(double value) {
  return std::log10(std::max(std::abs(value), 1e-15));
}

}  // namespace

float* EigenstatesSimulation::curve(Frame& frame, const char* key, double low, double high) {
  if (!frame.wants(key)) return nullptr;
  const Grid& grid = problem_.grid();
  Channel& channel = frame.channel(key, grid.points);
  channel.x_min = grid.x(0);
  channel.x_max = grid.x(grid.points);
  channel.low = low;
  channel.high = high;
  channel.form = 0;
  return channel.data.data();
}

// From below the lowest level, or the bottom of the well where that is near, to above the highest that is drawn.
EigenstatesSimulation::Heights EigenstatesSimulation::heights() {
  const std::vector<double>& energies = problem_.energies();
  const int drawn = problem_.drawnStates();
  const double bottom = *std::min_element(problem_.potential().begin(), problem_.potential().end());
  const double first = energies[0], last = energies[static_cast<std::size_t>(drawn - 1)];
  const double span = drawn > 1 ? last - first : std::max(first - bottom, 1e-6);
  const double spacing = std::max(drawn > 1 ? span / (drawn - 1) : span, 1e-9 * (1 + std::abs(first)));
  // Where a potential is so high that its levels are rounded, they may seem to lie below it.
  const double low = std::min(std::max(bottom, first - 0.35 * span - spacing), last);
  const double high = last + 1.6 * spacing;
  const double largest = std::max(problem_.largestValue(), 1e-12);
  const bool squares = p().curves == Curves::Densities;
  const double unit = (squares ? 0.8 / (largest * largest) : 0.8 / largest) * spacing;
  return {low - 0.04 * (high - low), high, unit};
}

void EigenstatesSimulation::prepareCarpet() {
  if (carpet_time_ > 0) return;
  if (carpet_.empty()) carpet_ = compute::Buffer<float>(device_, std::size_t{kCarpetColumns} * kCarpetRows);
  carpet_time_ = carpetTime(p(), coefficients_, problem_.energies());
  drawCarpet(problem_.states(), coefficients_, problem_.energies(), carpet_time_ / kCarpetRows, kCarpetColumns,
             kCarpetRows, carpet_.data());
  carpet_high_ = largestOf(carpet_);
}

void EigenstatesSimulation::presentWave(Frame& frame) {
  const std::array wanted = {"density", "phase", "re", "im", "density_exact", "potential", "mean_energy"};
  if (std::none_of(wanted.begin(), wanted.end(), [&](const char* key) { return frame.wants(key); })) return;
  prepareCarpet();
  const double high = 1.12 * carpet_high_, amplitude = std::sqrt(high);
  WaveCurves curves;
  curves.density = curve(frame, "density", 0, high);
  curves.phase = curve(frame, "phase", -3.14159265358979, 3.14159265358979);
  curves.re = curve(frame, "re", -amplitude, amplitude);
  curves.im = curve(frame, "im", -amplitude, amplitude);
  drawWave(*device_, psi_, curves);
  if (float* const exact = curve(frame, "density_exact", 0, high)) {
    const Wave* wave = exactWave();
    frame.channel("density_exact", problem_.grid().points).form = wave ? 0 : 1;
    if (!wave) {
      superpose(problem_.states(), turned(coefficients_, problem_.energies(), 0), exact_psi_);
      wave = &exact_psi_;
    }
    drawWave(*device_, *wave, {.density = exact});
  }
  const Heights at = heights();
  if (float* const potential = curve(frame, "potential", at.low, at.high)) {
    drawPotential(*device_, problem_.devicePotential().data(), problem_.grid().points, at.low, at.high, potential);
  }
  if (float* const energy = curve(frame, "mean_energy", at.low, at.high)) {
    double mean = 0;
    for (std::size_t n = 0; n < count(); ++n) mean += norm2(coefficients_[n]) * problem_.energies()[n];
    const std::vector<double> level(psi_.size(), std::clamp(mean, at.low, at.high));
    const compute::Buffer<double> held(device_, std::span<const double>(level));
    drawPotential(*device_, held.data(), problem_.grid().points, at.low, at.high, energy);
  }
}

void EigenstatesSimulation::presentLevels(Frame& frame) {
  const std::array wanted = {"places", "place_states", "well", "waves"};
  if (std::none_of(wanted.begin(), wanted.end(), [&](const char* key) { return frame.wants(key); })) return;
  const Grid& grid = problem_.grid();
  const Heights at = heights();
  const double left = grid.left, right = grid.left + grid.length;
  const auto channel = [&](const char* key, int width, int height, int components) -> float* {
    if (!frame.wants(key)) return nullptr;
    Channel& made = frame.channel(key, width, height, components);
    made.x_min = left, made.x_max = right;
    made.y_min = at.low, made.y_max = at.high;
    return made.data.data();
  };
  LevelDrawing drawing;
  drawing.states = problem_.drawnStates();
  drawing.samples = std::min(kSamples, grid.points);
  drawing.squares = p().curves == Curves::Densities;
  drawing.scale = at.unit;
  drawing.line = 0.25;
  drawing.least = 0.002 * (at.high - at.low);
  double most = 0;
  for (std::size_t n = 0; n < count(); ++n) most = std::max(most, norm2(coefficients_[n]));
  for (int n = 0; n < drawing.states; ++n) {
    const auto each = static_cast<std::size_t>(n);
    drawing.energies[n] = problem_.energies()[each];
    drawing.glow[n] = 0.35 + 1.4 * std::sqrt(norm2(coefficients_[each]) / most);
  }
  float* const waves = channel("waves", drawing.samples, drawing.states, 2);
  float* const places = channel("places", 2 * drawing.samples * drawing.states, 1, 4);
  float* const values = channel("place_states", 2 * drawing.samples * drawing.states, 1, 1);
  if (values) {
    Channel& made = frame.channel("place_states", 2 * drawing.samples * drawing.states);
    made.low = 0;
    made.high = std::max(1, drawing.states - 1);
  }
  if (waves || places || values) drawLevels(problem_.states(), grid, drawing, waves, places, values);
  if (float* const well = channel("well", drawing.samples + 2, 1, 2)) {
    const double room = at.high - at.low;
    drawWell(*device_, problem_.devicePotential().data(), grid, drawing.samples, at.low - room, at.high + room, well);
  }
}

void EigenstatesSimulation::presentSpectrum(Frame& frame) {
  const std::array wanted = {"spectrum", "spectrum_shares", "spectrum_exact"};
  if (std::none_of(wanted.begin(), wanted.end(), [&](const char* key) { return frame.wants(key); })) return;
  const std::vector<double>&energies = problem_.energies(), &exact = problem_.exactLevels();
  const double span = std::max(energies.back() - energies.front(), 1e-6);
  const auto channel = [&](const char* key, int width, int height, int components) -> Channel& {
    Channel& made = frame.channel(key, width, height, components);
    made.x_min = -1, made.x_max = p().states;
    made.y_min = energies.front() - 0.05 * span, made.y_max = energies.back() + 0.05 * span;
    return made;
  };
  std::vector<float> places, shares, dashes;
  double most = 0;
  for (std::size_t n = 0; n < count(); ++n) {
    const double share = norm2(coefficients_[n]), level = n < exact.size() ? exact[n] : NAN;
    places.insert(places.end(), {static_cast<float>(n), static_cast<float>(energies[n]), 0, 2.6f});
    shares.push_back(static_cast<float>(share));
    most = std::max(most, share);
    // A short dash a level.
    const auto x = static_cast<float>(n), y = static_cast<float>(level);
    dashes.insert(dashes.end(), {x - 0.42f, y, x + 0.42f, y});
  }
  if (frame.wants("spectrum")) channel("spectrum", p().states, 1, 4).data.upload(places);
  if (frame.wants("spectrum_shares")) {
    Channel& made = channel("spectrum_shares", p().states, 1, 1);
    made.data.upload(shares);
    made.low = 0;
    made.high = most;
  }
  if (frame.wants("spectrum_exact")) channel("spectrum_exact", 2, p().states, 2).data.upload(dashes);
}

void EigenstatesSimulation::presentErrors(Frame& frame) {
  const std::array wanted = {"level_errors", "level_estimates", "level_residuals"};
  if (std::none_of(wanted.begin(), wanted.end(), [&](const char* key) { return frame.wants(key); })) return;
  const std::vector<double>&energies = problem_.energies(), &exact = problem_.exactLevels();
  const std::vector<double>&residuals = problem_.residuals(), &estimates = problem_.estimates();
  std::vector<float> errors, expected, rests;
  for (std::size_t n = 0; n < count(); ++n) {
    const double rest = decades(residuals[n]), estimate = n < estimates.size() ? decades(estimates[n]) : rest;
    const double error = n < exact.size() ? decades(energies[n] - exact[n]) : estimate;
    errors.push_back(static_cast<float>(error));
    expected.push_back(static_cast<float>(estimate));
    rests.push_back(static_cast<float>(rest));
  }
  const auto put = [&](const char* key, const std::vector<float>& values, int form) {
    if (!frame.wants(key)) return;
    Channel& made = frame.channel(key, p().states);
    made.x_min = 0, made.x_max = p().states;
    made.low = kFloor, made.high = 2;
    made.form = form;
    made.data.upload(values);
  };
  put("level_errors", errors, exact.empty() ? 1 : 0);
  put("level_estimates", expected, estimates.empty() ? 1 : 0);
  put("level_residuals", rests, 0);
}

void EigenstatesSimulation::presentCarpet(Frame& frame) {
  if (!frame.wants("carpet") && !frame.wants("carpet_now")) return;
  prepareCarpet();
  const Grid& grid = problem_.grid();
  const auto place = [&](Channel& made) {
    made.x_min = grid.left, made.x_max = grid.left + grid.length;
    made.y_min = 0, made.y_max = grid.length;
  };
  if (frame.wants("carpet")) {
    Channel& made = frame.channel("carpet", kCarpetColumns, kCarpetRows);
    place(made);
    made.low = 0, made.high = carpet_high_;
    device_->copy(made.data.data(), carpet_.data(), carpet_.bytes());
  }
  if (!frame.wants("carpet_now")) return;
  Channel& made = frame.channel("carpet_now", 2, 1, 2);
  place(made);
  const double turns = time() / carpet_time_;
  const auto y = static_cast<float>(grid.length * (turns - std::floor(turns)));
  made.data.upload(std::array{static_cast<float>(grid.left), y, static_cast<float>(grid.left + grid.length), y});
}

void EigenstatesSimulation::present(Frame& frame) {
  evolve();
  presentWave(frame);
  presentLevels(frame);
  presentSpectrum(frame);
  presentErrors(frame);
  presentCarpet(frame);
}

}  // namespace simscope::eigenstates
