// The table of the state, and what follows from it.

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
    archive.values<float>(
        "temperature", kWhat, {n, n}, [this] { return compute::wholeField(u_, slab_); },
        [this, n](std::vector<float> values) {
          for (std::size_t i = 0; p_.boundary == Boundary::Fixed && i < n; ++i) {
            values[i] = values[(n - 1) * n + i] = values[i * n] = values[i * n + n - 1] = 0;
          }
          compute::takeSlab(u_, slab_, std::span<const float>(values));
        });
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

void Heat::loaded(const State& state) {
  material_halo_ = false;
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
