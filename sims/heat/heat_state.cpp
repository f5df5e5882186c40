// The table of the state, and what follows from it.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "sims/core/slab_archive.h"
#include "sims/heat/heat.h"
#include "sims/heat/stencil.h"

namespace simscope::heat {

void Heat::visit(Archive& archive) {
  const auto n = static_cast<std::size_t>(p_.grid_points);
  // The factors that are painted, and what lies between them.
  constexpr StateRange kFactors{static_cast<double>(kHeld), static_cast<double>(kConductor)};
  constexpr const char* kWhat = "temperature of each cell, row by row";
  constexpr const char* kMaterial = "factor on the diffusivity of each cell; −1: held at its temperature";
  if (archive.onDevice()) {
    archive.buffer("temperature", kWhat, {n, n}, u_, device_);
  } else {
    archive.rows<float>(
        "temperature", kWhat, {n, n}, rowsOf(slab_), [this](bool all) { return compute::fieldBytes(u_, slab_, all); },
        [this](std::span<const std::byte> rows) { takeTemperature(rows); });
  }
  if (isDouble()) {
    slabBuffer<float>(archive, "remainder", "what single precision leaves out of each temperature", {n, n}, remainder_,
                      slab_, device_, {}, WhenMissing::Zero);
  }
  slabBuffer<float>(archive, "material", kMaterial, {n, n}, material_, slab_, device_, kFactors, WhenMissing::Empty);
  archive.number("clock_time", clock_.time);
  archive.number("clock_tau", clock_tau_, {0});
  archive.number("clock_step", clock_.step, {0, static_cast<double>(archive.steps(steps_))});
  archive.number("heat_reference", heat_reference_);
  archive.number("untouched", untouched_);
  archive.number("last_thermometer", last_thermometer_, {0, kThermometers - 1});
  archive.constant("thermometers", kThermometers);
  const StateRange cells{kNotPlaced, p_.grid_points - 1.0};
  for (double& each : thermometer_x_) archive.number("thermometer_x", each, cells, true);
  for (double& each : thermometer_y_) archive.number("thermometer_y", each, cells, true);
}

// Fixed edges are held at 0.
void Heat::takeTemperature(std::span<const std::byte> rows) {
  if (p_.boundary != Boundary::Fixed) return compute::takeRows(u_, slab_, rows);
  const auto n = static_cast<std::size_t>(p_.grid_points);
  std::vector<float> values(rows.size() / sizeof(float));
  std::memcpy(values.data(), rows.data(), rows.size());
  for (std::size_t at = 0; at < values.size(); at += n) values[at] = values[at + n - 1] = 0;
  if (slab_.owns(0)) std::fill_n(values.begin(), n, 0.0f);
  if (slab_.owns(p_.grid_points - 1)) std::fill_n(values.end() - static_cast<std::ptrdiff_t>(n), n, 0.0f);
  compute::takeRows(u_, slab_, std::as_bytes(std::span<const float>(values)));
}

void Heat::loaded(const State& state) {
  material_halo_ = false;
  thin_.reset();
  material_count_ = material_.empty() ? MaterialCount{0, 0, 0} : countMaterial(*device_, material_.data(), slab_);
  if (!hasMaterial()) material_ = {};
  if (state.find("run")) {
    for (int k = 0; k < kThermometers; ++k) {
      const bool placed = thermometer_x_[k] >= 0 && thermometer_y_[k] >= 0;
      if (!placed) thermometer_x_[k] = thermometer_y_[k] = kNotPlaced;
    }
  } else {
    // A field from elsewhere: nothing is known of its past.
    clock_ = {state.time, state.steps};
    clock_tau_ = 0;
    heat_reference_ = measure(*device_, u_.data(), materialOrNull(), slab_, nullptr).sum;
    untouched_ = false;
    takeThermometersAway();
  }
}

}  // namespace simscope::heat
