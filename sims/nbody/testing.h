// Helpers of this folder's tests.
#pragma once

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sims/compute/random.h"
#include "sims/nbody/nbody.h"

namespace simscope::nbody::tests {

// Key and value as typed, as a type of its own so that braces alone make one.
struct Changes : std::vector<std::pair<std::string, std::string>> {
  Changes(std::initializer_list<value_type> list) : vector(list) {}
};

inline ParameterSet with(const Changes& changes, ParameterSet set = description().defaults()) {
  for (const auto& [key, value] : changes) set.setText(key, value);
  return set;
}
inline Parameters parametersWith(const Changes& changes) {
  return binding().read(with(changes));
}

inline compute::DevicePtr cpu(int threads = 2) {
  return compute::Device::open("cpu", threads);
}

// A run whose calls enter the device as the program's do.
class Session {
 public:
  explicit Session(const Changes& changes, std::uint64_t seed = 1, compute::DevicePtr device = cpu())
      : device_(std::move(device)) {
    device_->run([&] {
      nbody_ = std::make_unique<NBody>(device_, with(changes));
      nbody_->reset(seed);
    });
  }

  NBody& nbody() { return *nbody_; }
  void step(int n) {
    device_->run([&] { nbody_->step(n); });
  }
  void stepTo(double time) {
    const double dt = nbody_->parameters().real("time_step");
    step(static_cast<int>(std::lround((time - nbody_->time()) / dt)));
  }
  void apply(const Changes& changes) {
    device_->run([&] { nbody_->apply(with(changes, nbody_->parameters())); });
  }
  double diagnostic(Diagnostic which) { return diagnostics()[static_cast<std::size_t>(which)]; }
  std::vector<double> diagnostics() {
    std::vector<double> values(kDiagnosticCount);
    device_->run([&] { nbody_->diagnostics(values); });
    return values;
  }
  std::vector<Finding> findings() { return nbody_->check(diagnostics()); }
  bool hasFinding(const std::string& code) {
    for (const Finding& finding : findings()) {
      if (finding.code == code) return true;
    }
    return false;
  }
  State save() {
    State state;
    device_->run([&] { state = nbody_->save(); });
    return state;
  }
  void load(const State& state) {
    device_->run([&] { nbody_->load(state); });
  }
  bool poke(const Brush& brush) {
    bool done = false;
    device_->run([&] { done = nbody_->poke(brush); });
    return done;
  }
  void present(Frame& frame) {
    frame.device = device_;
    device_->run([&] { nbody_->present(frame); });
  }
  std::vector<double> array(const std::string& name) { return valuesOf<double>(*save().find(name)); }
  bool finite() {
    bool is = false;
    device_->run([&] { is = nbody_->finite(); });
    return is;
  }
  // Replaces an array of the state.
  void setArray(const std::string& name, const std::vector<double>& values) {
    State state = save();
    for (StateArray& each : state.arrays) {
      if (each.name == name) std::memcpy(each.bytes.data(), values.data(), each.bytes.size());
    }
    load(state);
  }

 private:
  compute::DevicePtr device_;
  std::unique_ptr<NBody> nbody_;
};

inline bool sameBits(const State& a, const State& b) {
  if (a.steps != b.steps || a.time != b.time || a.arrays.size() != b.arrays.size()) return false;
  for (std::size_t i = 0; i < a.arrays.size(); ++i) {
    if (a.arrays[i].name != b.arrays[i].name || a.arrays[i].shape != b.arrays[i].shape ||
        a.arrays[i].bytes != b.arrays[i].bytes) {
      return false;
    }
  }
  return true;
}

// ‖a − b‖ / ‖b‖, or ‖a‖ where b is 0
inline double relativeDifference(const std::vector<double>& a, const std::vector<double>& b) {
  double off = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    off += (a[i] - b[i]) * (a[i] - b[i]);
    norm += b[i] * b[i];
  }
  if (a.size() != b.size()) return HUGE_VAL;
  return norm > 0 ? std::sqrt(off / norm) : std::sqrt(off);
}

// Normally distributed sources of random strengths, of both signs if mixed.
inline std::vector<Vec4> randomSources(int n, bool mixed = false) {
  std::vector<Vec4> sources;
  for (int i = 0; i < n; ++i) {
    const auto z = compute::normal4(7, 0, static_cast<std::uint64_t>(i));
    const double sign = mixed && i % 2 ? -1 : 1;
    sources.push_back({static_cast<float>(z.z[0]), static_cast<float>(z.z[1]), static_cast<float>(z.z[2]),
                       static_cast<float>(sign * (0.5 + std::abs(z.z[3])) / n)});
  }
  return sources;
}

// Every fourth number is φ.
inline std::vector<double> exactField(const std::vector<Vec4>& sources, double softening) {
  std::vector<double> field;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    double g[3] = {}, potential = 0;
    for (std::size_t j = 0; j < sources.size(); ++j) {
      const double d[3] = {static_cast<double>(sources[j].x) - static_cast<double>(sources[i].x),
                           static_cast<double>(sources[j].y) - static_cast<double>(sources[i].y),
                           static_cast<double>(sources[j].z) - static_cast<double>(sources[i].z)};
      const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + softening * softening;
      const double s = static_cast<double>(sources[j].w);
      for (int k = 0; k < 3; ++k) g[k] += s * d[k] / (r2 * std::sqrt(r2));
      if (j != i) potential -= s / std::sqrt(r2);
    }
    field.insert(field.end(), {g[0], g[1], g[2], potential});
  }
  return field;
}

inline std::vector<double> part(const std::vector<double>& field, bool potential) {
  std::vector<double> values;
  for (std::size_t i = 0; i < field.size(); ++i) {
    if ((i % 4 == 3) == potential) values.push_back(field[i]);
  }
  return values;
}

}  // namespace simscope::nbody::tests
