// Helpers of the simulations' tests: parameters from key=value pairs, runs whose calls enter the device like the
// program's, and states and frames as numbers. Each simulation's own testing.h binds them to its description.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sims/compute/complex.h"
#include "sims/compute/device.h"
#include "sims/core/description.h"
#include "sims/core/simulation.h"
#include "sims/core/testing/refusal.h"

namespace simscope::tests {

using compute::Complex;

// Key and value as typed, as a type of its own so that braces alone make one.
struct Changes : std::vector<std::pair<std::string, std::string>> {
  Changes(std::initializer_list<value_type> list) : vector(list) {}
  Changes with(const Changes& more) const {
    Changes all = *this;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

// The key of the parameter for which the work is refused; empty where it is not refused, or for another reason.
template <class Work>
std::string refusedParameter(const Work& work) {
  try {
    work();
  } catch (const ParameterError& error) {
    return error.key();
  } catch (const std::exception&) {
  }
  return {};
}

inline ParameterSet changed(ParameterSet set, const Changes& changes) {
  for (const auto& [key, value] : changes) set.setText(key, value);
  return set;
}

inline compute::DevicePtr cpu(int threads = 2) {
  return compute::Device::open("cpu", threads);
}

inline bool hasFinding(const std::vector<Finding>& findings, std::string_view code) {
  for (const Finding& finding : findings) {
    if (finding.code == code) return true;
  }
  return false;
}

// At the present step of a Stepper.
template <class Stepped>
bool holds(Stepped& run, std::string_view code) {
  for (const Finding& finding : run.findings()) {
    if (finding.code == code) return finding.last_step == run.simulation().steps();
  }
  return false;
}

// A run of class Kind, whose diagnostics are numbered by an enumeration.
template <class Kind, class Diagnostic>
class Run {
 public:
  Run(const ParameterSet& parameters, std::uint64_t seed, compute::DevicePtr device) : device_(std::move(device)) {
    device_->run([&] {
      simulation_ = std::make_unique<Kind>(device_, parameters);
      simulation_->reset(seed);
    });
  }

  Kind& simulation() { return *simulation_; }
  void step(int n) {
    device_->run([&] { simulation_->step(n); });
  }
  void apply(const ParameterSet& parameters) {
    device_->run([&] { simulation_->apply(parameters); });
  }
  void change(const Changes& changes) { apply(changed(simulation_->parameters(), changes)); }
  bool poke(const Brush& brush) {
    bool done = false;
    device_->run([&] { done = simulation_->poke(brush); });
    return done;
  }
  void present(Frame& frame) {
    frame.device = device_;
    device_->run([&] { simulation_->present(frame); });
  }

  std::vector<double> diagnostics() {
    std::vector<double> values(simulation_->description().diagnostics.size());
    device_->run([&] { simulation_->diagnostics(values); });
    return values;
  }
  double diagnostic(Diagnostic which) { return diagnostics()[static_cast<std::size_t>(which)]; }
  std::vector<Finding> findings() { return simulation_->check(diagnostics()); }
  bool hasFinding(std::string_view code) { return tests::hasFinding(findings(), code); }
  bool finite() {
    bool is = false;
    device_->run([&] { is = simulation_->finite(); });
    return is;
  }

  State save() {
    State state;
    device_->run([&] { state = simulation_->save(); });
    return state;
  }
  void load(const State& state) {
    device_->run([&] { simulation_->load(state); });
  }
  template <class T>
  std::vector<T> values(std::string_view array) {
    return valuesOf<T>(*save().find(array));
  }
  // Replaces an array of the state.
  template <class T>
  void setValues(std::string_view array, const std::vector<T>& values) {
    State state = save();
    for (StateArray& each : state.arrays) {
      if (each.name == array) std::memcpy(each.bytes.data(), values.data(), each.bytes.size());
    }
    load(state);
  }

 private:
  compute::DevicePtr device_;
  std::unique_ptr<Kind> simulation_;
};

inline const Channel& channelOf(const Frame& frame, std::string_view key) {
  const Channel* const found = frame.find(key);
  if (!found) throw Error("no channel " + std::string(key));
  return *found;
}

// ψ of a state, widened to double.
inline std::vector<Complex<double>> psiOf(const State& state) {
  const StateArray& array = *state.find("psi");
  if (array.dtype == "<c16") return valuesOf<Complex<double>>(array);
  std::vector<Complex<double>> psi;
  for (const Complex<float> z : valuesOf<Complex<float>>(array)) psi.push_back({z.re, z.im});
  return psi;
}

template <class T>
bool sameBits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}
inline bool sameBits(const State& a, const State& b) {
  if (a.steps != b.steps || a.time != b.time || a.arrays.size() != b.arrays.size()) return false;
  for (std::size_t i = 0; i < a.arrays.size(); ++i) {
    const StateArray &one = a.arrays[i], &other = b.arrays[i];
    if (one.name != other.name || one.shape != other.shape || one.bytes != other.bytes) return false;
  }
  return true;
}

inline double squared(double x) {
  return x * x;
}
inline double squared(Complex<double> z) {
  return norm2(z);
}
// ‖a − b‖ / ‖b‖, or ‖a‖ where b is 0
template <class T>
double relativeDifference(const std::vector<T>& a, const std::vector<T>& b) {
  using Wide = decltype(1.0 * T{});
  if (a.size() != b.size()) return HUGE_VAL;
  double off = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    off += squared(static_cast<Wide>(a[i]) - static_cast<Wide>(b[i]));
    norm += squared(static_cast<Wide>(b[i]));
  }
  return norm > 0 ? std::sqrt(off / norm) : std::sqrt(off);
}

}  // namespace simscope::tests
