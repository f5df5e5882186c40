// What the contract tests share: every simulation and every preset as test parameters, devices, and states as numbers.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <string>
#include <vector>

#include "sims/core/registry.h"
#include "sims/core/timeline/stepper.h"

namespace simscope::contract {

// What a run is made of costs little at this size. What is asked of every simulation holds at any size, and under the
// sanitizers everything takes several times as long: they try planes at a small one.
inline std::int64_t smallSize(const Description& description, std::int64_t usual) {
  const bool plane = description.size_key == "grid_points";
  return SIMSCOPE_SANITIZE ? (plane ? 32 : 128) : usual;
}
// No larger than that, and as large as the simulation takes it.
inline void shrink(const Description& description, ParameterSet& set, std::int64_t size) {
  if (description.size_key.empty()) return;
  const ParameterInfo& info = set.infos()[set.find(description.size_key)];
  size = std::max(size, static_cast<std::int64_t>(info.minimum));
  if (set.integer(info.key) > size) set.set(info.key, size);
}

struct PresetCase {
  const Description* description;
  std::string preset;

  ParameterSet parameters() const { return description->preset(preset); }
  // The same at a smaller size where it is a large one.
  ParameterSet modest() const {
    constexpr double kLarge = SIMSCOPE_SANITIZE ? 5e5 : 64e6;              // bytes
    constexpr std::int64_t kMany = SIMSCOPE_SANITIZE ? 1 << 14 : 1 << 22;  // of what takes no memory, but time
    ParameterSet set = parameters();
    const bool large = (description->memory && description->memory(set, compute::Backend::Cpu) > kLarge) ||
                       (!description->size_key.empty() && set.integer(description->size_key) > kMany);
    if (large) shrink(*description, set, smallSize(*description, 512));
    return set;
  }
};
// The defaults, at a small size.
inline ParameterSet smallDefaults(const Description& description) {
  ParameterSet set = description.defaults();
  shrink(description, set, smallSize(description, 256));
  return set;
}
inline void PrintTo(const PresetCase& each, std::ostream* out) {
  *out << each.description->id << ", " << each.preset;
}

inline std::vector<const Description*> everySimulation() {
  return {simulations().begin(), simulations().end()};
}
inline std::vector<PresetCase> everyPreset() {
  std::vector<PresetCase> all;
  for (const Description* description : simulations()) {
    for (const Preset& preset : description->presets) all.push_back({description, preset.key});
  }
  return all;
}
// The first preset of each simulation, or all others.
inline std::vector<PresetCase> presets(bool first) {
  std::vector<PresetCase> chosen;
  for (const PresetCase& each : everyPreset()) {
    if ((each.preset == each.description->presets.front().key) == first) chosen.push_back(each);
  }
  return chosen;
}

inline std::string testName(const testing::TestParamInfo<const Description*>& info) {
  return info.param->id;
}
inline std::string presetTestName(const testing::TestParamInfo<PresetCase>& info) {
  std::string name = info.param.description->id + "_" + info.param.preset;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

// The CPU, and a CUDA device where one answers.
inline std::vector<compute::DevicePtr> devices() {
  std::vector<compute::DevicePtr> all = {compute::Device::open("cpu", 2)};
  if (compute::Device::whyNoCuda().empty()) all.push_back(compute::Device::open("cuda"));
  return all;
}

// An edit of one of the first objects, to a value well within what the tool allows.
inline Brush editOf(const ToolInfo& tool, std::int64_t object) {
  const double value = std::clamp(0.3 + 0.1 * static_cast<double>(object), tool.edit.minimum, tool.edit.maximum);
  Brush brush{.tool = tool.key, .begins = true, .object = object};
  if (tool.edit.vector) {
    brush.dx = value;
  } else {
    brush.strength = value;
  }
  return brush;
}

// Enough steps to matter, fewer where a step is a lot of work.
inline int affordableSteps(const Stepper& stepper, int wanted) {
  constexpr double kOperations = SIMSCOPE_SANITIZE ? 2e8 : 2e9;
  const double each = std::max(1.0, stepper.simulation().throughput().flops_per_step);
  return static_cast<int>(std::clamp(kOperations / each, 4.0, static_cast<double>(wanted)));
}

// The numbers of an array, whatever its type; a complex number is two.
inline std::vector<double> numbers(const StateArray& array) {
  std::vector<double> all;
  const auto read = [&]<class T>(T) {
    std::vector<T> typed(array.bytes.size() / sizeof(T));
    std::memcpy(typed.data(), array.bytes.data(), typed.size() * sizeof(T));
    all.assign(typed.begin(), typed.end());
  };
  if (array.dtype == "<f4" || array.dtype == "<c8") {
    read(float{});
  } else if (array.dtype == "<f8" || array.dtype == "<c16") {
    read(double{});
  } else if (array.dtype == "<i4") {
    read(std::int32_t{});
  } else {
    ADD_FAILURE() << array.name << " has the unknown type " << array.dtype;
  }
  return all;
}

// Empty where both states are the same, bit for bit; else what differs.
inline std::string difference(const State& a, const State& b) {
  if (a.simulation != b.simulation || !(a.parameters == b.parameters)) return "another simulation or parameters";
  if (a.seed != b.seed || a.steps != b.steps || a.time != b.time) {
    return "seed, steps, or time: step " + std::to_string(a.steps) + " and " + std::to_string(b.steps);
  }
  if (a.arrays.size() != b.arrays.size() || a.arrays.empty()) return "the number of arrays";
  for (std::size_t i = 0; i < a.arrays.size(); ++i) {
    const StateArray &one = a.arrays[i], &other = b.arrays[i];
    if (one.name != other.name || one.dtype != other.dtype || one.shape != other.shape) return one.name + "'s shape";
    if (one.bytes != other.bytes) return one.name + "'s values";
  }
  return {};
}

// ‖a - b‖ / ‖b‖ over all numbers of an array. One as small as 1e-4 in all is measured by that: an account of what has
// hardly begun holds little but rounding.
inline double relativeDifference(const StateArray& a, const StateArray& b) {
  const std::vector<double> x = numbers(a), y = numbers(b);
  if (x.size() != y.size()) return HUGE_VAL;
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    difference += (x[i] - y[i]) * (x[i] - y[i]);
    norm += y[i] * y[i];
  }
  constexpr double kLeast = 1e-8;
  return norm > 0 ? std::sqrt(difference / std::max(norm, kLeast)) : std::sqrt(difference);
}

}  // namespace simscope::contract
