// The whole state as host arrays and back, and what the mouse does to it.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sims/compute/whole.h"
#include "sims/core/state_reader.h"
#include "sims/diffraction/diffraction.h"

namespace simscope::diffraction {
namespace {

// The array "run": the probe, and the box of cells within which the mouse has opened the aperture.
enum RunValue { kProbeX, kProbeY, kProbed, kXFirst, kXLast, kYFirst, kYLast, kRunValues };

std::array<StateField, kRunValues> runFields(int grid_points) {
  const StateRange cells{0, static_cast<double>(grid_points)};
  return {{{"probe_x"},
           {"probe_y"},
           {"probed", kYesOrNo, true},
           {"drawn_x_first", cells, true},
           {"drawn_x_last", cells, true},
           {"drawn_y_first", cells, true},
           {"drawn_y_last", cells, true}}};
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
    // Beside a dark centre the rest may be beyond all numbers; a state holds numbers only.
    for (float& each : pattern) each = std::min(each / one, std::numeric_limits<float>::max());
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
  const StateReader reader(description().id, state);
  const std::vector<float> pattern = reader.values<float>("pattern", {n, n}, {0});
  std::vector<Cover> covers;
  if (reader.has("drawn")) covers = valuesOf<Cover>(reader.array<float>("drawn", {n, n, 2}, kYesOrNo));
  std::vector<double> run;
  if (reader.has("run")) run = reader.fields("run", runFields(p_.grid_points));

  compute::Buffer<Cover> drawing;
  if (!covers.empty()) drawing = compute::Buffer<Cover>(device_, std::span<const Cover>(covers));
  pattern_.upload(pattern);
  drawn_ = std::move(drawing);
  seed_ = state.seed;
  steps_ = state.steps;
  probe_ = {};
  // Without a note of where the drawing opens, it may do so anywhere.
  drawn_box_ = isDrawn() ? Box{0, p_.grid_points, 0, p_.grid_points} : Box{};
  if (!run.empty()) {
    probe_ = {run[kProbeX], run[kProbeY], run[kProbed] != 0};
    const auto edge = [&](RunValue which) { return compute::wholeWithin(run[which], 0, p_.grid_points); };
    if (isDrawn()) drawn_box_ = {edge(kXFirst), edge(kXLast), edge(kYFirst), edge(kYLast)};
    if (isEmpty(drawn_box_)) drawn_box_ = {};
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
