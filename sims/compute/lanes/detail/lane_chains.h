// The CPU's part of sims/compute/lanes/lane_rate.h: chains of multiply-adds with the widest instructions that the
// processor has, in single and in double precision. Thread: any.
#pragma once

#include <cstdint>

namespace simscope::compute::detail {

template <class T>  // float or double
struct LaneChains {
  // Runs `rounds` instructions of every chain; the result depends on all of them.
  T (*run)(std::int64_t rounds) = nullptr;
  double operations_per_round = 0;  // instructions times lanes
  const char* instructions = "";
};

template <class T>
LaneChains<T> laneChains();
template <>
LaneChains<float> laneChains<float>();
template <>
LaneChains<double> laneChains<double>();

}  // namespace simscope::compute::detail
