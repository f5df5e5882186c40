// What holds a step up: how fast the device copies memory, and how fast it makes instructions.
//
// Thread: one that may use the device; measuring waits, up to some tenths of a second on a CPU. Errors: as Device.
#pragma once

#include <functional>
#include <optional>

#include "sims/core/description.h"

namespace simscope {

struct MachineLimit {
  double copy_bytes_per_second = 0;       // read and written; 0: not measured, for the work moves no memory
  double lane_operations_per_second = 0;  // likewise of arithmetic
  // The times of the work's bytes and of its instructions alone [µs]; nothing where it does not say.
  std::optional<double> copyUs(const Throughput& work) const;
  std::optional<double> lanesUs(const Throughput& work) const;
  // The longer of both.
  std::optional<double> us(const Throughput& work) const;
  bool byArithmetic(const Throughput& work) const { return lanesUs(work) > copyUs(work); }
};

// Measures what this work needs. Takes memory for two copies, an eighth of what is free at most; `between` is called
// between two trials, and may throw.
MachineLimit measureLimit(const compute::DevicePtr& device, const Throughput& work,
                          const std::function<void()>& between = {});

}  // namespace simscope
