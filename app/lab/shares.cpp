#include "app/lab/shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "app/lab/lesson_text.h"

namespace simscope::lab {
namespace {

constexpr double kPartly = 4;  // times the caches: up to this size part of the data is still in them
// A CPU that writes to a place that it has not read reads it first: a copy moves three bytes for two that are counted.
// GPUs lose some memory cycles when they switch between reading and writing.
constexpr double kLighterCpu = 1.6, kLighterGpu = 1.25;

std::string listOf(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) text += (i > 0 ? "; " : "") + names[i];
  return names.size() > kMost ? text + fmt::format("; {} more", names.size() - kMost) : text;
}

}  // namespace

Headroom headroomOf(const compute::DevicePtr& device, double bytes, Traffic traffic) {
  const double cache = cacheBytes(*device);
  if (bytes <= kPartly * cache) {
    return {std::numeric_limits<double>::infinity(),
            fmt::format("all or part of their data fits caches of {}, which are faster than the memory",
                        valueText(cache, "B"))};
  }
  if (traffic == Traffic::AsCopy) return {};
  return {device->isCuda() ? kLighterGpu : kLighterCpu,
          "they read more than they write, or write over their input: this loads the memory less than the copy that is "
          "the limit"};
}

void removeImpossibleShares(Result& result) {
  std::map<std::string, std::vector<std::string>> reasons;
  for (std::size_t c = 0; c < result.columns.size(); ++c) {
    if (!result.columns[c].share) continue;
    for (Row& row : result.rows) {
      double& share = row.values[c];
      if (std::isnan(share)) continue;
      if (share > 0 && share <= row.headroom.most) {
        if (share > kMostShare) reasons[row.headroom.why].push_back(row.name);
        continue;
      }
      result.notes.push_back(fmt::format(
          "{}: the measurement gave {} ({}), more than this machine can do; this fault is not shown in the table. "
          "Another program slowed the machine while its limit was measured, or the time was wrong: measure again.",
          row.name, valueText(share, "%"), result.columns[c].title));
      share = std::nan("");
      row.spreads[c] = std::nan("");
    }
  }
  for (const auto& [why, names] : reasons) {
    result.notes.push_back(fmt::format("Above the limit ({}): {}.", listOf(names), why));
  }
}

}  // namespace simscope::lab
