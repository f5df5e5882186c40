// The whole state as host arrays, and back.

#include <fmt/format.h>

#include "sims/heat/heat.h"
#include "sims/heat/stencil.h"

namespace simscope::heat {
namespace {

constexpr std::size_t kRunValues = 7 + 2 * kThermometers;

void requireShape(const StateArray& array, const std::string& dtype, const std::vector<std::size_t>& shape) {
  std::size_t bytes = dtype == "<f8" ? 8 : 4;
  for (const std::size_t each : shape) bytes *= each;
  if (array.dtype == dtype && array.shape == shape && array.bytes.size() == bytes) return;
  throw UsageError(fmt::format("heat: the state's array '{}' must be {} of {} values; this one has {} bytes of {}",
                               array.name, dtype, bytes / (dtype == "<f8" ? 8 : 4), array.bytes.size(), array.dtype));
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
  const StateArray* const temperature = state.find("temperature");
  const StateArray* const material = state.find("material");
  const StateArray* const run = state.find("run");
  if (state.simulation != description().id) {
    throw UsageError("heat: the state belongs to the simulation '" + state.simulation + "'");
  }
  if (!temperature) throw UsageError("heat: the state has no array 'temperature'");
  requireShape(*temperature, "<f4", {n, n});
  if (material) requireShape(*material, "<f4", {n, n});
  if (run) requireShape(*run, "<f8", {kRunValues});

  compute::Buffer<float> map;
  if (material) map = compute::Buffer<float>(device_, std::span<const float>(valuesOf<float>(*material)));
  std::vector<float> values = valuesOf<float>(*temperature);
  if (p_.boundary == Boundary::Fixed) {
    for (std::size_t i = 0; i < n; ++i) values[i] = values[(n - 1) * n + i] = values[i * n] = values[i * n + n - 1] = 0;
  }
  u_.upload(values);
  material_ = std::move(map);
  material_count_ = material ? countMaterial(*device_, material_.data(), p_.grid_points) : MaterialCount{0, 0, 0};
  if (!hasMaterial()) material_ = {};
  seed_ = state.seed;
  steps_ = state.steps;
  if (run) {
    const std::vector<double> v = valuesOf<double>(*run);
    clock_ = {v[0], v[1], static_cast<std::int64_t>(v[2])};
    heat_reference_ = v[3];
    untouched_ = v[4] != 0;
    last_thermometer_ = v[5] >= 0 && v[5] < kThermometers ? static_cast<int>(v[5]) : kThermometers - 1;
    const double last = p_.grid_points - 1;
    for (int k = 0; k < kThermometers; ++k) {
      const double x = v[static_cast<std::size_t>(7 + k)], y = v[static_cast<std::size_t>(7 + kThermometers + k)];
      const bool placed = x >= 0 && x <= last && y >= 0 && y <= last;
      thermometer_x_[k] = placed ? x : kNotPlaced;
      thermometer_y_[k] = placed ? y : kNotPlaced;
    }
  } else {
    // A field from elsewhere: nothing is known of its past.
    clock_ = {state.time, 0, state.steps};
    heat_reference_ = measure(*device_, u_.data(), p_.grid_points, nullptr).sum;
    untouched_ = false;
    takeThermometersAway();
  }
}

}  // namespace simscope::heat
