// Helpers of this folder's tests.
#pragma once

#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sims/diffraction/diffraction.h"

namespace simscope::diffraction::tests {

// Key and value as typed, as a type of its own so that braces alone make one.
struct Changes : std::vector<std::pair<std::string, std::string>> {
  Changes(std::initializer_list<value_type> list) : vector(list) {}
  Changes with(const Changes& more) const {
    Changes all = *this;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
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
  explicit Session(const Changes& changes, compute::DevicePtr device = cpu()) : device_(std::move(device)) {
    device_->run([&] {
      run_ = std::make_unique<Diffraction>(device_, with(changes));
      run_->reset(1);
    });
  }

  Diffraction& run() { return *run_; }
  void step(int n) {
    device_->run([&] { run_->step(n); });
  }
  void apply(const ParameterSet& parameters) {
    device_->run([&] { run_->apply(parameters); });
  }
  void change(const Changes& changes) { apply(with(changes, run_->parameters())); }
  double diagnostic(Diagnostic which) { return diagnostics()[static_cast<std::size_t>(which)]; }
  std::vector<double> diagnostics() {
    std::vector<double> values(kDiagnosticCount);
    device_->run([&] { run_->diagnostics(values); });
    return values;
  }
  std::vector<Finding> findings() { return run_->check(diagnostics()); }
  State save() {
    State state;
    device_->run([&] { state = run_->save(); });
    return state;
  }
  void load(const State& state) {
    device_->run([&] { run_->load(state); });
  }
  bool poke(const Brush& brush) {
    bool done = false;
    device_->run([&] { done = run_->poke(brush); });
    return done;
  }
  void present(Frame& frame) {
    frame.device = device_;
    device_->run([&] { run_->present(frame); });
  }
  bool finite() {
    bool is = false;
    device_->run([&] { is = run_->finite(); });
    return is;
  }
  std::vector<float> pattern() {
    const State state = save();
    const StateArray& array = *state.find("pattern");
    std::vector<float> values(array.bytes.size() / sizeof(float));
    std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
    return values;
  }

 private:
  compute::DevicePtr device_;
  std::unique_ptr<Diffraction> run_;
};

inline bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

inline const Channel& channelOf(const Frame& frame, const std::string& key) {
  const Channel* const found = frame.find(key);
  if (!found) throw Error("no channel " + key);
  return *found;
}

// ‖a - b‖/‖b‖
inline double relativeDifference(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return HUGE_VAL;
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double off = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    difference += off * off;
    size += static_cast<double>(b[i]) * static_cast<double>(b[i]);
  }
  return size > 0 ? std::sqrt(difference / size) : std::sqrt(difference);
}

inline bool hasFinding(const std::vector<Finding>& findings, const std::string& code) {
  for (const Finding& finding : findings) {
    if (finding.code == code) return true;
  }
  return false;
}

}  // namespace simscope::diffraction::tests
