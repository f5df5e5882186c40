#include "sims/nbody/tree/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sims/compute/buffer.h"
#include "sims/core/parameters.h"
#include "sims/nbody/tree/divided_walk.h"
#include "sims/nbody/tree/primitives.h"
#include "sims/nbody/tree/steps.h"

namespace simscope::nbody {
namespace {

float checkedAngle(double opening_angle) {
  if (!(opening_angle >= 0) || std::isinf(opening_angle)) {
    throw ParameterError("opening_angle",
                         fmt::format("opening_angle = {} is out of range: choose 0 or more; the nearest is {}",
                                     opening_angle, std::isinf(opening_angle) && opening_angle > 0 ? 1 : 0));
  }
  return static_cast<float>(opening_angle);
}

class Tree final : public BarnesHut {
 public:
  Tree(compute::DevicePtr device, double opening_angle)
      : device_(std::move(device)), opening_angle_(checkedAngle(opening_angle)) {}

  void setOpeningAngle(double opening_angle) override { opening_angle_ = checkedAngle(opening_angle); }

  std::string method() const override { return fmt::format("Barnes–Hut, quadrupoles, θ = {:.3g}", opening_angle_); }

  void field(const Vec4* sources, int n, double softening, Vec4* out) override {
    solve(sources, n, softening, true, out);
  }
  void force(const Vec4* sources, int n, double softening, Vec4* out) override {
    solve(sources, n, softening, false, out);
  }

  TreeInteractions interactions() const override {
    if (memory_.empty()) return {};
    tree::Interactions counted{};
    device_->download(&counted, arrays_.interactions, sizeof counted);
    return {counted.bodies, counted.cells};
  }

 private:
  // The CPU sums φ in any case.
  void solve(const Vec4* sources, int n, double softening, [[maybe_unused]] bool potential, Vec4* out) {
    reserve(n);
    tree::Arrays a = arrays_;
    a.n = n;
    a.capacity = tree::cellCapacity(n);
    a.sources = sources;
    tree::buildTree(*device_, a, opening_angle_);
    const auto least = static_cast<float>(std::max(softening, kLeastSoftening));
#if SIMSCOPE_HAVE_CUDA
    if (device_->isCuda()) {
      const auto bodies = static_cast<std::size_t>(n);
      if (device_->ranks() && dealt_.size() < bodies) dealt_ = compute::Buffer<Vec4>(device_, bodies);
      return tree::walkOnCuda(*device_, a, least, potential, out, dealt_.data());
    }
#endif
    if (compute::Ranks* const ranks = device_->ranks()) return divided_.walk(*device_, *ranks, a, least, out);
    tree::walkOnCpu(*device_, a, least, out);
  }

  void reserve(int n) {
    if (n <= arrays_.n) return;
    const compute::Backend backend = device_->info().backend;
    std::size_t bytes = 0, scratch = tree::scratchBytes(backend, n);
#if SIMSCOPE_HAVE_CUDA
    if (device_->isCuda()) scratch = tree::scratchBytesOnCuda(*device_, n);
#endif
    tree::arraysIn(nullptr, backend, n, scratch, bytes);
    memory_ = compute::Buffer<unsigned char>(device_, bytes);
    arrays_ = tree::arraysIn(memory_.data(), backend, n, scratch, bytes);
  }

  compute::DevicePtr device_;
  float opening_angle_;
  compute::Buffer<unsigned char> memory_;
  tree::Arrays arrays_{};
  compute::Buffer<Vec4> dealt_;  // of CUDA devices among ranks: the fields as they are passed on
  tree::DividedWalk divided_;
};

}  // namespace

std::unique_ptr<BarnesHut> makeBarnesHut(compute::DevicePtr device, double opening_angle) {
  return std::make_unique<Tree>(std::move(device), opening_angle);
}

std::unique_ptr<TreeSolver> makeTree(compute::DevicePtr device, double opening_angle) {
  return makeBarnesHut(std::move(device), opening_angle);
}

double treeBytes(compute::Backend backend, double n) {
  const int bodies = static_cast<int>(std::clamp(n, 1.0, 2147483647.0));
  std::size_t bytes = 0;
  tree::arraysIn(nullptr, backend, bodies, tree::scratchBytes(backend, bodies), bytes);
  return static_cast<double>(bytes);
}

}  // namespace simscope::nbody
