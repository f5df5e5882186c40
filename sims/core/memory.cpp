#include "sims/core/memory.h"

#include "sims/compute/ranks/crew.h"
#include "sims/compute/ranks/ranks.h"
#include "sims/foreign/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace simscope {
namespace {

double memoryOf(const Description& description, const ParameterSet& parameters, const compute::Device& device) {
  const auto share = description.decomposition.memory;
  if (device.ranks() && share) return share(parameters, device.ranks()->size());
  return description.memory(parameters, device.info().backend);
}

// The largest valid value of the size that fits into `free` bytes, below the present one, which does not. A simulation
// takes the more memory, the larger it is.
std::optional<std::int64_t> largestThatFits(const Description& description, const ParameterSet& parameters,
                                            const compute::Device& device, double free) {
  const std::size_t index = parameters.find(description.size_key);
  const ParameterInfo& info = (*description.parameters)[index];
  const auto fits = [&](std::int64_t size) {
    ParameterSet smaller = parameters;
    smaller.set(index, size);
    return memoryOf(description, smaller, device) <= free;
  };
  std::int64_t low = static_cast<std::int64_t>(std::ceil(info.minimum)), high = parameters.integer(info.key);
  if (info.power_of_two) {
    for (std::int64_t size = high / 2; size >= low; size /= 2) {
      if (fits(size)) return size;
    }
    return std::nullopt;
  }
  if (low >= high || !fits(low)) return std::nullopt;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

// sharers: runs like this one that want the same device's memory.
void requireMemoryOf(const Description& description, const ParameterSet& parameters, const compute::Device& device,
                     int sharers) {
  const compute::DeviceInfo& info = device.info();
  const double needed = memoryOf(description, parameters, device);
  const double free = static_cast<double>(device.memoryFree()) / sharers;
  if (needed <= free) return;  // false for NaN
  const std::string& key = description.size_key;
  const std::string where =
      fmt::format("takes {} of memory, and {} has {} free", memoryText(needed), info.id, memoryText(free));
  if (key.empty()) throw UsageError(fmt::format("{} {}; choose a smaller problem", description.id, where));
  const auto largest = largestThatFits(description, parameters, device, free);
  throw ParameterError(
      key, fmt::format("{}: {} = {} {}; {}", description.id, key, foreign::shown(toText(parameters.get(key))), where,
                       largest ? fmt::format("nearest that fits: {}", *largest)
                               : fmt::format("no {} fits, free some memory or choose another device", key)));
}

}  // namespace

std::string memoryText(double bytes) {
  constexpr double kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;
  if (bytes >= kGiB) return fmt::format("{:.2f} GiB", bytes / kGiB);
  return bytes >= kMiB ? fmt::format("{:.1f} MiB", bytes / kMiB) : fmt::format("{:.1f} KiB", bytes / kKiB);
}

void requireMemory(const Description& description, const ParameterSet& parameters, const compute::Device& device) {
  if (!description.memory) return;
  compute::Crew* const crew = device.crew();
  if (!crew) return requireMemoryOf(description, parameters, device, 1);
  const std::vector<compute::DeviceInfo>& all = device.info().members;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    // The processor's ranks say their share of its memory themselves.
    const auto same = std::count_if(all.begin(), all.end(), [&](const compute::DeviceInfo& each) {
      return each.backend == compute::Backend::Cuda && each.index == all[rank].index;
    });
    const compute::DevicePtr& own = crew->device(static_cast<int>(rank));
    own->run([&] { requireMemoryOf(description, parameters, *own, std::max(1, static_cast<int>(same))); });
  }
}

}  // namespace simscope
