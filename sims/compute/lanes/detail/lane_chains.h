// The CPU's part of sims/compute/lanes/lane_rate.h: chains of multiply-adds with the widest instructions that the
// processor has. Thread: any.
#pragma once

#include <cstdint>

namespace simscope::compute::detail {

struct LaneChains {
  // Runs `rounds` instructions of every chain; the result depends on all of them.
  float (*run)(std::int64_t rounds) = nullptr;
  double operations_per_round = 0;  // instructions times lanes
  const char* instructions = "";
};

LaneChains laneChains();

}  // namespace simscope::compute::detail
