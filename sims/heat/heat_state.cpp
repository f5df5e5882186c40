// The whole state as host arrays, and back.

#include <algorithm>
#include <array>

#include "sims/core/state_reader.h"
#include "sims/heat/heat.h"
#include "sims/heat/stencil.h"

namespace simscope::heat {
namespace {

// The array "run"; the thermometers' x and y follow.
enum RunValue { kTime, kTau, kStep, kReference, kUntouched, kLastThermometer, kCount, kThermometerX };
constexpr std::size_t kRunValues = kThermometerX + 2 * kThermometers;

std::array<StateField, kRunValues> runFields(std::int64_t steps, int grid_points) {
  std::array<StateField, kRunValues> fields{{{"clock_time"},
                                             {"clock_tau", {0}},
                                             {"clock_step", {0, static_cast<double>(steps)}, true},
                                             {"heat_reference"},
                                             {"untouched", kYesOrNo, true},
                                             {"last_thermometer", {0, kThermometers - 1}, true},
                                             {"thermometers", {kThermometers, kThermometers}, true}}};
  for (std::size_t i = kThermometerX; i < kRunValues; ++i) {
    fields[i] = {"a thermometer's cell", {kNotPlaced, grid_points - 1.0}, true};
  }
  return fields;
}

}  // namespace

State Heat::save() {
  const auto n = static_cast<std::size_t>(p_.grid_points);
  State state;
  state.simulation = description().id;
  state.parameters = parameters_;
  state.seed = seed_;
  state.steps = steps_;
  state.time = time();
  state.arrays.push_back(arrayOf("temperature", "<f4", {n, n}, u_.toHost()));
  if (hasMaterial()) state.arrays.push_back(arrayOf("material", "<f4", {n, n}, material_.toHost()));
  std::vector<double> run{clock_.time,
                          clock_.tau,
                          static_cast<double>(clock_.step),
                          heat_reference_,
                          untouched_ ? 1.0 : 0.0,
                          static_cast<double>(last_thermometer_),
                          static_cast<double>(kThermometers)};
  run.insert(run.end(), thermometer_x_, thermometer_x_ + kThermometers);
  run.insert(run.end(), thermometer_y_, thermometer_y_ + kThermometers);
  state.arrays.push_back(arrayOf("run", "<f8", {kRunValues}, run));
  return state;
}

void Heat::load(const State& state) {
  const auto n = static_cast<std::size_t>(p_.grid_points);
  const StateReader reader(description().id, state);
  std::vector<float> values = reader.values<float>("temperature", {n, n});
  std::vector<float> painted;
  // The factors that are painted, and what lies between them.
  constexpr StateRange kFactors{static_cast<double>(kHeld), static_cast<double>(kConductor)};
  if (reader.has("material")) painted = reader.values<float>("material", {n, n}, kFactors);
  std::vector<double> run;
  if (reader.has("run")) run = reader.fields("run", runFields(state.steps, p_.grid_points));

  compute::Buffer<float> map;
  if (!painted.empty()) map = compute::Buffer<float>(device_, std::span<const float>(painted));
  if (p_.boundary == Boundary::Fixed) {
    for (std::size_t i = 0; i < n; ++i) values[i] = values[(n - 1) * n + i] = values[i * n] = values[i * n + n - 1] = 0;
  }
  u_.upload(values);
  material_ = std::move(map);
  material_count_ =
      painted.empty() ? MaterialCount{0, 0, 0} : countMaterial(*device_, material_.data(), p_.grid_points);
  if (!hasMaterial()) material_ = {};
  seed_ = state.seed;
  steps_ = state.steps;
  if (!run.empty()) {
    clock_ = {run[kTime], run[kTau], static_cast<std::int64_t>(run[kStep])};
    heat_reference_ = run[kReference];
    untouched_ = run[kUntouched] != 0;
    last_thermometer_ = static_cast<int>(run[kLastThermometer]);
    for (std::size_t k = 0; k < kThermometers; ++k) {
      const double x = run[kThermometerX + k], y = run[kThermometerX + kThermometers + k];
      const bool placed = x >= 0 && y >= 0;
      thermometer_x_[k] = placed ? x : kNotPlaced;
      thermometer_y_[k] = placed ? y : kNotPlaced;
    }
  } else {
    // A field from elsewhere: nothing is known of its past.
    clock_ = {state.time, 0, state.steps};
    heat_reference_ = measure(*device_, u_.data(), materialOrNull(), p_.grid_points, nullptr).sum;
    untouched_ = false;
    takeThermometersAway();
  }
}

}  // namespace simscope::heat
