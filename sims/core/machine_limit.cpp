#include "sims/core/machine_limit.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "sims/compute/buffer.h"
#include "sims/compute/lanes/lane_rate.h"

namespace simscope {

namespace {

using Between = std::function<void()>;

// Bytes read and written per second by copies of `bytes` within the device; the best of several.
double copyRate(compute::Device& device, compute::Buffer<std::byte>& to, const compute::Buffer<std::byte>& from,
                std::size_t bytes, const Between& between) {
  const int repeats = static_cast<int>(std::clamp<std::size_t>((std::size_t{256} << 20) / bytes, 1, 1000));
  double best_ms = std::numeric_limits<double>::infinity();
  for (int trial = 0; trial < 4; ++trial) {
    if (between) between();
    best_ms = std::min(best_ms, device.timed([&] {
      for (int i = 0; i < repeats; ++i) device.copy(to.data(), from.data(), bytes);
    }));
  }
  return 2.0 * static_cast<double>(bytes) * repeats / (best_ms * 1e-3);
}

// The device's copy bandwidth for a working set of `step_bytes`, which a cache may hold.
double copyBandwidth(const compute::DevicePtr& device, double step_bytes, const Between& between) {
  constexpr std::size_t kLarge = std::size_t{256} << 20, kSmall = std::size_t{64} << 10;
  const std::size_t large = std::clamp(device->memoryFree() / 8, kSmall, kLarge);
  compute::Buffer<std::byte> from(device, large), to(device, large);
  from.zero();
  to.zero();
  const auto half = static_cast<std::size_t>(std::clamp(step_bytes / 2, double(kSmall), double(large)));
  return std::max(copyRate(*device, to, from, half, between), copyRate(*device, to, from, large, between));
}

}  // namespace

std::optional<double> MachineLimit::copyUs(const Throughput& work) const {
  if (!(work.bytes_per_step > 0 && copy_bytes_per_second > 0)) return std::nullopt;
  return work.bytes_per_step / copy_bytes_per_second * 1e6;
}

std::optional<double> MachineLimit::lanesUs(const Throughput& work) const {
  if (!(work.lane_operations_per_step > 0 && lane_operations_per_second > 0)) return std::nullopt;
  return work.lane_operations_per_step / lane_operations_per_second * 1e6;
}

std::optional<double> MachineLimit::us(const Throughput& work) const {
  return std::max(copyUs(work), lanesUs(work));  // nothing is less than any number
}

MachineLimit measureLimit(const compute::DevicePtr& device, const Throughput& work, const Between& between) {
  MachineLimit limit;
  if (work.bytes_per_step > 0) limit.copy_bytes_per_second = copyBandwidth(device, work.bytes_per_step, between);
  if (work.lane_operations_per_step > 0) {
    if (between) between();
    device->run([&] { limit.lane_operations_per_second = compute::laneRate(*device).per_second; });
  }
  return limit;
}

}  // namespace simscope
