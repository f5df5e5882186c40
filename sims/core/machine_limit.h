// The limits of a step: the rate at which the device copies memory, and its rate of instructions.
//
// Thread: one that may use the device; measuring waits, up to some tenths of a second on a CPU. Errors: as Device.
#pragma once

#include <functional>
#include <optional>

#include "sims/core/description.h"

namespace simscope {

struct MachineLimit {
  double copy_bytes_per_second = 0;       // read and written; 0: not measured, because the work moves no memory
  double lane_operations_per_second = 0;  // likewise of arithmetic
  // The times of the work's bytes alone and of its instructions alone [µs]; nothing where these are not given.
  std::optional<double> copyUs(const Throughput& work) const;
  std::optional<double> lanesUs(const Throughput& work) const;
  // The longer of both.
  std::optional<double> us(const Throughput& work) const;
  bool byArithmetic(const Throughput& work) const { return lanesUs(work) > copyUs(work); }
};

// Measures the limits of this work. Takes memory for two copies, at most an eighth of the free memory; `between` is
// called between two trials, and may throw.
MachineLimit measureLimit(const compute::DevicePtr& device, const Throughput& work,
                          const std::function<void()>& between = {});

}  // namespace simscope
