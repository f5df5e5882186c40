#include "sims/descent/advance.h"

#include <algorithm>

#include "sims/compute/loops/parallel.h"

namespace simscope::descent {
namespace functors {

// The recorded excess: at least 0, at most single precision's largest value, which also replaces NaN.
SIMSCOPE_HD inline float recorded(double excess) {
  return excess < 1e37 ? static_cast<float>(excess > 0 ? excess : 0.0) : 1e37f;
}

struct Record {
  History history;
  double lowest;
  template <class F>
  SIMSCOPE_HD void operator()(const F& f, const Walker& w, std::int64_t witness, std::int64_t sample) const {
    history.losses[sample * kWitnesses + witness] = recorded(f(w.x, w.y) - lowest);
    if (witness >= kTracers) return;
    float* const to = history.places + 2 * (witness * kSamples + sample);
    to[0] = static_cast<float>(w.x);
    to[1] = static_cast<float>(w.y);
  }
};

// Neighbouring threads read and write side by side, once a launch.
template <class F, bool line_search>
struct Descend {
  F f;
  Rule rule;
  Starts all;
  Record record;
  Nearest nearest;
  std::int64_t now, began;
  int iterations;

  SIMSCOPE_HD void operator()(std::size_t i) const {
    int since = all.since[i];
    const std::int64_t n = all.n, witness = static_cast<std::int64_t>(i) - (n - kWitnesses);
    Walker w{all.x[i], all.y[i], {}};
    for (int k = 0; k < kMemories; ++k) w.memory[k] = all.memory[k * n + static_cast<std::int64_t>(i)];
    const std::int64_t stride = record.history.stride;
    for (int k = 1; k <= iterations; ++k) {
      const std::int64_t iteration = now + k;
      if (since != kDiverged) {
        if (!iterate<F, line_search>(f, rule, iteration, iteration - began, i, w)) {
          since = kDiverged;
        } else if (nearest.at(w.x, w.y) < 0) {
          since = kOnItsWay;
        } else if (since < 0) {
          since = static_cast<int>(iteration < 2'000'000'000 ? iteration : 2'000'000'000);
        }
      }
      if (witness >= 0 && iteration % stride == 0) record(f, w, witness, iteration / stride);
    }
    all.x[i] = w.x;
    all.y[i] = w.y;
    for (int k = 0; k < kMemories; ++k) all.memory[k * n + static_cast<std::int64_t>(i)] = w.memory[k];
    all.since[i] = since;
  }
};

template <class F>
struct Begin {
  F f;
  Starts all;
  Record record;
  Nearest nearest;
  bool sampled;
  std::int64_t now;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const std::int64_t witness = static_cast<std::int64_t>(i) - (all.n - kWitnesses);
    const Walker w{all.x[i], all.y[i], {}};
    all.since[i] = nearest.at(w.x, w.y) < 0 ? kOnItsWay : static_cast<int>(now < 2'000'000'000 ? now : 2'000'000'000);
    if (sampled && witness >= 0) record(f, w, witness, now / record.history.stride);
  }
};

struct Halve {
  History history;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    float* const losses = history.losses + i;
    for (int k = 1; k < kSamples / 2; ++k) losses[k * kWitnesses] = losses[2 * k * kWitnesses];
    if (i >= kTracers) return;
    float* const places = history.places + 2 * i * kSamples;
    for (int k = 1; k < kSamples / 2; ++k) places[2 * k] = places[4 * k], places[2 * k + 1] = places[4 * k + 1];
  }
};

}  // namespace functors

namespace {

constexpr std::size_t kStartsAtATime = 1024;  // of one thread of the CPU

template <class F, bool line_search>
void launch(compute::Device& device, const F& f, const Advance& what, std::int64_t now, int iterations) {
  const functors::Record record{what.history, what.lowest};
  const functors::Descend<F, line_search> descend{f,   what.rule,  what.starts, record, what.nearest,
                                                  now, what.began, iterations};
  compute::parallelFor(device, static_cast<std::size_t>(what.starts.n), descend, kStartsAtATime);
}

}  // namespace

void advance(compute::Device& device, const Advance& what, int iterations) {
  withSurface(what.surface, [&](const auto& f) {
    using F = std::decay_t<decltype(f)>;
    std::int64_t now = what.now;
    for (int left = iterations; left > 0;) {
      const int count = std::min(left, kIterationsOfALaunch);
      if (what.rule.method == Method::Bfgs) {
        launch<F, true>(device, f, what, now, count);
      } else {
        launch<F, false>(device, f, what, now, count);
      }
      now += count;
      left -= count;
    }
  });
}

void begin(compute::Device& device, const Advance& what, bool sampled) {
  withSurface(what.surface, [&](const auto& f) {
    using F = std::decay_t<decltype(f)>;
    const functors::Record record{what.history, what.lowest};
    compute::parallelFor(device, static_cast<std::size_t>(what.starts.n),
                         functors::Begin<F>{f, what.starts, record, what.nearest, sampled, what.now});
  });
}

void halve(compute::Device& device, const History& history) {
  compute::parallelFor(device, kWitnesses, functors::Halve{history}, 64);
}

}  // namespace simscope::descent
