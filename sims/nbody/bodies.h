// The bodies of a run, and the data of each: arrays on a device. Thread and errors: as Buffer.
#pragma once

#include "sims/compute/buffer.h"
#include "sims/nbody/parameters.h"
#include "sims/nbody/system.h"

namespace simscope::nbody {

struct Bodies {
  compute::Buffer<double> x, v;          // 3 each
  compute::Buffer<double> mass;          // 1 each
  compute::Buffer<double> charge;        // 1 each; empty for gravity
  compute::Buffer<int> group;            // 1 each: the origin of a body
  compute::Buffer<Vec4> sources, field;  // 1 each; empty for a few
  compute::Buffer<float> trails;         // kTrailSamples places each; empty except for a few bodies
  bool alike = false;                    // all sources are known to be equally strong

  Bodies() = default;
  Bodies(const compute::DevicePtr& device, int count, bool charged) {
    const auto n = static_cast<std::size_t>(count), many = count > kFew ? n : 0, few = n - many;
    x = {device, 3 * n};
    v = {device, 3 * n};
    mass = {device, n};
    charge = {device, charged ? n : 0};
    group = {device, n};
    sources = {device, many};
    field = {device, many};
    trails = {device, 3 * few * kTrailSamples};
  }

  int count() const noexcept { return static_cast<int>(mass.size()); }
  bool few() const noexcept { return count() <= kFew; }
  System system(const Parameters& p) {
    const double softening = p.softening > kLeastSoftening ? p.softening : kLeastSoftening;
    return {x.data(),     v.data(), mass.data(),  charge.data(),        group.data(),
            field.data(), count(),  p.coupling(), softening * softening};
  }
};

}  // namespace simscope::nbody
