// The size of text and controls, from monitor, environment, and user, and the pixels per window coordinate.
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
  // For a window that opens. forced: SIMSCOPE_SCALE, 0: not set. A monitor without a valid scale has a scale of 1.
  ContentScale(float forced, float monitor) : forced_(forced) { setMonitor(monitor); }
  ContentScale() = default;

  // The window has moved to a monitor with that scale.
  void setMonitor(float scale) noexcept {
    if (scale > 0 && scale <= kMost) monitor_ = scale;  // false for NaN
  }
  // The user's scale; 0: none.
  void choose(float scale) noexcept { chosen_ = scale; }
  bool isForced() const noexcept { return forced_ > 0; }

  // The size of text and controls in window coordinates, relative to 100 %.
  float scale(float pixel_ratio) const {
    if (chosen_ > 0) return chosen_;
    // If the framebuffer is finer than window coordinates, those coordinates are scaled already.
    return forced_ > 0 ? forced_ : std::max(monitor_ / pixel_ratio, 0.5f);
  }

 private:
  static constexpr float kMost = 8;
  float forced_ = 0, monitor_ = 1, chosen_ = 0;
};

// Pixels per window coordinate, from three successive queries: the window's size, its framebuffer's, and the window's
// again. Nothing if the size changed in between: while a window of 1 × 1 grows to its usual size, the second may be a
// thousand times the first, and letters of that size fit no texture.
inline std::optional<float> pixelRatioOf(const WindowSize& before, const WindowSize& pixels, const WindowSize& after) {
  constexpr float kMost = 8;
  if (before != after || before.width <= 0 || pixels.width <= 0) return std::nullopt;
  const float ratio = static_cast<float>(pixels.width) / static_cast<float>(before.width);
  if (ratio < 1 / kMost || ratio > kMost) return std::nullopt;
  return ratio;
}

}  // namespace simscope::gui
