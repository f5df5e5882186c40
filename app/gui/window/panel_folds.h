// Which panels around the figure are open. Plain data; thread: the UI's.
//
// A small window has no space for all of them: there they are folded at first, and only one side panel is open at a
// time. Panels that were open in a large window are open again when there is space. In a tiny window (640×480 at 200 %)
// only the figure is shown at first.
#pragma once

#include <array>
#include <cstddef>

namespace simscope::gui {

enum class SidePanel { Simulations, Parameters, Plots };

class PanelFolds {
 public:
  // The window's size, in window coordinates at scale 1.
  void fit(float width, float height) {
    narrow_ = width < kNarrow;
    low_ = height < kLow;
    tiny_ = width < kTiny;
  }
  bool open(SidePanel panel) const { return states(panel)[index(panel)]; }
  void toggle(SidePanel panel) {
    const bool opened = states(panel)[index(panel)] = !open(panel);
    if (opened && narrow_ && panel != SidePanel::Plots) {
      states(panel)[index(panel == SidePanel::Simulations ? SidePanel::Parameters : SidePanel::Simulations)] = false;
    }
  }
  void show(SidePanel panel) {
    if (!open(panel)) toggle(panel);
  }

  // In a large window; stored.
  bool opensWide(SidePanel panel) const { return wide_[index(panel)]; }
  void setWide(SidePanel panel, bool open) { wide_[index(panel)] = open; }

 private:
  static constexpr float kNarrow = 900, kLow = 560, kTiny = 480;
  static std::size_t index(SidePanel panel) { return static_cast<std::size_t>(panel); }
  bool isSmall(SidePanel panel) const { return panel == SidePanel::Plots ? low_ : narrow_; }
  const std::array<bool, 3>& states(SidePanel panel) const {
    const std::array<bool, 3>& small = tiny_ ? least_ : small_;
    return isSmall(panel) ? small : wide_;
  }
  std::array<bool, 3>& states(SidePanel panel) {
    std::array<bool, 3>& small = tiny_ ? least_ : small_;
    return isSmall(panel) ? small : wide_;
  }

  std::array<bool, 3> wide_{true, true, true}, small_{false, true, false}, least_{false, false, false};
  bool narrow_ = false, low_ = false, tiny_ = false;
};

}  // namespace simscope::gui
