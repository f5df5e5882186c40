#include "sims/live/elements.h"

#include <algorithm>

namespace simscope::live {

bool fits(const Layout& layout, std::int64_t width, std::int64_t height, std::int64_t count) noexcept {
  const auto within = [&](std::int64_t value) { return value > -count && value < count; };
  if (width < 1 || height < 1 || layout.first < 0 || layout.first >= count) return false;
  // Steps along which there is but one element do not matter.
  const std::int64_t down = height > 1 ? layout.row_step : 0, right = width > 1 ? layout.column_step : 0;
  if (!within(down) || !within(right)) return false;
  // Divided, not multiplied: no product can be too large.
  const std::int64_t room = count - 1;
  if (down != 0 && height - 1 > room / std::max(down, -down)) return false;
  if (right != 0 && width - 1 > room / std::max(right, -right)) return false;
  const std::int64_t rows = down * (height - 1), columns = right * (width - 1);
  const std::int64_t lowest = layout.first + std::min<std::int64_t>(rows, 0) + std::min<std::int64_t>(columns, 0);
  const std::int64_t highest = layout.first + std::max<std::int64_t>(rows, 0) + std::max<std::int64_t>(columns, 0);
  return lowest >= 0 && highest < count;
}

}  // namespace simscope::live
