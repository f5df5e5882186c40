// The whole state as host arrays and back, and what the mouse does to it.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sims/diffraction/diffraction.h"

namespace simscope::diffraction {
namespace {

constexpr std::size_t kRunValues = 7;

void requireShape(const StateArray& array, const std::string& dtype, const std::vector<std::size_t>& shape) {
  const std::size_t each = dtype == "<f8" ? 8 : 4;
  std::size_t count = 1;
  for (const std::size_t side : shape) count *= side;
  if (array.dtype == dtype && array.shape == shape && array.bytes.size() == count * each) return;
  throw UsageError(
      fmt::format("diffraction: the state's array '{}' must be {} values of {}; this one has {} bytes of {}",
                  array.name, count, dtype, array.bytes.size(), array.dtype));
}

}  // namespace

State Diffraction::save() {
  ensurePattern();
  const auto n = static_cast<std::size_t>(p_.grid_points);
  State state;
  state.simulation = description().id;
  state.parameters = parameters_;
  state.seed = seed_;
  state.steps = steps_;
  state.time = time();
  std::vector<float> pattern = pattern_.toHost();
  if (const auto one = static_cast<float>(unit()); one > 0 && one != 1) {
    for (float& each : pattern) each /= one;
  }
  state.arrays.push_back(arrayOf("pattern", "<f4", {n, n}, pattern));
  if (isDrawn()) state.arrays.push_back(arrayOf("drawn", "<f4", {n, n, 2}, drawn_.toHost()));
  const std::vector<double> run{probe_.x,
                                probe_.y,
                                probe_.placed ? 1.0 : 0.0,
                                static_cast<double>(drawn_box_.x_first),
                                static_cast<double>(drawn_box_.x_last),
                                static_cast<double>(drawn_box_.y_first),
                                static_cast<double>(drawn_box_.y_last)};
  state.arrays.push_back(arrayOf("run", "<f8", {kRunValues}, run));
  return state;
}

void Diffraction::load(const State& state) {
  const auto n = static_cast<std::size_t>(p_.grid_points);
  const StateArray* const pattern = state.find("pattern");
  const StateArray* const drawn = state.find("drawn");
  const StateArray* const run = state.find("run");
  if (state.simulation != description().id) {
    throw UsageError("diffraction: the state belongs to the simulation '" + state.simulation + "'");
  }
  if (!pattern) throw UsageError("diffraction: the state has no array 'pattern'");
  requireShape(*pattern, "<f4", {n, n});
  if (drawn) requireShape(*drawn, "<f4", {n, n, 2});
  if (run) requireShape(*run, "<f8", {kRunValues});

  compute::Buffer<Cover> drawing;
  if (drawn) {
    std::vector<Cover> covers = valuesOf<Cover>(*drawn);
    for (Cover& cover : covers) {
      const bool sound = cover.share >= 0 && cover.share <= 1 && cover.light >= 0 && cover.light <= 1;
      if (!sound) cover = {};
    }
    drawing = compute::Buffer<Cover>(device_, std::span<const Cover>(covers));
  }
  pattern_.upload(valuesOf<float>(*pattern));
  drawn_ = std::move(drawing);
  seed_ = state.seed;
  steps_ = state.steps;
  probe_ = {};
  // Without a note of where the drawing opens, it may do so anywhere.
  const int all = p_.grid_points;
  drawn_box_ = drawn ? Box{0, all, 0, all} : Box{};
  if (run) {
    const std::vector<double> v = valuesOf<double>(*run);
    if (std::isfinite(v[0]) && std::isfinite(v[1])) probe_ = {v[0], v[1], v[2] != 0};
    const auto edge = [&](std::size_t i) { return static_cast<int>(std::clamp(v[i], 0.0, static_cast<double>(all))); };
    if (drawn) drawn_box_ = {edge(3), edge(4), edge(5), edge(6)};
  }
  aperture_current_ = field_current_ = false;
  pattern_current_ = true;
}

std::vector<double> Diffraction::observers() const {
  return {probe_.x, probe_.y, probe_.placed ? 1.0 : 0.0};
}

void Diffraction::setObservers(std::span<const double> placed) {
  probe_ = placed.size() == 3 ? Probe{placed[0], placed[1], placed[2] != 0} : Probe{};
}

bool Diffraction::poke(const Brush& brush) {
  for (const double number : {brush.x, brush.y, brush.dx, brush.dy, brush.radius}) {
    if (!std::isfinite(number)) return false;
  }
  if (brush.tool == "probe") {
    probe_ = {brush.x, brush.y, true};
    return true;
  }
  const bool opens = brush.tool == "draw";
  if (!opens && brush.tool != "erase") return false;
  if (!isDrawn()) {
    compute::Buffer<Cover> drawing(device_, transmission_.size());
    drawing.zero();
    drawn_ = std::move(drawing);
  }
  const double cell = p_.cell();
  // A brush finer than the grid still meets the cell under it.
  const Stroke stroke{(brush.x - brush.dx) / cell,
                      (brush.y - brush.dy) / cell,
                      brush.x / cell,
                      brush.y / cell,
                      std::max(std::abs(brush.radius) / cell, 0.75),
                      opens ? 1.0f : 0.0f};
  drawStroke(*device_, drawn_.data(), p_.grid_points, stroke);
  if (opens) drawn_box_ = joined(drawn_box_, boxOf(p_.grid_points, stroke));
  aperture_current_ = pattern_current_ = field_current_ = false;
  return true;
}

}  // namespace simscope::diffraction
