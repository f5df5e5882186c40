// How large text and controls are: what monitor, environment, and user say of it, and pixels a window coordinate.
// Pure; any thread.
#pragma once

#include <algorithm>
#include <optional>

namespace simscope::gui {

struct WindowSize {
  int width = 0, height = 0;
  bool operator==(const WindowSize&) const = default;
};

class ContentScale {
 public:
  // Of a window that opens. forced: SIMSCOPE_SCALE, 0: not set. A monitor without a valid scale has a scale of 1.
  ContentScale(float forced, float monitor) : forced_(forced) { setMonitor(monitor); }
  ContentScale() = default;

  // The window has come to a monitor of that scale.
  void setMonitor(float scale) noexcept {
    if (scale > 0 && scale <= kMost) monitor_ = scale;  // false for NaN
  }
  // The user's own; 0: none.
  void choose(float scale) noexcept { chosen_ = scale; }
  bool isForced() const noexcept { return forced_ > 0; }

  // How much larger than at 100 % text and controls are in window coordinates.
  float scale(float pixel_ratio) const {
    if (chosen_ > 0) return chosen_;
    // Where the framebuffer is finer than the window's coordinates, those coordinates are scaled already.
    return forced_ > 0 ? forced_ : std::max(monitor_ / pixel_ratio, 0.5f);
  }

 private:
  static constexpr float kMost = 8;
  float forced_ = 0, monitor_ = 1, chosen_ = 0;
};

// Pixels a window coordinate, of sizes that were asked for one after the other: the window's, its framebuffer's, and
// the window's again. Nothing where they are not of one moment: while a window of 1 × 1 grows to its usual size, the
// second may be a thousand times the first, and letters of that size have no room in any texture.
inline std::optional<float> pixelRatioOf(const WindowSize& before, const WindowSize& pixels, const WindowSize& after) {
  constexpr float kMost = 8;
  if (before != after || before.width <= 0 || pixels.width <= 0) return std::nullopt;
  const float ratio = static_cast<float>(pixels.width) / static_cast<float>(before.width);
  if (ratio < 1 / kMost || ratio > kMost) return std::nullopt;
  return ratio;
}

}  // namespace simscope::gui
