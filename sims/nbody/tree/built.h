// For the tests: trees with their memory, built as the CPU does or as CUDA does.
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sims/nbody/tree/primitives.h"
#include "sims/nbody/tree/sequence.h"
#include "sims/nbody/tree/steps.h"
#include "sims/nbody/tree/testing.h"

namespace simscope::nbody::tree {

// CUDA's procedure on the host: without reading results, with loops over upper bounds.
struct HostCuda {
  template <class F>
  void each(std::size_t n, const F& f, std::size_t) const {
    for (std::size_t i = n; i-- > 0;) f(i);
  }
  void bounds(const Arrays& a) const {
    *a.bounds = std::transform_reduce(a.sources, a.sources + a.n, kNoBounds, MergeBounds{}, BoundsOf{a.sources});
    *a.spread =
        std::transform_reduce(a.sources, a.sources + a.n, Spread{}, MergeSpread{}, SpreadOf{a.sources, a.bounds, a.n});
  }
  void sortBodies(Arrays& a) const {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> pairs;
    for (int i = 0; i < a.n; ++i) pairs.emplace_back(a.keys[i], a.index[i]);
    std::sort(pairs.begin(), pairs.end());
    for (int i = 0; i < a.n; ++i) std::tie(a.keys[i], a.index[i]) = pairs[static_cast<std::size_t>(i)];
  }
  void sumCells(const Arrays& a) const { std::exclusive_scan(a.starting, a.starting + a.n, a.first_cell, 0u); }
  void sortCells(const Arrays& a) const {
    std::vector<std::uint32_t> order(a.capacity);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t left, std::uint32_t right) { return a.level[left] < a.level[right]; });
    for (std::uint32_t cell = 0; cell < a.capacity; ++cell) {
      a.sorted_level[cell] = a.level[order[cell]];
      a.order[cell] = a.place[order[cell]];
    }
  }
  bool knows() const { return false; }
};

class Built {
 public:
  // The memory is filled with arbitrary bytes at first.
  Built(const tests::Sources& v, float angle, bool as_cuda) : device_(compute::Device::open("cpu", 2)), sources_(v) {
    const int n = static_cast<int>(v.size());
    std::size_t bytes = 0;
    const std::size_t scratch = scratchBytes(compute::Backend::Cpu, n);
    arraysIn(nullptr, compute::Backend::Cpu, n, scratch, bytes);
    memory_ = compute::Buffer<unsigned char>(device_, std::vector<unsigned char>(bytes, 0xa5));
    a = arraysIn(memory_.data(), compute::Backend::Cpu, n, scratch, bytes);
    a.sources = sources_.data();
    if (as_cuda) {
      HostCuda backend;
      buildInOrder(backend, a, angle);
    } else {
      buildTree(*device_, a, angle);
    }
  }

  std::vector<Vec4> walk(float softening) {
    std::vector<Vec4> field(sources_.size());
    walkOnCpu(*device_, a, softening, field.data());
    return field;
  }

  Arrays a{};

 private:
  compute::DevicePtr device_;
  tests::Sources sources_;
  compute::Buffer<unsigned char> memory_;
};

inline const std::vector<std::string> kKinds = {"plummer",        "two clusters", "mixed charges", "line",
                                                "tight clusters", "outlier",      "all scales",    "encounter"};

}  // namespace simscope::nbody::tree
