// Helpers of this folder's tests.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sims/compute/random/random.h"
#include "sims/core/testing/testing.h"
#include "sims/nbody/nbody.h"

namespace simscope::nbody::tests {

using simscope::tests::changed;
using simscope::tests::Changes;
using simscope::tests::cpu;
using simscope::tests::relativeDifference;
using simscope::tests::sameBits;

inline ParameterSet with(const Changes& changes, ParameterSet set = description().defaults()) {
  return changed(std::move(set), changes);
}
inline Parameters parametersWith(const Changes& changes) {
  return binding().read(with(changes));
}

class Session : public simscope::tests::Run<NBody, Diagnostic> {
 public:
  explicit Session(const Changes& changes, std::uint64_t seed = 1, compute::DevicePtr device = cpu())
      : Run(with(changes), seed, std::move(device)) {}

  NBody& nbody() { return simulation(); }
  void stepTo(double time) {
    const double dt = nbody().parameters().real("time_step");
    step(static_cast<int>(std::lround((time - nbody().time()) / dt)));
  }
  std::vector<double> array(const std::string& name) { return values<double>(name); }
  void setArray(const std::string& name, const std::vector<double>& values) { setValues(name, values); }
};

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
