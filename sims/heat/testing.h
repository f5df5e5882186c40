// Helpers of this folder's tests.
#pragma once

#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sims/heat/heat.h"

namespace simscope::heat::tests {

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
      heat_ = std::make_unique<Heat>(device_, with(changes));
      heat_->reset(seed);
    });
  }

  Heat& heat() { return *heat_; }
  void step(int n) {
    device_->run([&] { heat_->step(n); });
  }
  double diagnostic(Diagnostic which) { return diagnostics()[static_cast<std::size_t>(which)]; }
  std::vector<double> diagnostics() {
    std::vector<double> values(kDiagnosticCount);
    device_->run([&] { heat_->diagnostics(values); });
    return values;
  }
  std::vector<Finding> findings() { return heat_->check(diagnostics()); }
  State save() {
    State state;
    device_->run([&] { state = heat_->save(); });
    return state;
  }
  void load(const State& state) {
    device_->run([&] { heat_->load(state); });
  }
  bool poke(const Brush& brush) {
    bool done = false;
    device_->run([&] { done = heat_->poke(brush); });
    return done;
  }
  void present(Frame& frame) {
    frame.device = device_;
    device_->run([&] { heat_->present(frame); });
  }
  std::vector<float> field() {
    const State state = save();
    const StateArray& array = *state.find("temperature");
    std::vector<float> values(array.bytes.size() / sizeof(float));
    std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
    return values;
  }
  void setField(const std::vector<float>& values) {
    State state = save();
    for (StateArray& array : state.arrays) {
      if (array.name == "temperature") std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
    }
    load(state);
  }

 private:
  compute::DevicePtr device_;
  std::unique_ptr<Heat> heat_;
};

inline bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

inline bool hasFinding(const std::vector<Finding>& findings, const std::string& code) {
  for (const Finding& finding : findings) {
    if (finding.code == code) return true;
  }
  return false;
}

// Under address sanitizing everything takes a dozen times longer.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSlow = true;
#else
inline constexpr bool kSlow = false;
#endif

}  // namespace simscope::heat::tests
